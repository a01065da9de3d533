"""The steps that remove repeated passages. Each takes the outputs of steps before it."""

from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.alignment.ignored import IgnoredTexts
from ibidem.corpus.inputs import InputPart, read_left_out
from ibidem.corpus.writing.cutting import edit_text
from ibidem.engine.outputs import open_as, save_output
from ibidem.resources import Resources
from ibidem.reuse.collection import Collection, assemble_collection
from ibidem.reuse.documents import open_part
from ibidem.reuse.removal.duplicates import find_duplicates
from ibidem.reuse.removal.question import PassageQuestion
from ibidem.reuse.removal.removals import Removal, choose_removals
from ibidem.reuse.removal.result import PassageDeduplication, Repeated
from ibidem.reuse.removal.writing import LEFT_OUT, PASSAGES, gather_files, write_files, write_ignored, write_passages
from ibidem.reuse.subtraction import find_ignored
from ibidem.spans import Ignored
from ibidem.system import disk
from ibidem.text import make_tokenizer

_KINDS = {
    "start": "int64",
    "end": "int64",
    "tokens": "int64",
    "duplicate_of": "string",
    "of_start": "int64",
    "of_end": "int64",
    "similarity": "float64",
}
"""What the column that annotating adds has of each passage."""


class RepeatedRows(NamedTuple):
    """The passages that go from a collection.

    Attributes:
        found: they, and the counts of the collection.
        rows: the row of the input of each.
        emptied: how many documents held nothing else.
    """

    found: PassageDeduplication
    rows: list[int]
    emptied: int


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
    collection = assemble_collection([open_part(each) for each in read], folder, order=question.order_rows)
    collection.rarity.require_evidence(make_tokenizer(question.tokenizer))
    duplicates = find_duplicates(collection, question.join, question.min_length, folder, resources)
    ranges, ignored = _find_ignored(collection, question, resources.workers)
    settings = question.threshold, question.min_length, question.boundary
    removals = choose_removals(collection, duplicates, *settings, ranges)
    removals.sort(key=lambda removal: (int(collection.input.order[removal.document]), removal.first))
    removed = [_place(collection, removal) for removal in removals]
    longest = int(collection.lengths.max(initial=0))
    return PassageDeduplication(removed, len(collection), len(collection.tokens), ignored, longest), collection


def _find_ignored(
    collection: Collection, question: PassageQuestion, threads: int | None
) -> tuple[npt.NDArray[np.int64], tuple[Ignored, ...]]:
    """What always stays since it is similar to a text to ignore: ranges of tokens int64 [I, 2], and passages."""
    texts = IgnoredTexts(question.ignore, make_tokenizer(question.tokenizer))
    ranges, likeness = find_ignored(collection, (texts, question.threshold) if question.ignore else None, threads)
    documents = np.searchsorted(collection.bounds, ranges[:, 0], side="right") - 1
    passages = []
    for row in np.argsort(collection.input.order[documents], kind="stable").tolist():
        document, (number, *text_range) = int(documents[row]), ranges[row, 2:].tolist()
        span = _find_span(collection, document, *(ranges[row, :2] - collection.bounds[document]).tolist())
        name, place = texts.names[number], texts.place(number, *text_range)
        passages.append(Ignored(collection.ids[document], *span, name, *place, float(likeness[row])))
    return ranges[:, :2], tuple(passages)


def _place(collection: Collection, removal: Removal) -> Repeated:
    """A removal as ranges of texts."""
    of_span = _find_span(collection, removal.of, removal.of_first, removal.of_last)
    name, of = collection.ids[removal.document], collection.ids[removal.of]
    tokens = removal.last - removal.first
    return Repeated(name, removal.start, removal.end, tokens, of, *of_span, removal.similarity)


def _find_span(collection: Collection, document: int, first: int, last: int) -> tuple[int, int]:
    """The code points of the tokens ``first`` to ``last - 1`` of a document."""
    starts, ends = collection.places(document)
    return int(starts[first]), int(ends[first:last].max())


def list_repeated(question: PassageQuestion, read: Sequence[Path], folder: Path, resources: Resources) -> None:
    """Write the passages that go, and those that stay since they are similar to a text to ignore."""
    found, collection = find_repeated(question, read, folder, resources)
    write_passages(folder / PASSAGES, found.removed, collection)
    if question.ignore:
        write_ignored(folder / LEFT_OUT, found.ignored, collection)
    rows = dict(zip(collection.ids, collection.input.order.tolist(), strict=True))
    numbers = {name: number for number, name in enumerate(collection.ids)}
    removed_tokens: dict[str, int] = defaultdict(int)
    for passage in found.removed:
        removed_tokens[passage.document] += passage.tokens
    emptied = sum(tokens == collection.lengths[numbers[name]] for name, tokens in removed_tokens.items())
    save_output(RepeatedRows(found, [rows[passage.document] for passage in found.removed], int(emptied)), folder)


def count_repeated(repeated: Path) -> dict[str, int]:
    """The counts of a summary."""
    found, rows, emptied = _open_repeated(repeated)
    return {
        "documents": found.documents,
        "tokens": found.tokens,
        "longest_document": found.longest,
        "passages": len(found.removed),
        "passage_tokens": sum(passage.tokens for passage in found.removed),
        "ignored_passages": len(found.ignored),
        "changed_documents": len(set(rows)),
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
    found, rows, _ = _open_repeated(repeated)
    for row, passage in zip(rows, found.removed, strict=True):
        passages[row - task.first].append(passage)
    counts, edit = open_part(task.read).file_rows, None if action == "annotate" else partial(_edit, action)
    write_files(task.part, read_left_out(task.read), counts, passages, edit, _KINDS, folder, resources)


def _edit(action: str, text: str, passages: Sequence[Repeated]) -> str:
    return edit_text(text, [(each.start, each.end) for each in passages], action)


def fill(
    parts: Sequence[InputPart],
    read: Sequence[Path],
    repeated: Path,
    written: Sequence[Path],
    summary: dict[str, Any],
    target: Path,
) -> None:
    """Put all that was written into the folder of the result."""
    gather_files(parts, read, written, [open_part(each).file_rows for each in read], summary, target)
    for name in (PASSAGES, LEFT_OUT):
        if (repeated / name).exists():
            disk.link(repeated / name, target / name)
