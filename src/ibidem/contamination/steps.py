"""The steps of ``decontaminate_files``, each done for a part of the files, here or on a cluster; first, its arguments.

What a step leaves in the folder of its task is read by the function below it.
"""

import os
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ibidem.arguments import require_choice, require_fraction
from ibidem.contamination.detector import Detector, make_detector
from ibidem.contamination.earlier import EarlierRun, WeighedEvals
from ibidem.contamination.edits import ACTIONS, Notes, write_changed
from ibidem.contamination.evals import read_evals
from ibidem.contamination.findings import FileFindings, FileToRead, look_through
from ibidem.contamination.items import EvalColumns, Evals
from ibidem.contamination.sampling import join_tokens, sample_files
from ibidem.corpus.failures import Failures
from ibidem.corpus.formats import read_source
from ibidem.corpus.inputs import InputPart, Inputs, note_left_out, read_left_out
from ibidem.corpus.rows import Columns, join_small_batches
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.apart import require_apart
from ibidem.corpus.writing.kept import place_files
from ibidem.corpus.writing.output_folder import require_no_pipes, require_room
from ibidem.corpus.writing.run_state import FOLDER, read_checksum
from ibidem.corpus.writing.tables import FORMATS
from ibidem.engine.outputs import open_as, save_output
from ibidem.engine.work import require_unmade
from ibidem.resources import Resources
from ibidem.text import Tokenizer

_Path = str | os.PathLike[str]

KEPT = "kept"
"""The folder of the files of a part without their leaks."""


def require_valid(threshold: float, action: str, format: str) -> None:
    """Raise a ``ValueError`` for an argument that makes no sense."""
    require_fraction("threshold", threshold)
    require_choice("action", action, ACTIONS)
    require_choice("format", format, FORMATS)


def read_items(paths: Sequence[_Path], columns: EvalColumns, earlier: EarlierRun | None) -> Evals:
    """The items: those of evals, or of the earlier run, which takes no others.

    Raises:
        CorpusError: an eval cannot be used.
        ValueError: there are evals and an earlier run.
    """
    if earlier is None:
        return read_evals(paths, **columns._asdict())
    if paths:
        raise ValueError("an update looks for the items of its run: leave out the evals, or look for them in a new run")
    return earlier.weighed.evals


def require_output(output: _Path, work: _Path | None, files: Inputs, others: Sequence[_Path], action: str) -> None:
    """Check that the output can be made, and that the inputs can be read again where they are rewritten.

    Raises:
        CorpusError: one of this is so.
    """
    inputs = [*files.paths, *others]
    if action == "report":
        require_no_pipes(files.sources)
        require_apart([output], inputs)
    else:
        require_room(output, files.sources, inputs)
    require_unmade(output, work)


def describe_job(
    files: Inputs, evals: Evals, described: dict[str, Any] | None, update: _Path | None, *options: object
) -> bytes:
    """All that the outputs of the steps depend on; nobody knows whether a tokenizer is the same that is a function."""
    reading = uuid.uuid4().hex if described is None else described
    earlier = None if update is None else read_checksum(Path(update) / FOLDER)
    return msgspec.json.encode([files.describe(), reading, evals, earlier, *options], order="sorted")


def number_files(parts: Iterable[InputPart]) -> Iterator[list[int]]:
    """For each part the numbers of its files among all; pieces of one file have one number."""
    number = -1
    for part in parts:
        numbers = []
        for source in part.sources:
            number += not source.begin
            numbers.append(number)
        yield numbers


class FilesToSample(NamedTuple):
    """The files of which a sample is taken; ``skips`` says whether what cannot be read is left out."""

    files: Sequence[Source]
    columns: Columns
    skips: bool


def weigh_items(
    evals: Evals,
    folder: Path,
    resources: Resources,
    *,
    training: FilesToSample,
    tokenizer: Tokenizer,
    earlier: EarlierRun | None,
) -> None:
    """Write the items, and the sample by which their words are weighed: that of an earlier run, or a new one."""
    if earlier is not None:
        save_output(earlier.weighed, folder)
        return
    files, columns, skips = training
    save_output(WeighedEvals(evals, join_tokens(sample_files(files, columns, tokenizer, skips=skips))), folder)


read_weighed = open_as(WeighedEvals)
"""The items and the sample that were written into a folder."""


@dataclass(frozen=True)
class ItemsInFolder:
    """The items that were written into a folder.

    Attributes:
        origin: names all that they were made of, so that no other items of a folder of this name are taken for them.
        tokenizer: of the items and of the documents.
    """

    folder: Path
    origin: str
    tokenizer: Tokenizer = field(compare=False)


@lru_cache(maxsize=1)
def open_detector(items: ItemsInFolder) -> Detector:
    """The items, ready to be looked for: made once in each process."""
    evals, sample = read_weighed(items.folder)
    return make_detector(evals, items.tokenizer, [sample])


class PartToRead(NamedTuple):
    """A part, and of each of its files whether it is to be looked through."""

    part: InputPart
    is_new: Sequence[bool]


def plan_reading(parts: Sequence[InputPart], known: Sequence[FileFindings | None]) -> list[PartToRead]:
    """The tasks of ``look_through_part``; ``known`` is what each file holds by an earlier run."""
    return [
        PartToRead(part, [known[file] is None for file in numbers])
        for part, numbers in zip(parts, number_files(parts), strict=True)
    ]


def look_through_part(
    task: PartToRead, folder: Path, resources: Resources, *, items: ItemsInFolder, source: str | None
) -> None:
    """Look for the items in the documents of a part, and write what each of its files holds.

    Args:
        source: the column that names the source of a document, or nothing.
    """
    size, failures = resources.batch_bytes, Failures(skips=task.part.skips)
    sources = task.part.open(resources, failures).files
    new = [number for number, is_new in enumerate(task.is_new) if is_new]
    files = [
        FileToRead(file.name, file.path, join_small_batches(read_source(file, task.part.columns, size), size))
        for file in (sources[number] for number in new)
    ]
    found: list[FileFindings | None] = [None] * len(sources)
    for number, findings in zip(new, look_through(open_detector(items), files, source, resources), strict=True):
        found[number] = findings.skip_rows(failures.rows_of(sources[number]))
    note_left_out(folder, failures)
    save_output(found, folder)


def read_findings(folders: Sequence[Path]) -> list[FileFindings | None]:
    """What was found in each file of all parts, or piece of a file; nothing of those that were not read."""
    open_found = open_as(list[FileFindings | None])
    return [findings for folder in folders for findings in open_found(folder)]


def count_documents(parts: Sequence[InputPart], pieces: Iterable[FileFindings | None]) -> list[list[int]]:
    """How many documents were read of each file of the parts, or piece of a file."""
    every_piece = iter(pieces)
    return [[0 if (piece := next(every_piece)) is None else piece.documents for _ in part.sources] for part in parts]


class PartToWrite(NamedTuple):
    """A part to be written again.

    Attributes:
        found: the folder of ``look_through_part``, which knows what was left out.
        documents: how many each file has.
        leaks: of each file.
    """

    part: InputPart
    found: Path
    documents: Sequence[int]
    leaks: Sequence[Notes]


def plan_writing(
    parts: Sequence[InputPart],
    found: Sequence[Path],
    pieces: Sequence[FileFindings | None],
    findings: Sequence[FileFindings],
    notes: Sequence[Notes],
) -> list[PartToWrite]:
    """The tasks of ``write_part``.

    Args:
        found: the folders of what was found in each part.
        pieces: what was found in each file of the parts, or piece of a file; nothing of those that were not read.
        findings: what all files hold.
        notes: on the leaks of all files.
    """
    tasks = []
    first, current = 0, -1
    every_piece = iter(pieces)
    for part, folder, files in zip(parts, found, number_files(parts), strict=True):
        documents, leaks = [], []
        for file in files:
            piece = next(every_piece) or findings[file]
            first, current = (first if file == current else 0), file
            end = first + piece.documents
            leaks.append({row - first: each for row, each in notes[file].items() if first <= row < end})
            documents.append(piece.documents)
            first = end
        tasks.append(PartToWrite(part, folder, documents, leaks))
    return tasks


def write_part(task: PartToWrite, folder: Path, resources: Resources, *, action: str) -> None:
    """Write the files of a part with their leaks annotated, removed, masked or cut."""
    part = task.part
    sources, places = part.open(resources, read_left_out(task.found)).files, place_files(part, folder / KEPT)
    for source, place, documents, leaks in zip(sources, places, task.documents, task.leaks, strict=True):
        if documents or source.failures is None or not source.failures.lacks_rest(source):
            file = source._replace(progress=None)
            write_changed(file, part.columns.text, documents, leaks, action, place)
