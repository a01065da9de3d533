"""The stages that remove repeated passages: of a call, of files by one process, and of a plan.

1. *read*: one task a part. Documents become tokens, and both are kept.
2. *find*: one task. Tokens are weighed, near-duplicate passages are compared, and those that go are chosen.
3. *write*: one task a part. Each file is written without them.
4. *commit*: one task. All that was written gets its name at one instant.

A Python call ends with the passages. A ``PassageJob`` defines what is read, a ``PassageFileJob`` also where the output
goes.
"""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec

from ibidem.engine.outputs import open_as, save_output
from ibidem.jobs.kept import FileJob
from ibidem.jobs.reading import write_failures
from ibidem.jobs.stage import COMMIT, Stage, count_one, count_parts
from ibidem.resources import Resources
from ibidem.reuse.collection import TOKENS, Collection, assemble_collection
from ibidem.reuse.grams import replace_with_grams
from ibidem.reuse.reading.parts import PartReader, ReadPart, read_part
from ibidem.reuse.removal.duplicates import Duplicates, find_duplicates
from ibidem.reuse.removal.repeated import (
    PassageChoices,
    PassageDeduplication,
    choose_repeated,
    count_emptied,
    find_kept_text,
)
from ibidem.reuse.removal.writing import (
    LEFT_OUT,
    PASSAGES,
    PartFiles,
    Repetitions,
    write_ignored,
    write_part,
    write_passages,
)
from ibidem.store.files.columns import ColumnWriter
from ibidem.store.files.growing import GrowingColumn
from ibidem.system import disk
from ibidem.text import Documents, make_tokenizer

KEPT, SUMMARY = "kept", "summary.json"

_COUNTS = "counts.json"
"""The number of rows of each file of a part."""


class PassageJob:
    """The documents of which the stages find the repeated passages: those of batches, which are read once.

    Attributes:
        choices: which passages repeat others, and which of them stay.
        parts: how many parts the input has.
    """

    parts: int = 1

    def __init__(self, choices: PassageChoices, batches: Iterable[Documents]) -> None:
        self.choices, self._batches = choices, batches

    def open_part(self, part: int, resources: Resources) -> Iterable[Documents]:
        """The documents of a part."""
        return self._batches

    def keep_part(self, reader: PartReader, folder: Path) -> None:
        """Keep the part that was read, if that is asked for."""
        return

    def compare(self, find: Callable[[], Duplicates]) -> Duplicates:
        """The near-duplicate passages that ``find`` returns."""
        return find()

    def make_column(self, folder: Path) -> Any:
        """A column for the tokens of the collection."""
        return GrowingColumn(folder, TOKENS)

    def keep_result(self, deduplication: PassageDeduplication, collection: Collection, folder: Path) -> Any:
        """The result, once it is written if that is asked for."""
        return deduplication


class PassageFileJob(FileJob, PassageJob):
    """The removal of repeated passages from files.

    Attributes:
        action: what is done with repeated passages.
    """

    action: str

    def open_part(self, part: int, resources: Resources) -> Iterable[Documents]:
        """The documents of the files of a part."""
        return self.read_files(part, resources)

    def keep_part(self, reader: PartReader, folder: Path) -> None:
        """Write the part that was read to disk, with its counts and a list of what could not be read."""
        reader.finish()
        (folder / _COUNTS).write_bytes(msgspec.json.encode(self.reading.counts))
        write_failures(folder, self.failures)

    def make_column(self, folder: Path) -> Any:
        """A file for the tokens of the collection."""
        return ColumnWriter(folder, TOKENS)

    def keep_result(self, deduplication: PassageDeduplication, collection: Collection, folder: Path) -> "Repetitions":
        """List the passages that go."""
        rows = dict(zip(collection.ids, collection.input.order.tolist(), strict=True))
        write_passages(folder / PASSAGES, deduplication.removed, collection)
        rows_and_passages = [(rows[passage.document], passage) for passage in deduplication.removed]
        if self.choices.ignore:
            write_ignored(folder / LEFT_OUT, deduplication.ignored, collection)
        emptied_documents = count_emptied(deduplication, collection)
        return Repetitions(
            rows_and_passages,
            deduplication.documents,
            deduplication.tokens,
            len(deduplication.ignored),
            emptied_documents,
        )

    def commit(self, workspace: Any, folder: Path, resources: Resources) -> None:
        """Give the output its name."""
        parts = [workspace.output(WRITE.name, part) for part in range(self.parts)]

        def fill(target: Path) -> None:
            self.join_kept([part / KEPT for part in parts], target / KEPT)
            for name in (PASSAGES, LEFT_OUT) if self.choices.ignore else (PASSAGES,):
                disk.link(workspace.output(FIND.name) / name, target / name)
            text = json.dumps(summarize(workspace), indent=2)
            (target / SUMMARY).write_text(text + "\n", encoding="utf-8")

        self.make_result(folder, fill)


def _read(workspace: Any, part: int, folder: Path, resources: Resources) -> ReadPart:
    """Read the documents of a part and their tokens."""
    job: PassageJob = workspace.job
    reader = PartReader(folder, make_tokenizer(job.choices.tokenizer))
    reader.read(job.open_part(part, resources), 0, resources)
    job.keep_part(reader, folder)
    return reader.part()


def _find(workspace: Any, number: int, folder: Path, resources: Resources) -> Any:
    """Find the passages that go."""
    job: PassageJob = workspace.job
    choices, parts = job.choices, [workspace.load(READ, part) for part in range(job.parts)]
    whole_collection = assemble_collection(parts, job.make_column(folder), order=choices.order_rows)
    collection = replace_with_grams(whole_collection, folder)
    duplicates = job.compare(lambda: find_duplicates(collection, choices.join, choices.min_length, folder, resources))
    kept_text = find_kept_text(whole_collection, choices, resources.workers)
    return job.keep_result(choose_repeated(collection, duplicates, choices, kept_text), collection, folder)


def _write(workspace: Any, part: int, folder: Path, resources: Resources) -> None:
    """Write the files of a part without the passages that go."""
    job: PassageFileJob = workspace.job
    first = sum(len(workspace.load(READ, number).side) for number in range(part))
    reading = job.open_files(part, resources)
    reading.counts = msgspec.json.decode((workspace.output(READ.name, part) / _COUNTS).read_bytes(), type=list[int])
    files = PartFiles(reading, job.place_kept(part, folder / KEPT), first)
    write_part(files, workspace.load(FIND), job.action, folder, resources)


def summarize(workspace: Any) -> dict[str, Any]:
    """The counts that ``summary.json`` holds."""
    job: PassageFileJob = workspace.job
    repetitions: Repetitions = workspace.load(FIND)
    return {"action": job.action} | repetitions.count() | job.count_left_out()


READ = Stage("read", count_parts, _read, bulky=True, open=read_part)
FIND = Stage("find", count_one, _find, bulky=True, save=save_output, open=open_as(Repetitions))
WRITE = Stage("write", count_parts, _write, bulky=True)

STAGES = [READ, FIND, WRITE, COMMIT]
