"""Deduplicating files: what is kept goes into files like those that were read, and what is removed is accounted for.

Everything is written beside the output, in a folder of its name and ``.partial``, and gets its own name at the end.
What was read is kept there until then: if the work is interrupted, the same call goes on from there.

With an index to add to there are two things to change, the index and the output. A note in the folder says that the
addition has begun, the index is changed in one commit, and then the output gets its name. The same call, made again,
sees from the note and the index how far the work came.
"""

import os
import time
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

import ibidem
from ibidem.corpus.failures import Failure, Failures
from ibidem.corpus.faults import fault
from ibidem.corpus.opening import LARGEST_LINE
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import ReadingProgress, Source, list_sources
from ibidem.corpus.writing.filtering import CountedDocuments
from ibidem.corpus.writing.output_folder import names_below, require_room
from ibidem.corpus.writing.workplace import hold_workplace, make_empty, read_state
from ibidem.documents.job.against import NewDocuments, OldDocument, filter_batches, hold_index, number_new, open_fitting
from ibidem.documents.job.outcome import Outcome, count_outcome, write_clusters, write_summary
from ibidem.documents.job.outcome_files import InputFile, write_outcome_files
from ibidem.remote.storage import is_remote
from ibidem.store.files import disk

if TYPE_CHECKING:
    from ibidem.documents.dedup import Choices
    from ibidem.documents.index import DocumentIndex
    from ibidem.resources import Resources

__all__ = ["Written", "deduplicate_files"]

_ADDITION = "addition.json"

_FAILURES = "spool/failures.json"


class Written(NamedTuple):
    """What ``deduplicate_files`` did.

    Attributes:
        outcome: the result.
        resumed: whether the input had been read by a call that was interrupted.
        seconds: time taken.
    """

    outcome: Outcome
    resumed: bool
    seconds: float


def deduplicate_files(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    choices: "Choices",
    resources: "Resources",
    *,
    text: str = "text",
    id: str = "id",
    against: str | os.PathLike[str] | None = None,
    add: bool = False,
    against_only: bool = False,
    max_line: str | int = LARGEST_LINE,
    progress: ReadingProgress | None = None,
    failures: Failures | None = None,
) -> Written:
    """Deduplicate the documents of files into a new folder ``output``.

    It holds ``kept/``, a file of the same name, format, compression and columns for each input; ``removed.jsonl``, the
    removed documents with what they duplicate; ``clusters.csv``; and ``summary.json``.

    Args:
        against: an index of documents; what resembles one of them is removed before the rest is compared.
        add: put what is kept into that index, which is made if there is none.
        against_only: compare documents with that index alone, and not with each other.
        max_line: bytes that a line, or a file of plain text, has at most, such as ``"4G"``.
        progress: told how many bytes there are and were read.
        failures: told what is left out because it cannot be read; without them that is an error.

    Raises:
        CorpusError: a document cannot be used, an input cannot be read twice or was changed meanwhile, something stands
            at ``output``, or ``output`` is or holds an input, or stands in one.
        ConfigurationError: the index was made for other shingles or a higher threshold.
        LockedError: another process writes to this output.
    """
    if against_only and against is None:
        raise ValueError("against_only needs an index to compare with: against")
    started = time.perf_counter()
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    files = list_sources(given, progress, failures)
    output = Path(output)
    require_room(output, files, given)
    reading = CountedDocuments(files, Columns.of(text, id, max_line), resources.batch_bytes)
    states = _read_states(files)
    with ExitStack() as stack:
        folder = stack.enter_context(hold_workplace(output, lambda place: (place / _ADDITION).exists()))
        index = None
        if against is not None:
            index = stack.enter_context((hold_index if add else open_fitting)(against, choices))
        addition = _Addition.read(folder) if add else None
        new = _Input(NewDocuments(reading, index, choices, new_ids=add), reading, index, against_only, failures)
        generation = None if index is None else index.generation
        if addition is not None and addition.origin == _describe_origin(new, choices, addition.generation):
            generation = addition.generation  # what was read and compared is that of the call which added
        else:
            disk.remove(folder / _ADDITION)
        outcome, counts, resumed = _compare(folder, new, _describe_origin(new, choices, generation), choices, resources)
        if index is not None and generation != index.generation and not outcome.kept_ids <= index.ids():
            # The call was interrupted before it added anything, and another writer came.
            origin = _describe_origin(new, choices, index.generation)
            outcome, counts, resumed = _compare(folder, new, origin, choices, resources)
        _write(make_empty(folder / "result"), reading, counts, outcome, resources)
        _require_unchanged(files, states)
        disk.sync_tree(folder / "result")
        if index is not None and add and not (resumed and outcome.kept_ids <= index.ids()):
            _Addition(_describe_origin(new, choices, index.generation), index.generation).write(folder)
            index.add(filter_batches(reading, outcome.kept), memory=resources.memory, threads=resources.workers)
        disk.rename(folder / "result", output)
        disk.sync_folder(output.absolute().parent)
    return Written(outcome, resumed, time.perf_counter() - started)


def _read_states(files: list[Source]) -> dict[Source, tuple[int, int]]:
    """The states of the files that stand on this machine."""
    return {file: read_state(file) for file in files if not is_remote(file.path)}


def _require_unchanged(files: list[Source], states: dict[Source, tuple[int, int]]) -> None:
    for file, state in _read_states(files).items():
        if state != states[file]:
            raise fault(file.path, "it was changed while it was read: deduplicate it again")


class _Input(NamedTuple):
    """What is deduplicated.

    Attributes:
        documents: those that resemble none of the index ``against``.
        alone: whether they are not compared with each other.
        failures: what was left out of the input, if something may be.
    """

    documents: NewDocuments
    reading: CountedDocuments
    against: "DocumentIndex | None"
    alone: bool
    failures: Failures | None


class _Addition(msgspec.Struct, frozen=True):
    """The note that documents are about to be added to the index: what they come from, and the index's generation."""

    origin: str
    generation: int

    @classmethod
    def read(cls, folder: Path) -> "_Addition | None":
        try:
            return msgspec.json.decode((folder / _ADDITION).read_bytes(), type=cls)
        except (FileNotFoundError, msgspec.DecodeError):
            return None

    def write(self, folder: Path) -> None:
        disk.write_file(folder / _ADDITION, msgspec.json.encode(self))
        disk.sync_folder(folder)


def _compare(
    folder: Path, new: _Input, origin: str, choices: "Choices", resources: "Resources"
) -> tuple[Outcome, list[int], bool]:
    """The outcome, how many documents each file has, and whether an interrupted call had read them."""
    from ibidem.documents.column_spool import Spool
    from ibidem.documents.dedup import deduplicate_spool, keep_spool, spool_documents

    spool = Spool.reopen(folder / "spool", origin)
    resumed = spool is not None
    if spool is None:
        spool = spool_documents(new.documents, choices, make_empty(folder / "spool"), resources)
        disk.write_file(folder / "spool/old.json", msgspec.json.encode(list(new.documents.old.items())))
        disk.write_file(folder / _FAILURES, msgspec.json.encode(list(new.failures or ())))
        spool.finish(origin, new.reading.counts)
    listed = msgspec.json.decode((folder / "spool/old.json").read_bytes(), type=list[tuple[int, OldDocument]])
    old = dict(listed)
    rows = number_new(spool.rows, old)
    decide = keep_spool if new.alone else deduplicate_spool
    if new.failures is not None:
        new.failures.recall(msgspec.json.decode((folder / _FAILURES).read_bytes(), type=list[Failure]))
    left_out = (new.failures.rows, new.failures.files) if new.failures is not None else (0, 0)
    return Outcome(decide(spool, choices, resources), rows, old, *left_out), spool.counts, resumed


def _describe_origin(new: _Input, choices: "Choices", generation: int | None) -> str:
    """All that the spool depends on: the program, the choices, the files as they are, and the index's generation."""
    from ibidem.documents.signatures import Shingler

    facts = choices._replace(shingle=Shingler(choices.shingle).config)._asdict()
    files = [(file.path, file.name, *read_state(file)) for file in new.reading.files]
    against = None if new.against is None else (os.path.abspath(new.against.path), generation)
    return msgspec.json.encode(
        [ibidem.__version__, facts, new.reading.columns, files, against, new.alone, new.failures is not None],
        order="sorted",
    ).decode()


def _write(
    folder: Path, reading: CountedDocuments, counts: list[int], outcome: Outcome, resources: "Resources"
) -> None:
    files, first = [], 0
    for file, name, count in zip(reading.files, names_below(reading.files), counts, strict=True):
        if not count and file.failures is not None and file.failures.lacks_rest(file):
            continue
        target = folder / "kept" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        files.append(InputFile(file, first, count, target))
        first += count
    write_outcome_files(files, reading.columns, outcome, folder / "removed.jsonl", resources)
    write_clusters(folder / "clusters.csv", outcome.found)
    write_summary(folder / "summary.json", count_outcome(outcome), outcome.short, outcome.empty)
