"""The stages that find reuse: the same bytes as ``ibidem reuse`` writes, whoever does which task.

1. *read*: one task a part. Documents become tokens, and both are kept.
2. *collect*: one task. Documents are put in the order of their ids, and tokens numbered and weighed.
3. *join*: a task for each band, or a range of its keys. Windows are hashed, and those that agree and are similar become
   seeds.
4. *boxes*: one task. Seeds become boxes, by pairs of documents.
5. *align*: a task for some pairs of documents. Boxes become pairs of passages.
6. *gather*: one task. Pairs become passages, clusters and tables.
7. *commit*: one task. The tables get their name at one instant.
"""

from pathlib import Path
from typing import Any

import numpy as np

from ibidem.corpus.reading import read_sources
from ibidem.hashing import GOLDEN
from ibidem.jobs.reading import InputSettings, join_failures, open_shards, write_failures
from ibidem.jobs.result import commit_result, link_tree
from ibidem.jobs.stage import Stage
from ibidem.jobs.workspace import Workspace
from ibidem.parallel import in_order
from ibidem.resources import Resources
from ibidem.reuse.boxes import KnownBoxes, merge_seeds, thin_crowded
from ibidem.reuse.collection import Collection, Comparable
from ibidem.reuse.exclusions import reasons_of
from ibidem.reuse.find import Question, gather_reuse, part_by_series
from ibidem.reuse.job.collected import (
    FACTS_FILE,
    CollectedFacts,
    add_documents,
    open_collection,
    read_facts,
    read_lightest,
    write_collection,
    write_facts,
    write_lightest,
)
from ibidem.reuse.job.found import (
    COUNTS_FILE,
    BoxCounts,
    read_boxes,
    read_counts,
    read_pairs,
    read_seeds,
    write_boxes,
    write_counts,
    write_pairs,
    write_seeds,
)
from ibidem.reuse.outputs.earlier import JudgedPairs
from ibidem.reuse.outputs.exports import export_reuse
from ibidem.reuse.outputs.folder import write_reuse
from ibidem.reuse.pairs import align_boxes
from ibidem.reuse.reading.parts import PartReader, ReadPart, read_part
from ibidem.reuse.records.parts import RecordParts
from ibidem.reuse.records.records import Records
from ibidem.reuse.windows import (
    Found,
    cut_ranges,
    expect_records,
    join_parts,
    make_hasher,
    most_compared,
    plan_bands,
)
from ibidem.text import make_tokenizer

__all__ = ["STAGES", "ReuseSettings", "select_range"]

READ, COLLECT, JOIN, BOXES, ALIGN, GATHER, COMMIT = "read", "collect", "join", "boxes", "align", "gather", "commit"

_RESULT = "result"

_RECORDS_OF_TASK = 1 << 27
"""Records of windows that one task joins: 3 GB, in files where memory does not hold them."""

_KNOWN_SHARE = 16
"""The part of the memory that boxes of other bands may take."""

_PAIRS_OF_TASK = 256
"""Pairs of documents that one task aligns."""

_SHIFT = np.uint64(20)
"""The first bits of a key's product say which part of a join it is in; these are others."""


class ReuseSettings(InputSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What finding reuse is planned with.

    Attributes:
        question: the fields of ``Question``, the tokenizer as a configuration.
        others: the first of the shards that the rest are compared with; ``None`` for one collection.
        format, also: of the tables, and the formats beside them.
    """

    question: dict[str, Any]
    others: int | None = None
    format: str = "parquet"
    also: tuple[str, ...] = ()

    @classmethod
    def of(cls, workspace: Workspace) -> "ReuseSettings":
        """Those of a plan."""
        return workspace.plan.read_settings(cls)

    def make_question(self) -> Question:
        """What is asked."""
        return Question.of(**self.question)


def _count_parts(workspace: Workspace) -> int:
    return len(workspace.plan.parts)


def _read(workspace: Workspace, part: int, target: Path, resources: Resources) -> None:
    """Write the documents of a part and their tokens."""
    settings = ReuseSettings.of(workspace)
    failures = settings.make_failures()
    sources = open_shards(workspace.plan.shards_of(part), failures)
    first, _ = workspace.plan.parts[part]
    side = int(settings.others is not None and first >= settings.others)
    reader = PartReader(target, make_tokenizer(settings.make_question().tokenizer))
    reader.read(read_sources(sources, settings.columns, resources.batch_bytes), side, resources)
    reader.finish()
    write_failures(target, failures)


def _read_parts(workspace: Workspace) -> list[ReadPart]:
    return [read_part(workspace.output(READ, part)) for part in range(_count_parts(workspace))]


def _collect(workspace: Workspace, number: int, target: Path, resources: Resources) -> None:
    """Number and weigh the tokens of all parts, and plan what depends on them."""
    question = ReuseSettings.of(workspace).make_question()
    join = question.join
    collection = write_collection(_read_parts(workspace), question, target)
    bands = plan_bands(collection, join)
    expected = expect_records(collection, join, bands)
    facts = CollectedFacts(
        mean=collection.rarity.mean.hex(),
        least=collection.subtracted.least,
        bands=None if bands is None else (bands.bands, bands.functions, bands.window),
        ranges=max(1, -(-expected // _RECORDS_OF_TASK)),
    )
    write_facts(target, facts)
    write_lightest(target, collection, join.window)


def _facts(workspace: Workspace) -> CollectedFacts:
    return read_facts(workspace.output(COLLECT))


def _open_collection(workspace: Workspace) -> Collection:
    """The collection without ids and texts, which one rank opens once for all of its tasks."""
    return workspace.hold(COLLECT, lambda: open_collection(workspace.output(COLLECT)))


def _join(workspace: Workspace, number: int, target: Path, resources: Resources) -> None:
    """Find the similar windows of a band whose keys lie in one range."""
    settings, facts, collection = ReuseSettings.of(workspace), _facts(workspace), _open_collection(workspace)
    join = settings.make_question().join
    band, keys = divmod(number, facts.ranges)
    given, known = _comparable(workspace, collection, settings), _read_known(workspace, collection, join.window)
    most = most_compared(collection, join, facts.windows)
    make = make_hasher(collection, join, facts.windows, band)
    runs = RecordParts(target, -(-expect_records(collection, join, facts.windows) // facts.ranges), resources)
    with resources.pool() as pool:
        for records in in_order(pool, make, cut_ranges(collection.bounds), resources.workers):
            runs.append(select_range(records, keys, facts.ranges))
        write_seeds(target, join_parts(pool, runs, given, join.threshold, most, resources, known))


def select_range(records: Records, number: int, ranges: int) -> Records:
    """The records whose keys lie in range ``number`` of so many."""
    if ranges == 1:
        return records
    of = ((records.keys * GOLDEN) >> _SHIFT) % np.uint64(ranges)
    return records.take(np.flatnonzero(of == np.uint64(number)))


def _comparable(workspace: Workspace, collection: Collection, settings: ReuseSettings) -> Comparable:
    question = settings.make_question()
    side = np.full(len(collection), -1, np.int32) if settings.others is None else collection.side.astype(np.int32)
    lightest = read_lightest(workspace.output(COLLECT))
    return Comparable(
        collection.tokens,
        collection.bounds,
        collection.idf,
        question.join.window,
        side,
        question.within,
        lightest,
        collection.ranks,
    )


def _read_known(workspace: Workspace, collection: Collection, window: int) -> KnownBoxes:
    """The boxes of the bands that are done, as many as memory holds.

    What lies within a box would change nothing, so whatever is known here, the boxes of all bands together are the
    same. Only the work is less.
    """
    room = workspace.plan.memory // _KNOWN_SHARE
    found = [np.empty((0, 4), np.int64)]
    for task in sorted(workspace.done(JOIN)):
        boxes = read_seeds(workspace.output(JOIN, task)).boxes
        room -= boxes.nbytes
        if room < 0:
            break
        found.append(boxes)
    return KnownBoxes.of(merge_seeds(np.concatenate(found), collection.bounds, window), len(collection))


def _box(workspace: Workspace, number: int, target: Path, resources: Resources) -> None:
    """Join the seeds that lie near each other."""
    facts, question = _facts(workspace), ReuseSettings.of(workspace).make_question()
    collection = _open_collection(workspace)
    if question.series is not None:
        collection = add_documents(collection, _read_parts(workspace))
    tasks = range(facts.num_bands * facts.ranges)
    seeds = [read_seeds(workspace.output(JOIN, each)) for each in tasks]
    boxes = merge_seeds(np.concatenate([each.boxes for each in seeds]), collection.bounds, question.join.window)
    most = most_compared(collection, question.join, facts.windows)
    thinned = thin_crowded(boxes, collection.bounds, collection.ranks, most, question.join.window)
    kept, same_series = part_by_series(collection, question, thinned.boxes)
    write_boxes(target, "kept", kept)
    write_boxes(target, "series", same_series)
    write_boxes(target, "crowded", thinned.taken)
    counts = BoxCounts(len(kept.pairs), sum(each.candidates for each in seeds), sum(each.crowded for each in seeds))
    write_counts(target, counts)


def _count_alignments(workspace: Workspace) -> int:
    return -(-read_counts(workspace.output(BOXES)).pairs // _PAIRS_OF_TASK)


def _align(workspace: Workspace, number: int, target: Path, resources: Resources) -> None:
    """Find the pairs of passages of some pairs of documents."""
    question, collection = ReuseSettings.of(workspace).make_question(), _open_collection(workspace)
    first = number * _PAIRS_OF_TASK
    boxes = read_boxes(workspace.output(BOXES), "kept", first, first + _PAIRS_OF_TASK)
    exact = question.recall >= 1
    pairs = align_boxes(collection, boxes, question.threshold, question.min_length, resources, exact=exact)
    write_pairs(target, pairs, reasons_of(collection, pairs))


def _gather(workspace: Workspace, number: int, target: Path, resources: Resources) -> None:
    """Write the tables."""
    settings, facts = ReuseSettings.of(workspace), _facts(workspace)
    question, collection = settings.make_question(), _open_collection(workspace)
    collection = add_documents(collection, _read_parts(workspace))
    folder = workspace.output(BOXES)
    kept, series, crowded = (read_boxes(folder, name) for name in ("kept", "series", "crowded"))
    counts = read_counts(folder)
    pairs, reasons = read_pairs([workspace.output(ALIGN, each) for each in range(_count_alignments(workspace))])
    found = Found(kept, facts.windows, counts.candidates, counts.crowded, crowded)
    judged = JudgedPairs(pairs, reasons, series)
    reuse = gather_reuse(collection, question, found, judged, apart=settings.others is not None)
    if failures := join_failures(workspace):
        reuse.summary.update(rows_left_out=failures.rows, files_left_out=failures.files)
    (target / _RESULT).mkdir()
    write_reuse(reuse, target / _RESULT, settings.format)
    for export in dict.fromkeys(settings.also):
        export_reuse(reuse, target / _RESULT, export)


def _commit(workspace: Workspace, number: int, target: Path, resources: Resources) -> None:
    """Give the output its name."""
    made = workspace.output(GATHER) / _RESULT
    commit_result(workspace.plan, target, lambda folder: link_tree(made, folder))


def _count_joins(workspace: Workspace) -> int:
    facts = _facts(workspace)
    return facts.num_bands * facts.ranges


STAGES = [
    Stage(READ, _count_parts, _read, bulky=True),
    Stage(COLLECT, lambda workspace: 1, _collect, bulky=True, kept=(FACTS_FILE,)),
    Stage(JOIN, _count_joins, _join, bulky=True),
    Stage(BOXES, lambda workspace: 1, _box, bulky=True, kept=(COUNTS_FILE,)),
    Stage(ALIGN, _count_alignments, _align, bulky=True),
    Stage(GATHER, lambda workspace: 1, _gather, bulky=True),
    Stage(COMMIT, lambda workspace: 1, _commit, bulky=False),
]
