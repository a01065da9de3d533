"""The stages that deduplicate files: the same bytes as ``ibidem dedup`` writes, whoever does which task.

1. *read*: one task a part. Documents that resemble one of an index are listed, if there is an index. The others become
   digests, and for each band of each there is a record.
2. *texts*: one task. Ids are compared over all parts, and documents of the same text found.
3. *compare*: one task a range of hash values. Texts that share a bucket are candidates, and these are compared.
4. *choose*: one task. Links become clusters, and each document is kept or removed.
5. *write*: one task a part. What is kept and what is removed is written.
6. *commit*: one task. All that was written gets its name at one instant.
"""

import heapq
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from ibidem.corpus.distinct_ids import find_repeated_id, write_id_hashes
from ibidem.corpus.failures import Failures
from ibidem.corpus.writing.filtering import CountedDocuments
from ibidem.corpus.writing.output_folder import names_below
from ibidem.documents.candidates import find_candidates
from ibidem.documents.column_spool import Spool
from ibidem.documents.dedup import Choices, make_digests
from ibidem.documents.index import DocumentIndex
from ibidem.documents.job.against import (
    NewDocuments,
    OldDocument,
    digest_state,
    filter_batches,
    hold_index,
    number_new,
    open_fitting,
)
from ibidem.documents.job.band_records import BandRecordsWriter, find_company
from ibidem.documents.job.choosing import Choosing, choose_documents
from ibidem.documents.job.chosen import ChosenDocuments, ChosenWriter, PartOutcome
from ibidem.documents.job.comparison import GatheredComparison, gather_signatures
from ibidem.documents.job.digests import SPOOL, SPOOL_ORIGIN, PartDigests, open_spools
from ibidem.documents.job.link_files import LinkFiles, save_links
from ibidem.documents.job.outcome import Counts, write_cluster_rows, write_summary
from ibidem.documents.job.outcome_files import InputFile, write_outcome_files
from ibidem.documents.job.text_files import TextFiles, write_content_hashes, write_texts
from ibidem.documents.keep_policy import Keep
from ibidem.documents.large_buckets import BandLinks, Links
from ibidem.documents.signatures import Shingler
from ibidem.errors import PlanError
from ibidem.jobs.plan import Plan
from ibidem.jobs.reading import InputSettings, join_failures, open_shards, read_failures, write_failures
from ibidem.jobs.result import append_file, commit_result, link_file
from ibidem.jobs.shards import sources_of
from ibidem.jobs.stage import Stage
from ibidem.jobs.workspace import Workspace
from ibidem.resources import Resources

__all__ = ["STAGES", "DedupSettings"]

READ, TEXTS, COMPARE, CHOOSE, WRITE, COMMIT = "read", "texts", "compare", "choose", "write", "commit"

_OLD = "old.json"

_KEPT, _REMOVED, _CLUSTERS, _SUMMARY = "kept", "removed.jsonl", "clusters.csv", "summary.json"


class DedupSettings(InputSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a deduplication is planned with.

    Attributes:
        choices: the fields of ``Choices``, the shingles as a configuration.
        ranges: how many tasks compare documents, each those of some hash values.
        against: the index that documents are compared with first, an absolute path or a URL, if there is one.
        state: what ``digest_state`` gives for that index; empty if there is none yet.
        add: whether what is kept goes into that index.
        alone: whether documents are compared with the index alone.
    """

    choices: dict[str, Any]
    ranges: int = 1
    against: str | None = None
    state: str = ""
    alone: bool = False
    add: bool = False

    @classmethod
    def of(cls, workspace: Workspace) -> "DedupSettings":
        """Those of a plan."""
        return workspace.plan.read_settings(cls)

    def make_choices(self) -> Choices:
        """What is a near-duplicate, and which of them stays."""
        return Choices(**self.choices)


def _count_parts(workspace: Workspace) -> int:
    return len(workspace.plan.parts)


def _count_ranges(workspace: Workspace) -> int:
    settings = DedupSettings.of(workspace)
    return 0 if settings.alone else settings.ranges


def _read(workspace: Workspace, part: int, target: Path, resources: Resources) -> None:
    """Write the digests of the documents of a part, and the records of their bands."""
    settings = DedupSettings.of(workspace)
    choices, failures = settings.make_choices(), settings.make_failures()
    reading = _open_part(workspace, part, resources, failures)
    new = NewDocuments(reading, _open_index(workspace), choices, new_ids=settings.add)
    (target / SPOOL).mkdir()
    spool = Spool(target / SPOOL, choices.num_hashes, choices.banding, len(Keep.parse(choices.keep).columns))
    records = BandRecordsWriter(target, settings.ranges)
    for digest in make_digests(new, choices, resources):
        spool.append(digest)
        records.append(digest.bands)
    spool.finish(SPOOL_ORIGIN, reading.counts)
    records.finish()
    (target / _OLD).write_bytes(msgspec.json.encode(list(new.old.items())))
    write_failures(target, failures)
    _write_hashes(spool, target, resources.memory // 4)


def _write_hashes(spool: Spool, target: Path, memory: int) -> None:
    """Write hashes of the ids and texts of a part, sorted."""

    # Columns are opened for each slice anew: pages that were read count as memory until a file is closed.
    def read_texts(rows: slice) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        bounds = spool.column("tokens_bounds")[rows.start : rows.stop + 1]
        return spool.column("contents")[rows], np.diff(bounds)

    write_id_hashes(target, spool.rows, lambda rows: spool.column("names")[rows], memory)
    write_content_hashes(target, spool.rows, read_texts, memory)


def _open_index(workspace: Workspace) -> DocumentIndex | None:
    """The index that documents are compared with, as it was when the plan was made; a rank opens it once.

    Raises:
        PlanError: it has changed.
    """
    settings = DedupSettings.of(workspace)
    if not settings.state:
        return None
    index = workspace.hold("against", lambda: open_fitting(settings.against or "", settings.make_choices()))
    if digest_state(index) != settings.state:
        raise _describe_change(settings)
    return index


def _describe_change(settings: DedupSettings) -> PlanError:
    return PlanError(f"{settings.against}: changed since the plan was made; plan the job again")


def _read_old(workspace: Workspace, part: int) -> dict[int, OldDocument]:
    """The documents of a part that resemble one of the index, by their number in the part."""
    data = (workspace.output(READ, part) / _OLD).read_bytes()
    return dict(msgspec.json.decode(data, type=list[tuple[int, OldDocument]]))


def _open_part(workspace: Workspace, part: int, resources: Resources, failures: Failures | None) -> CountedDocuments:
    """The documents of a part, as they were when the plan was made; ``failures`` learn or know what is left out."""
    sources = open_shards(workspace.plan.shards_of(part), failures)
    return CountedDocuments(sources, DedupSettings.of(workspace).columns, resources.batch_bytes)


def _open_part_again(workspace: Workspace, part: int, resources: Resources) -> CountedDocuments:
    """The same documents, when they have been read."""
    return _open_part(workspace, part, resources, read_failures(workspace, part))


def _open_digests(workspace: Workspace) -> PartDigests:
    return open_spools([workspace.output(READ, part) for part in range(_count_parts(workspace))])


def _list_read(workspace: Workspace) -> list[Path]:
    return [workspace.output(READ, part) for part in range(_count_parts(workspace))]


def _find_texts(workspace: Workspace, number: int, target: Path, resources: Resources) -> None:
    """Find the distinct texts of all documents."""
    digests, choices = _open_digests(workspace), DedupSettings.of(workspace).make_choices()
    folders, memory = _list_read(workspace), resources.memory // 2
    repeated = find_repeated_id(folders, memory)
    if repeated is not None:
        digests.refuse_repeated_id(*repeated)
    digests.require_values(choices.keep, Keep.parse(choices.keep).columns)
    write_texts(folders, digests.starts, target, memory)


def _compare(workspace: Workspace, number: int, target: Path, resources: Resources) -> None:
    """Find the links among the texts that share a bucket of this range of hash values."""
    settings, digests = DedupSettings.of(workspace), _open_digests(workspace)
    choices, known = settings.make_choices(), TextFiles.open(workspace.output(TEXTS))
    texts = find_company(_list_read(workspace), digests.starts, number, known.numbers)
    documents = gather_signatures(digests, known.rows[texts], choices.needed)
    links, large = [], []
    with resources.pool() as pool:
        compare = GatheredComparison(digests, known.rows, known.lengths, choices, resources, pool)
        for band in range(choices.banding.bands):
            found = find_candidates(documents, band, number, settings.ranges)
            pairs = texts[found.pairs]
            links.append(Links(pairs, compare(pairs, choices.threshold)).select(choices.threshold))
            large += [(band, texts[members]) for members in found.large_buckets()]
    save_links(target, BandLinks(Links.concatenate(links), large), compare.count)


def _choose(workspace: Workspace, number: int, target: Path, resources: Resources) -> None:
    """Decide which documents stay, and write what is said of the whole collection."""
    settings, digests = DedupSettings.of(workspace), _open_digests(workspace)
    choices, texts, memory = settings.make_choices(), TextFiles.open(workspace.output(TEXTS)), resources.memory // 4
    links = LinkFiles([workspace.output(COMPARE, each) for each in range(_count_ranges(workspace))])
    with resources.pool() as pool, TemporaryDirectory(dir=target) as aside:
        compare = GatheredComparison(digests, texts.rows, texts.lengths, choices, resources, pool)
        compare.count = links.compared
        chosen = ChosenWriter(digests, Path(aside), target, memory)
        if not settings.alone:
            given = Choosing(digests, texts, choices.rules, compare, choices.needed, memory)
            choose_documents(given, links, chosen, Path(aside))
        write_cluster_rows(target / _CLUSTERS, chosen.read_clusters())
    old = [_read_old(workspace, part) for part in range(_count_parts(workspace))]
    in_index, failures = sum(map(len, old)), join_failures(workspace)
    counts = Counts(
        documents=digests.rows + in_index,
        kept=digests.rows - chosen.removed,
        in_index=in_index,
        exact_duplicates=chosen.exact,
        near_duplicates=chosen.removed - chosen.exact,
        clusters=chosen.clusters,
        pairs_compared=compare.count,
        rows_left_out=failures.rows if failures else 0,
        files_left_out=failures.files if failures else 0,
    )
    short = _list_ids(digests, range(1, Shingler(choices.shingle).width), old, lambda each: each.short)
    empty = _list_ids(digests, range(1), old, lambda each: each.empty)
    write_summary(target / _SUMMARY, counts, short, empty)


def _list_ids(
    digests: PartDigests, lengths: range, old: list[dict[int, OldDocument]], is_listed: Callable[[OldDocument], bool]
) -> Iterator[str]:
    """The ids of the documents with so many tokens and of ``old`` ones that are listed, in the order of the input."""
    for part, (spool, apart) in enumerate(zip(digests.spools, old, strict=True)):
        numbers = np.flatnonzero(number_new(spool.rows, apart) >= 0) if apart else None
        others = iter([(row, each.document) for row, each in sorted(apart.items()) if is_listed(each)])
        yield from (name for _, name in heapq.merge(_list_new(digests, part, lengths, numbers), others))


def _list_new(
    digests: PartDigests, part: int, lengths: range, numbers: NDArray[np.int64] | None
) -> Iterator[tuple[int, str]]:
    """The documents of a part with so many tokens: ``numbers`` gives for each its number in the part, and its id."""
    start = int(digests.starts[part])
    for block in digests.blocks(part):
        rows = block.first + np.flatnonzero((block.lengths >= lengths.start) & (block.lengths < lengths.stop))
        places = rows - start if numbers is None else numbers[rows - start]
        yield from zip(places.tolist(), digests.ids(rows), strict=True)


def _write(workspace: Workspace, part: int, target: Path, resources: Resources) -> None:
    """Write what is kept of the files of a part, and what is removed."""
    digests, reading = _open_digests(workspace), _open_part_again(workspace, part, resources)
    chosen = _open_outcome(workspace, digests, part)
    first, _ = workspace.plan.parts[part]
    files, row = [], 0
    for number, (file, count) in enumerate(zip(reading.files, digests.spools[part].counts, strict=True), start=first):
        if not count and file.failures is not None and file.failures.lacks_rest(file):
            continue
        place = target / _KEPT / str(number)
        place.mkdir(parents=True)
        files.append(InputFile(file, row, count, place / os.path.basename(file.path)))
        row += count
    write_outcome_files(files, reading.columns, chosen, target / _REMOVED, resources)


def _open_outcome(workspace: Workspace, digests: PartDigests, part: int) -> PartOutcome:
    return PartOutcome.of(ChosenDocuments(workspace.output(CHOOSE), digests, part), _read_old(workspace, part))


def _commit(workspace: Workspace, number: int, target: Path, resources: Resources) -> None:
    """Give the output its name."""
    parts = [workspace.output(WRITE, part) for part in range(_count_parts(workspace))]
    chosen = workspace.output(CHOOSE)

    def fill(folder: Path) -> None:
        _put_together(workspace.plan, parts, folder / _KEPT)
        for part in parts:
            append_file(part / _REMOVED, folder / _REMOVED)
        for name in (_CLUSTERS, _SUMMARY):
            shutil.copyfile(chosen / name, folder / name)

    commit_result(workspace.plan, target, fill, lambda: _add_kept(workspace, resources))


def _add_kept(workspace: Workspace, resources: Resources) -> None:
    """Add what is kept to the index, if that is asked for and no rank that was killed has done so.

    Raises:
        PlanError: the index has changed.
    """
    settings, digests = DedupSettings.of(workspace), _open_digests(workspace)
    if settings.against is None or not settings.add:
        return
    parts = range(_count_parts(workspace))
    kept = [_open_outcome(workspace, digests, part).kept for part in parts]
    batches = (
        batch for part in parts for batch in filter_batches(_open_part_again(workspace, part, resources), kept[part])
    )
    with hold_index(settings.against, settings.make_choices()) as index:
        if index.generation == 0 if not settings.state else digest_state(index) == settings.state:
            index.add(batches, memory=resources.memory, threads=resources.workers)
        elif not _has_all(index, workspace, digests):
            raise _describe_change(settings)


def _has_all(index: DocumentIndex, workspace: Workspace, digests: PartDigests) -> bool:
    """Whether an index has all documents that are kept."""
    ids = index.ids()
    for part, spool in enumerate(digests.spools):
        kept = ChosenDocuments(workspace.output(CHOOSE), digests, part).kept
        if not ids.issuperset(spool.ids(np.flatnonzero(kept))):
            return False
    return True


def _put_together(plan: Plan, outputs: list[Path], target: Path) -> None:
    """Give each file that was written its name below ``target``; pieces of one file are joined."""
    names = names_below(sources_of(plan.shards))
    for output, (first, end) in zip(outputs, plan.parts, strict=True):
        for number in range(first, end):
            made = output / _KEPT / str(number) / os.path.basename(plan.shards[number].path)
            place = target / names[number]
            place.parent.mkdir(parents=True, exist_ok=True)
            if not made.exists():
                continue  # of a file of plain text that is removed nothing is left, nor of one that cannot be read
            if plan.shards[number].piece is not None:
                append_file(made, place)
            else:
                link_file(made, place)


STAGES = [
    Stage(READ, _count_parts, _read, bulky=True),
    Stage(TEXTS, lambda workspace: 1, _find_texts, bulky=True),
    Stage(COMPARE, _count_ranges, _compare, bulky=True),
    Stage(CHOOSE, lambda workspace: 1, _choose, bulky=True),
    Stage(WRITE, _count_parts, _write, bulky=True),
    Stage(COMMIT, lambda workspace: 1, _commit, bulky=False),
]
