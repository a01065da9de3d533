"""The steps that remove repeated passages. Each takes the outputs of steps before it."""

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ibidem.corpus.inputs import InputPart, read_left_out
from ibidem.corpus.writing.kept import join_files, place_files
from ibidem.corpus.writing.left_out import write_left_out
from ibidem.engine.outputs import open_as, save_output
from ibidem.engine.work import SUMMARY
from ibidem.resources import Resources
from ibidem.reuse.collection import Collection, assemble_collection
from ibidem.reuse.documents import open_part
from ibidem.reuse.grams import replace_with_grams
from ibidem.reuse.removal.duplicates import find_duplicates
from ibidem.reuse.removal.question import PassageQuestion
from ibidem.reuse.removal.repeated import choose_repeated, count_emptied, find_kept_text
from ibidem.reuse.removal.result import PassageDeduplication, Repeated
from ibidem.reuse.removal.writing import LEFT_OUT, PASSAGES, write_files, write_ignored, write_passages
from ibidem.system import disk

_KEPT = "kept"


class RepeatedRows(NamedTuple):
    """The passages that go from a collection.

    Attributes:
        removed: the row of the input and the passage of each.
        documents, tokens: how many the collection has.
        ignored: how many passages stay, since they are similar to a text to ignore.
        emptied: how many documents held nothing else.
        longest: how many tokens the longest document has.
    """

    removed: list[tuple[int, Repeated]]
    documents: int
    tokens: int
    ignored: int
    emptied: int
    longest: int


class WrittenPart(NamedTuple):
    """A part of the input that is written.

    Attributes:
        part: its files.
        read: the output of the step that has read it.
        first: the number of its first row among those of all parts.
    """

    part: InputPart
    read: Path
    first: int


_open_repeated = open_as(RepeatedRows)


def find_repeated(
    question: PassageQuestion, read: Sequence[Path], folder: Path, resources: Resources
) -> tuple[PassageDeduplication, Collection]:
    """Find the passages that go from the documents that were ``read``; the collection has its tokens in ``folder``."""
    whole = assemble_collection([open_part(each) for each in read], folder, order=question.order_rows)
    collection = replace_with_grams(whole, folder)
    duplicates = find_duplicates(collection, question.join, question.min_length, folder, resources)
    kept_text = find_kept_text(whole, question, resources.workers)
    return choose_repeated(collection, duplicates, question, kept_text), collection


def list_repeated(question: PassageQuestion, read: Sequence[Path], folder: Path, resources: Resources) -> None:
    """Write the passages that go, and those that stay since they are similar to a text to ignore."""
    deduplication, collection = find_repeated(question, read, folder, resources)
    rows = dict(zip(collection.ids, collection.input.order.tolist(), strict=True))
    write_passages(folder / PASSAGES, deduplication.removed, collection)
    if question.ignore:
        write_ignored(folder / LEFT_OUT, deduplication.ignored, collection)
    repeated = RepeatedRows(
        [(rows[passage.document], passage) for passage in deduplication.removed],
        deduplication.documents,
        deduplication.tokens,
        len(deduplication.ignored),
        count_emptied(deduplication, collection),
        deduplication.longest,
    )
    save_output(repeated, folder)


def count_repeated(repeated: Path) -> dict[str, int]:
    """The counts of a summary."""
    removed, documents, tokens, ignored, emptied, longest = _open_repeated(repeated)
    return {
        "documents": documents,
        "tokens": tokens,
        "longest_document": longest,
        "passages": len(removed),
        "passage_tokens": sum(passage.tokens for _, passage in removed),
        "ignored_passages": ignored,
        "changed_documents": len({row for row, _ in removed}),
        "emptied_documents": emptied,
    }


def number_parts(parts: Sequence[InputPart], read: Sequence[Path]) -> list[WrittenPart]:
    """The tasks of ``write_part``."""
    tasks, first = [], 0
    for part, folder in zip(parts, read, strict=True):
        tasks.append(WrittenPart(part, folder, first))
        first += sum(open_part(folder).file_rows)
    return tasks


def write_part(action: str, repeated: Path, task: WrittenPart, folder: Path, resources: Resources) -> None:
    """Write the files of a part without the passages that go."""
    passages: dict[int, list[Repeated]] = defaultdict(list)
    for row, passage in _open_repeated(repeated).removed:
        passages[row - task.first].append(passage)
    reading = task.part.open(resources, read_left_out(task.read))
    reading.counts = open_part(task.read).file_rows
    write_files(reading, place_files(task.part, folder / _KEPT), passages, action, resources)


def gather_files(
    parts: Sequence[InputPart],
    read: Sequence[Path],
    repeated: Path,
    written: Sequence[Path],
    summary: dict[str, Any],
    target: Path,
) -> None:
    """Put all that was written into the folder of the result."""
    write_left_out(target, parts, read, [open_part(each).file_rows for each in read])
    join_files(parts, [each / _KEPT for each in written], target / _KEPT)
    for name in (PASSAGES, LEFT_OUT):
        if (repeated / name).exists():
            disk.link(repeated / name, target / name)
    (target / SUMMARY).write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
