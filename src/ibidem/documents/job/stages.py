"""The stages that deduplicate documents: of a call, of files by one process, and of a plan.

1. *read*: one task a part. Documents that resemble one of an index are listed, if there is an index. The others become
   digests. A plan also leaves a record for each band of each, and sorted hashes.
2. *texts*: one task. Ids are compared over all parts, and documents of the same text found.
3. *compare*: one task a range of hash values. Texts that share a bucket are candidates, and these are compared.
4. *choose*: one task. Links become clusters, and each document is kept or removed.
5. *write*: one task a part. The kept documents and the list of removed ones are written.
6. *commit*: one task. All files that were written get their names at one instant.

A Python call ends with the choice. A ``DedupJob`` says what is read, a ``DedupFileJob`` also where it is written.
"""

import heapq
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.corpus.distinct_ids import find_repeated_id
from ibidem.corpus.failures import Failures
from ibidem.documents.candidates import find_candidates
from ibidem.documents.choices import Choices
from ibidem.documents.digests import Digests
from ibidem.documents.index import DocumentIndex
from ibidem.documents.job.against import NewDocuments, OldDocument, filter_batches, number_new
from ibidem.documents.job.band_records import BandRecordsWriter, find_company
from ibidem.documents.job.choosing import Choice, Take, choose_documents
from ibidem.documents.job.chosen import ChosenDocuments, ChosenWriter, PartOutcome
from ibidem.documents.job.comparison import PairComparer, RangeLinks, gather_signatures
from ibidem.documents.job.distinct_texts import DistinctTexts, open_numbers, write_texts
from ibidem.documents.job.outcome import Counts, write_cluster_rows, write_summary
from ibidem.documents.job.outcome_files import InputFile, write_outcome_files
from ibidem.documents.job.reading import ReadDocuments, make_digests, make_spool, open_read, save_read, write_hashes
from ibidem.documents.large_buckets import Links
from ibidem.documents.signatures import Shingler
from ibidem.engine.outputs import open_as, save_output
from ibidem.jobs.kept import FileJob
from ibidem.jobs.reading import write_failures
from ibidem.jobs.stage import COMMIT, Stage, count_one, count_parts
from ibidem.keep_policy import Keep
from ibidem.parallel import in_order
from ibidem.resources import Resources
from ibidem.system import disk
from ibidem.text import Documents

KEPT, REMOVED, CLUSTERS, SUMMARY = "kept", "removed.jsonl", "clusters.csv", "summary.json"

_BUCKET_BYTES = 80
"""Memory that a document takes while the buckets of a band are made."""


class DedupJob:
    """The documents that the stages deduplicate: those of batches, which are read once.

    Attributes:
        choices: what is a near-duplicate, and which of them stays.
        parts: how many parts the input has.
        alone: whether documents are compared with an index alone, and not with each other.
        ranges: how many tasks compare documents, each those of some hash values, where tasks of several processes find
            what is theirs in files. ``None`` where one process holds a few numbers a document.
        failures: what could not be read, of the part that was opened last; ``None`` if that would have been an error.
    """

    parts: int = 1
    alone: bool = False
    ranges: int | None = None
    failures: Failures | None = None

    def __init__(self, choices: Choices, batches: Iterable[Documents] = ()) -> None:
        self.choices, self._batches = choices, batches

    def open_part(self, part: int, resources: Resources) -> NewDocuments:
        """The documents of a part."""
        return NewDocuments(self._batches, None, self.choices)


class DedupFileJob(FileJob, DedupJob, ABC):
    """The deduplication of files.

    Attributes:
        adds: whether what is kept is added to the index.
    """

    adds: bool = False

    @abstractmethod
    def open_index(self) -> DocumentIndex | None:
        """The index that documents are compared with first, if there is one."""

    def open_part(self, part: int, resources: Resources) -> NewDocuments:
        """The documents of a part that resemble none of the index."""
        return NewDocuments(self.read_files(part, resources), self.open_index(), self.choices, new_ids=self.adds)

    @abstractmethod
    def add_kept(self, workspace: Any, resources: Resources) -> None:
        """Add the kept documents to the index, if that is requested and was not done by a call that was interrupted."""

    def commit(self, workspace: Any, folder: Path, resources: Resources) -> None:
        """Make the output, and add the kept documents to the index if that is requested."""
        parts = [workspace.output(WRITE.name, part) for part in range(self.parts)]

        def fill(target: Path) -> None:
            self.join_kept([part / KEPT for part in parts], target / KEPT)
            self.join_lists([part / REMOVED for part in parts], target / REMOVED)
            for name in (CLUSTERS, SUMMARY):
                disk.link(workspace.load(CHOOSE) / name, target / name)

        self.make_result(folder, fill, lambda: self.add_kept(workspace, resources))


def _read(workspace: Any, part: int, folder: Path, resources: Resources) -> ReadDocuments:
    """Make the digests of the documents of a part; where several processes compare them, also records and hashes."""
    job: DedupJob = workspace.job
    new, spool = job.open_part(part, resources), make_spool(folder, job.choices)
    records = None if job.ranges is None else BandRecordsWriter(folder, job.ranges)
    for digest in make_digests(new, job.choices, resources):
        spool.append(digest)
        if records is not None:
            records.append(digest.bands)
        resources.tell("reading", spool.rows, None)
    spool.counts = new.counts
    if records is not None:
        records.finish()
        write_hashes(spool, folder, resources.memory // 4)
    write_failures(folder, job.failures)
    return ReadDocuments(spool, lambda: new.old)


def open_digests(workspace: Any) -> Digests:
    """The digests of all documents."""
    return Digests([workspace.load(READ, part).digests for part in range(count_parts(workspace))])


def _list_read(workspace: Any) -> list[Path]:
    """The folders of the tasks that read, of a plan."""
    return [workspace.output(READ.name, part) for part in range(count_parts(workspace))]


def _find_texts(workspace: Any, number: int, folder: Path, resources: Resources) -> DistinctTexts:
    """Find the distinct texts of all documents."""
    job: DedupJob = workspace.job
    digests, memory = open_digests(workspace), resources.memory // 2
    if job.ranges is None:
        digests.require_distinct_ids()
    elif (repeated := find_repeated_id(_list_read(workspace), memory)) is not None:
        digests.refuse_repeated_id(repeated)
    digests.require_values(job.choices.keep, Keep.parse(job.choices.keep).columns)
    if job.ranges is None:
        return DistinctTexts.find(digests.column("contents"), digests.lengths())
    write_texts(_list_read(workspace), digests.starts, folder, memory)
    return DistinctTexts.open(folder)


def _count_ranges(workspace: Any) -> int:
    job: DedupJob = workspace.job
    if job.alone:
        return 0
    return 1 if job.ranges is None else job.ranges


def _compare(workspace: Any, number: int, folder: Path, resources: Resources) -> RangeLinks:
    """Find the links among the texts that share a bucket of a range of hash values."""
    job: DedupJob = workspace.job
    choices, digests, texts = job.choices, open_digests(workspace), workspace.load(TEXTS)
    if job.ranges is None:
        numbers = np.arange(len(texts.rows))
        cuts = 1 + _BUCKET_BYTES * len(numbers) * resources.workers // resources.memory
        cut = range(cuts)
    else:
        known_numbers = open_numbers(workspace.output(TEXTS.name))
        numbers = find_company(_list_read(workspace), digests.starts, number, known_numbers)
        cuts, cut = job.ranges, range(number, number + 1)
    documents = gather_signatures(digests, texts.rows[numbers], choices.least_agreeing)
    tasks = [(band, each) for band in range(choices.banding.bands) for each in cut]
    links, large = [], []
    with resources.pool() as pool:
        compare = PairComparer(digests, texts.rows, texts.lengths, choices, resources, pool)
        candidates = in_order(pool, lambda task: find_candidates(documents, *task, cuts), tasks, resources.workers)
        for done, ((band, _), each) in enumerate(zip(tasks, candidates, strict=True), 1):
            pairs = numbers[each.pairs]
            links.append(Links(pairs, compare(pairs, choices.threshold)).select(choices.threshold))
            large += [(band, numbers[members]) for members in each.large_buckets()]
            resources.tell("comparing", done, len(tasks))
    return RangeLinks(Links.concatenate(links), large, compare.count)


def choose(workspace: Any, take: Take, folder: Path, resources: Resources) -> int:
    """Decide which documents stay, pass them to ``take``, and return how many pairs were compared in all."""
    job: DedupJob = workspace.job
    choices, digests, texts = job.choices, open_digests(workspace), workspace.load(TEXTS)

    def read_ranges() -> Iterator[RangeLinks]:
        return (workspace.load(COMPARE, each) for each in range(_count_ranges(workspace)))

    with resources.pool() as pool:
        compare = PairComparer(digests, texts.rows, texts.lengths, choices, resources, pool)
        compare.count = sum(each.compared for each in read_ranges())
        if not job.alone:
            choice = Choice(digests, texts, choices.rules, compare, choices.least_agreeing, resources.memory // 4)
            choose_documents(choice, read_ranges, take, folder)
    return compare.count


def _choose(workspace: Any, number: int, folder: Path, resources: Resources) -> Path:
    """Decide which documents stay, and write the files about the whole collection; return their folder."""
    job: DedupFileJob = workspace.job
    digests, memory = open_digests(workspace), resources.memory // 4
    with TemporaryDirectory(dir=folder) as aside:
        chosen = ChosenWriter(digests, Path(aside), folder, memory)
        compared = choose(workspace, chosen.append, folder, resources)
        write_cluster_rows(folder / CLUSTERS, chosen.read_clusters())
    old = [_read_old(workspace, part) for part in range(job.parts)]
    in_index = sum(map(len, old))
    counts = Counts(
        documents=digests.rows + in_index,
        kept=digests.rows - chosen.removed,
        in_index=in_index,
        exact_duplicates=chosen.exact,
        near_duplicates=chosen.removed - chosen.exact,
        clusters=chosen.clusters,
        pairs_compared=compared,
        **job.count_left_out(),
    )
    short = _list_ids(digests, range(1, Shingler(job.choices.shingle).width), old, lambda each: each.short)
    empty = _list_ids(digests, range(1), old, lambda each: each.empty)
    write_summary(folder / SUMMARY, counts, short, empty)
    return folder


def _read_old(workspace: Any, part: int) -> dict[int, OldDocument]:
    """The documents of a part that resemble one of the index, by their number in the part."""
    old: dict[int, OldDocument] = workspace.load(READ, part).read_old()
    return old


def _list_ids(
    digests: Digests, lengths: range, old: list[dict[int, OldDocument]], is_listed: Callable[[OldDocument], bool]
) -> Iterator[str]:
    """The ids of the documents with so many tokens and of ``old`` ones that are listed, in the order of the input."""
    for part, (spool, apart) in enumerate(zip(digests.spools, old, strict=True)):
        numbers = np.flatnonzero(number_new(spool.rows, apart) >= 0) if apart else None
        outside_documents = iter([(row, each.document) for row, each in sorted(apart.items()) if is_listed(each)])
        yield from (name for _, name in heapq.merge(_list_new(digests, part, lengths, numbers), outside_documents))


def _list_new(
    digests: Digests, part: int, lengths: range, numbers: NDArray[np.int64] | None
) -> Iterator[tuple[int, str]]:
    """The documents of a part with so many tokens: ``numbers`` gives for each its number in the part, and its id."""
    start = int(digests.starts[part])
    for block in digests.blocks(part):
        rows = block.first + np.flatnonzero((block.lengths >= lengths.start) & (block.lengths < lengths.stop))
        places = rows - start if numbers is None else numbers[rows - start]
        yield from zip(places.tolist(), digests.ids(rows), strict=True)


def _write(workspace: Any, part: int, folder: Path, resources: Resources) -> None:
    """Write the kept documents of the files of a part, and the list of the removed ones."""
    job: DedupFileJob = workspace.job
    reading, outcome = job.open_files(part, resources), open_outcome(workspace, part)
    counts = workspace.load(READ, part).digests.counts
    files, row = [], 0
    for file, count, place in zip(reading.files, counts, job.place_kept(part, folder / KEPT), strict=True):
        if not count and file.failures is not None and file.failures.lacks_rest(file):
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        files.append(InputFile(file, row, count, place))
        row += count
    write_outcome_files(files, reading.columns, outcome, folder / REMOVED, resources)


def open_outcome(workspace: Any, part: int) -> PartOutcome:
    """Open the decisions on the documents of a part."""
    chosen = ChosenDocuments(workspace.load(CHOOSE), open_digests(workspace), part)
    return PartOutcome.of(chosen, _read_old(workspace, part))


def read_kept(workspace: Any, resources: Resources) -> Iterator[Documents]:
    """The documents that are kept."""
    job: DedupFileJob = workspace.job
    for part in range(job.parts):
        yield from filter_batches(job.open_files(part, resources), open_outcome(workspace, part).kept)


def has_all_kept(workspace: Any, index: DocumentIndex) -> bool:
    """Whether an index has all documents that are kept."""
    ids, digests = index.ids(), open_digests(workspace)
    for part, start in enumerate(digests.starts[:-1]):
        is_kept = ChosenDocuments(workspace.load(CHOOSE), digests, part).kept
        if not ids.issuperset(digests.ids(start + np.flatnonzero(is_kept))):
            return False
    return True


READ = Stage("read", count_parts, _read, bulky=True, save=save_read, open=open_read)
TEXTS = Stage("texts", count_one, _find_texts, bulky=True, open=DistinctTexts.open)
COMPARE = Stage("compare", _count_ranges, _compare, bulky=True, save=save_output, open=open_as(RangeLinks))
CHOOSE = Stage("choose", count_one, _choose, bulky=True)
WRITE = Stage("write", count_parts, _write, bulky=True)

STAGES = [READ, TEXTS, COMPARE, CHOOSE, WRITE, COMMIT]
