"""The stages that find reuse: of a call, and of a plan, to the same bytes.

1. *read*: one task a part. Documents become tokens, and both are kept.
2. *collect*: one task. Documents are put in the order of their ids, tokens are numbered and weighed, and what counts as
   absent is taken out.
3. *join*: a task for each band, or a range of its keys, and for rare tokens. Windows that agree in it and are similar
   become seeds.
4. *boxes*: one task. Seeds become boxes, by pairs of documents.
5. *align*: a task for some pairs of documents. Boxes become pairs of passages.
6. *gather*: one task. Pairs become passages, clusters and tables.
7. *commit*: one task. The tables get their name at one instant.

A Python call ends with the gathered tables. A ``ReuseJob`` says what is read, and where the tables go.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ibidem.corpus.failures import Failures
from ibidem.engine.outputs import map_zeros, open_as, save_output
from ibidem.jobs.reading import write_failures
from ibidem.jobs.stage import COMMIT, Stage, count_one, count_parts
from ibidem.resources import Resources
from ibidem.reuse.boxes import KnownBoxes, merge_seeds, select_pairs, thin_crowded
from ibidem.reuse.collection import TOKENS, Collection, Comparable, assemble_collection, count_blocks, weigh_windows
from ibidem.reuse.evident import require_evidence
from ibidem.reuse.exclusions import leave_own_out
from ibidem.reuse.gathering import ReasonedPairs, gather_reuse, judge_boxes, part_by_series
from ibidem.reuse.job.collected import (
    FACTS_FILE,
    LIGHTEST_FILE,
    Collected,
    add_documents,
    open_collected,
    prepare_collection,
    read_facts,
    save_collected,
)
from ibidem.reuse.job.found import COUNTS_FILE, BoxCounts, Boxed, concatenate_pairs, read_counts, save_boxes
from ibidem.reuse.join import Seeds
from ibidem.reuse.outputs.earlier import EarlierRun, JudgedPairs
from ibidem.reuse.outputs.result import Reuse
from ibidem.reuse.question import Question
from ibidem.reuse.reading.parts import PartReader, ReadPart, read_part
from ibidem.reuse.windows import (
    FoundBoxes,
    KeyRange,
    count_joins,
    expect_records,
    join_band,
    limit_compared_runs,
    plan_bands,
)
from ibidem.store.files.columns import ColumnWriter
from ibidem.store.files.growing import GrowingColumn
from ibidem.text import Collection as AnyCollection
from ibidem.text import Documents, as_batches, make_tokenizer

_RECORDS_OF_TASK = 1 << 27
"""Records of windows that one task joins: 3 GB, in files where memory does not hold them."""

_KNOWN_SHARE = 16
"""The part of the memory that boxes of other bands may take in a task of a plan."""

_PAIRS_OF_TASK = 256
"""Pairs of documents that one task aligns."""


class ReuseJob:
    """The search for reuse in documents as a caller has them: one collection, or two that are compared with each other.

    Attributes:
        question: what is asked.
        parts: how many parts the input has.
        apart: whether two collections are compared with each other.
        earlier: a run on a part of the documents, whose pairs are taken as they were, if there is one.
        pair: the ids of two documents, if it is asked why these share what they do.
        is_cut: whether joins and alignments are cut into tasks for several processes, which share files.
        failures: what could not be read, of the part that was opened last; ``None`` if that would have been an error.
    """

    parts: int = 1
    pair: tuple[str, str] | None = None
    is_cut: bool = False
    failures: Failures | None = None

    def __init__(self, sides: Sequence[AnyCollection], question: Question, earlier: EarlierRun | None = None) -> None:
        if earlier is not None:
            require_updatable(earlier, question, apart=len(sides) > 1)
        self.question, self.earlier, self.apart = question, earlier, len(sides) > 1
        self._sides = sides

    def open_part(self, part: int, resources: Resources) -> dict[int, Iterable[Documents]]:
        """The documents of a part by their side, 0 or 1."""
        return {side: as_batches(documents) for side, documents in enumerate(self._sides)}

    def keep_result(self, reuse: Reuse, folder: Path) -> None:
        """Write the tables, if that is asked for."""
        return


def require_updatable(earlier: EarlierRun, question: Question, *, apart: bool) -> None:
    """Refuse to update a run that asked something else, or with two collections that are kept ``apart``.

    Raises:
        ConfigurationError: it asked something else.
        ValueError: there are two collections.
    """
    earlier.require_settings(question.describe())
    if apart:
        raise ValueError("only a run on one collection can be updated: leave out against")


def _read(workspace: Any, part: int, folder: Path, resources: Resources) -> ReadPart:
    """Read the documents of a part and their tokens."""
    job: ReuseJob = workspace.job
    reader = PartReader(folder, make_tokenizer(job.question.tokenizer))
    for side, batches in job.open_part(part, resources).items():
        reader.read(batches, side, resources)
    if job.is_cut:
        reader.finish()
    write_failures(folder, job.failures)
    return reader.part()


def _read_parts(workspace: Any) -> list[ReadPart]:
    return [workspace.load(READ, part) for part in range(count_parts(workspace))]


def _collect(workspace: Any, number: int, folder: Path, resources: Resources) -> Collected:
    """Number and weigh the tokens of all parts, and plan what depends on them."""
    job: ReuseJob = workspace.job
    question, earlier, join = job.question, job.earlier, job.question.join
    writer = (ColumnWriter if job.is_cut else GrowingColumn)(folder, TOKENS)
    read = assemble_collection(_read_parts(workspace), writer, None if earlier is None else earlier.rarity)
    if job.is_cut:
        writer.finish()
    collection = prepare_collection(read, question, folder, earlier, resources.workers)
    bands = plan_bands(collection, join._replace(bands=None if earlier is None else earlier.bands))
    count = count_blocks(collection.tokens)
    lightest = map_zeros(folder / LIGHTEST_FILE, np.float64, count) if job.is_cut else np.empty(count)
    weigh_windows(collection.tokens, collection.bounds, collection.idf, join.window, lightest)
    return Collected(
        collection=collection,
        unchanged=np.zeros(len(collection), np.bool_) if earlier is None else earlier.find_unchanged(collection),
        lightest=lightest,
        bands=bands,
        ranges=max(1, -(-expect_records(collection, join, bands) // _RECORDS_OF_TASK)) if job.is_cut else 1,
    )


def _load_collected(workspace: Any) -> Collected:
    """The collection without ids and texts, which one process opens once for all of its tasks."""
    collected: Collected = workspace.hold("collected", lambda: workspace.load(COLLECT))
    return collected


def load_documents(workspace: Any) -> Collection:
    """The collection with ids and texts."""
    collection = _load_collected(workspace).collection
    return add_documents(collection, _read_parts(workspace)) if workspace.job.is_cut else collection


def _count_joins(workspace: Any) -> int:
    job: ReuseJob = workspace.job
    # The facts stay when all else that a task left is gone.
    collected = read_facts(workspace.output(COLLECT.name)) if job.is_cut else _load_collected(workspace)
    return collected.ranges * count_joins(collected.bands, weaker=True)


def _join(workspace: Any, number: int, folder: Path, resources: Resources) -> Seeds:
    """Find the similar windows of a band whose keys lie in one range."""
    job: ReuseJob = workspace.job
    collection, _, _, bands, ranges = collected = _load_collected(workspace)
    join, known = job.question.join, workspace.hold("known boxes", _Known)
    comparable = workspace.hold("comparable", lambda: _compare(job, collected))
    room = resources.memory // _KNOWN_SHARE if job.is_cut else None
    boxes = known.update(workspace, collection, join.window, room)
    keys = KeyRange(*divmod(number, ranges), ranges)
    seeds = join_band(collection, comparable, join, bands, keys, boxes, folder, resources)
    resources.tell("joining", number + 1, _count_joins(workspace))
    return seeds


def _compare(job: ReuseJob, collected: Collected) -> Comparable:
    """The collection as the join reads it: the sides of two collections, or what an earlier run compared, apart."""
    collection = collected.collection
    side = collection.side if job.apart else np.where(collected.unchanged, 0, -1)
    comparable = Comparable(
        collection.tokens,
        collection.bounds,
        collection.idf,
        job.question.join.window,
        side.astype(np.int32),
        job.question.within,
        collected.lightest,
        collection.ranks,
    )
    return require_evidence(comparable, collection, job.question.join)


class _Known:
    """The boxes of the bands that are done, as many as memory holds.

    Seeds within a known box change nothing, so whatever is known here, the boxes of all bands together are the same.
    Only the work is less.
    """

    def __init__(self) -> None:
        self._tasks: set[int] = set()
        self._boxes = np.empty((0, 4), np.int64)

    def update(self, workspace: Any, collection: Collection, window: int, room: int | None) -> KnownBoxes:
        """Take in the boxes of tasks that were done since."""
        parts = [self._boxes]
        for task in sorted(workspace.done(JOIN.name) - self._tasks):
            boxes = workspace.load(JOIN, task).boxes
            if room is not None and sum(part.nbytes for part in parts) + boxes.nbytes > room:
                break
            self._tasks.add(task)
            parts.append(boxes)
        boxes_of_bands = merge_seeds(np.concatenate(parts), collection.bounds, window)
        self._boxes = boxes_of_bands.boxes
        return KnownBoxes.of(boxes_of_bands, collection.bounds)


def _box(workspace: Any, number: int, folder: Path, resources: Resources) -> Boxed:
    """Join the seeds that lie near each other."""
    job: ReuseJob = workspace.job
    collected = _load_collected(workspace)
    collection, join = collected.collection, job.question.join
    if job.question.series is not None:
        collection = load_documents(workspace)
    seeds = [workspace.load(JOIN, each) for each in range(_count_joins(workspace))]
    boxes = merge_seeds(np.concatenate([each.boxes for each in seeds]), collection.bounds, join.window)
    most = limit_compared_runs(collection, join, collected.bands)
    thinned = thin_crowded(boxes, collection.bounds, collection.ranks, most, join.window)
    new = leave_own_out(thinned.boxes, collected.unchanged)
    kept, same_series = part_by_series(collection, job.question, new)
    candidates, crowded = sum(each.candidates for each in seeds), sum(each.crowded_groups for each in seeds)
    return Boxed(kept, same_series, thinned.crowded, BoxCounts(len(kept.pairs), candidates, crowded))


def _count_alignments(workspace: Any) -> int:
    job: ReuseJob = workspace.job
    return -(-read_counts(workspace.output(BOXES.name)).pairs // _PAIRS_OF_TASK) if job.is_cut else 1


def _align(workspace: Any, number: int, folder: Path, resources: Resources) -> ReasonedPairs:
    """Find the pairs of passages of some pairs of documents."""
    job: ReuseJob = workspace.job
    boxes = workspace.load(BOXES).kept
    if job.is_cut:
        boxes = select_pairs(boxes, number * _PAIRS_OF_TASK, (number + 1) * _PAIRS_OF_TASK)
    return judge_boxes(_load_collected(workspace).collection, job.question, boxes, resources)


def _gather(workspace: Any, number: int, folder: Path, resources: Resources) -> Reuse:
    """Make the tables."""
    job: ReuseJob = workspace.job
    _, unchanged, _, bands, _ = _load_collected(workspace)
    collection = load_documents(workspace)
    kept, same_series, crowded, counts = workspace.load(BOXES)
    tasks = range(_count_alignments(workspace))
    judged = JudgedPairs(*concatenate_pairs([workspace.load(ALIGN, each) for each in tasks]), same_series)
    if job.earlier is not None:
        judged = job.earlier.add_to(judged, collection, unchanged)
    boxes = FoundBoxes(kept, bands, counts.candidates, counts.crowded, crowded)
    reuse = gather_reuse(collection, job.question, boxes, judged, resources.workers, apart=job.apart)
    job.keep_result(reuse, folder)
    return reuse


READ = Stage("read", count_parts, _read, bulky=True, open=read_part)
COLLECT = Stage(
    "collect", count_one, _collect, bulky=True, kept=(FACTS_FILE,), save=save_collected, open=open_collected
)
JOIN = Stage("join", _count_joins, _join, bulky=True, save=save_output, open=open_as(Seeds))
BOXES = Stage("boxes", count_one, _box, bulky=True, kept=(COUNTS_FILE,), save=save_boxes, open=open_as(Boxed))
ALIGN = Stage("align", _count_alignments, _align, bulky=True, save=save_output, open=open_as(ReasonedPairs))
GATHER = Stage("gather", count_one, _gather, bulky=True)

STAGES = [READ, COLLECT, JOIN, BOXES, ALIGN, GATHER, COMMIT]
