"""The steps of a search for reuse. Each takes the outputs of steps before it, and writes its own.

A step is a function of a module, and its arguments are values and paths, so that any process can do a task of it.
"""

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ibidem.engine.outputs import open_as, save_output
from ibidem.evidence.runs import Spill
from ibidem.resources import Resources
from ibidem.reuse import quotation_pairs
from ibidem.reuse.boxes import PairBoxes, keep_pairs, select_pairs
from ibidem.reuse.collection import Collection
from ibidem.reuse.documents import open_part
from ibidem.reuse.gathering import gather_reuse, read_column
from ibidem.reuse.join import Seeds
from ibidem.reuse.outputs.earlier import EarlierRun, FoundPairs
from ibidem.reuse.outputs.exports import export_reuse
from ibidem.reuse.outputs.result import NOTE, Reuse, explain_nothing, write_reuse
from ibidem.reuse.pairs import Pairs, align_boxes
from ibidem.reuse.prepared_collection import add_documents, open_prepared
from ibidem.reuse.question import Question
from ibidem.reuse.series import find_different, leave_series_out
from ibidem.reuse.windows import BandJoin, FoundBoxes, KeyRange, box_seeds, join_bands

_RECORDS_OF_TASK = 1 << 26
"""Records of windows that a task joins: about ten seconds of work. One band of them is at hand at a time."""

_PAIRS_OF_TASK = 1 << 12
"""Pairs of documents that a task aligns."""


class SearchOutputs(NamedTuple):
    """The paths of the outputs from which tables are made.

    Attributes:
        read: the documents of each part.
        prepared: the collection.
        boxes: ``AlignableBoxes``.
        pairs: ``Pairs`` of the tasks.
        quotations: ``Pairs`` of passages that are shorter than windows.
    """

    read: Sequence[Path]
    prepared: Path
    boxes: Path
    pairs: Sequence[Path]
    quotations: Path


class AlignableBoxes(NamedTuple):
    """The boxes of documents that are aligned, and of those of one series, which are not.

    Attributes:
        candidates: how many pairs of runs were compared.
        crowded_groups: how many groups were too large for every pair to be compared.
    """

    kept: PairBoxes
    same_series: PairBoxes
    candidates: int
    crowded_groups: int


_open_seeds, _open_boxes, _open_pairs = open_as(Seeds), open_as(AlignableBoxes), open_as(Pairs)


def cut_keys(question: Question, prepared: Path) -> list[list[KeyRange]]:
    """The tasks of ``join_windows``: ranges of the keys of all bands."""
    return _open_join(question, prepared).cut_keys(_RECORDS_OF_TASK)


def join_windows(
    question: Question,
    prepared: Path,
    known: Sequence[Path],
    keys: Sequence[KeyRange],
    path: Path,
    resources: Resources,
) -> None:
    """Write the similar windows whose keys lie in some ranges, but for those in boxes of ``known`` outputs."""
    boxes = np.concatenate([np.empty((0, 4), np.int64), *(_open_seeds(each).boxes for each in known)])
    scratch = path.with_suffix(".records.partial")
    save_output(join_bands(_open_join(question, prepared), keys, boxes, scratch, resources), path)


def _open_join(question: Question, prepared: Path) -> BandJoin:
    collection = open_prepared(prepared)
    return BandJoin(collection.collection, collection.compare(question), question.join, collection.bands)


def box_windows(
    question: Question, read: Sequence[Path], prepared: Path, seeds: Sequence[Path], path: Path, resources: Resources
) -> None:
    """Write the boxes that all similar windows make, by pairs of documents."""
    task = _open_join(question, prepared)
    boxes = box_seeds(task, [_open_seeds(each) for each in seeds])
    is_own = boxes.boxes.pairs[:, 0] == boxes.boxes.pairs[:, 1]
    new = keep_pairs(boxes.boxes, ~(is_own & open_prepared(prepared).unchanged[boxes.boxes.pairs[:, 0]]))
    collection = task.collection if question.series is None else open_documents(read, prepared)
    kept, same_series = leave_series_out(new, read_column(collection, question.series))
    output = AlignableBoxes(kept, same_series, boxes.candidates, boxes.crowded_groups)
    save_output(output, path)


def open_documents(read: Sequence[Path], prepared: Path) -> Collection:
    """The collection with ids and texts."""
    return add_documents(open_prepared(prepared).collection, [open_part(each) for each in read])


def group_pairs(boxes: Path) -> list[tuple[int, int]]:
    """The tasks of ``align_pairs``: ranges of the pairs of documents that have boxes."""
    pairs = len(_open_boxes(boxes).kept.pairs)
    return [(first, min(first + _PAIRS_OF_TASK, pairs)) for first in range(0, pairs, _PAIRS_OF_TASK)]


def align_pairs(
    question: Question, prepared: Path, boxes: Path, pairs: tuple[int, int], path: Path, resources: Resources
) -> None:
    """Write the pairs of passages of a range of the pairs of documents."""
    kept = select_pairs(_open_boxes(boxes).kept, *pairs)
    collection, exact = open_prepared(prepared).collection, question.recall >= 1
    save_output(align_boxes(collection, kept, question.rule, resources, exact=exact), path)


def find_quotations(question: Question, read: Sequence[Path], prepared: Path, path: Path, resources: Resources) -> None:
    """Write the passages that documents of different series share word for word, but for a few words.

    They are looked for in all documents, those that an earlier run has compared, too, which is soon done.
    """
    collection, apart = open_prepared(prepared).collection, open_prepared(prepared).apart
    side = (collection.side if apart else np.full(len(collection), -1)).astype(np.int32)
    spill = Spill(path.with_suffix(".seeds.partial"), resources)
    pairs = quotation_pairs.find_quotations(collection, side, question.rule, question.join.most, spill)
    if question.series is not None:
        series = read_column(open_documents(read, prepared), question.series)
        pairs = pairs.take(find_different(pairs.documents, series))
    save_output(pairs, path)


def gather_tables(question: Question, update: Path | None, outputs: SearchOutputs, threads: int) -> Reuse:
    """The tables that all pairs make, with those of the run that is updated.

    Raises:
        CorpusError: no document has a column that is asked for, or a value is no date.
    """
    prepared, collection = open_prepared(outputs.prepared), open_documents(outputs.read, outputs.prepared)
    boxes: AlignableBoxes = _open_boxes(outputs.boxes)
    pairs = FoundPairs(Pairs.join([_open_pairs(each) for each in outputs.pairs]), boxes.same_series)
    if update is not None:
        pairs = EarlierRun.read(update).add_to(pairs, collection, prepared.unchanged)
    found = FoundBoxes(boxes.kept, prepared.bands, boxes.candidates, boxes.crowded_groups)
    found_quotations = _open_pairs(outputs.quotations)
    reuse = gather_reuse(collection, question, found, pairs, found_quotations, threads, apart=prepared.apart)
    note = explain_nothing(reuse, collection.side, question.min_pair_length)
    return reuse if note is None else dataclasses.replace(reuse, summary={**reuse.summary, NOTE: note})


def write_tables(
    question: Question,
    update: Path | None,
    formats: Sequence[str],
    left_out: dict[str, Any],
    outputs: SearchOutputs,
    folder: Path,
    resources: Resources,
) -> None:
    """Write the tables in the first of the ``formats``, and the others beside them.

    The summary has the counts of what was ``left_out`` of the input, too.
    """
    reuse = gather_tables(question, update, outputs, resources.workers)
    reuse.summary.update(left_out)
    resources.tell("writing", 0, None)
    write_reuse(reuse, folder, formats[0])
    for export in dict.fromkeys(formats[1:]):
        export_reuse(reuse, folder, export)
