"""Files without their repeated passages, and the list of these passages."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from ibidem.corpus.writing.annotating import NewColumn, write_annotated
from ibidem.corpus.writing.cutting import edit_text
from ibidem.corpus.writing.filtering import CountedDocuments, ReadableFile, keep_readable
from ibidem.corpus.writing.rewriting import write_edited
from ibidem.resources import Resources
from ibidem.reuse.collection import Collection
from ibidem.reuse.outputs.document_texts import DocumentPlaces
from ibidem.reuse.removal.result import Repeated
from ibidem.spans import Ignored
from ibidem.system import disk

PASSAGES = "passages.jsonl"
"""The list of the passages that go."""

LEFT_OUT = "left_out.jsonl"
"""The list of the passages that are similar to a text to ignore, and stay."""

COLUMN = "repeated"
"""The column that annotating adds to each row: a list of objects with these values."""

_KINDS = {
    "start": "int64",
    "end": "int64",
    "tokens": "int64",
    "duplicate_of": "string",
    "of_start": "int64",
    "of_end": "int64",
    "similarity": "float64",
}


def write_passages(path: Path, removed: Sequence[Repeated], collection: Collection) -> None:
    """Write a line for each passage, with its text, in the order of the input."""
    numbers = {name: number for number, name in enumerate(collection.ids)}
    name, text, places = "", "", DocumentPlaces(collection)
    with path.open("x", encoding="ascii", newline="\n") as file:
        for passage in removed:
            if passage.document != name:
                name, text = passage.document, collection.text(numbers[passage.document])
            record = passage._asdict() | {"text": text[passage.start : passage.end]}
            for prefix, document, *span in (
                ("", passage.document, passage.start, passage.end),
                ("of_", passage.duplicate_of, passage.of_start, passage.of_end),
            ):
                if place := places.of(document).describe(*span):
                    record[f"{prefix}locator"] = place
            file.write(json.dumps(record) + "\n")


def write_ignored(path: Path, ignored: Sequence[Ignored], collection: Collection) -> None:
    """Write a line for each passage of which nothing goes, since it is similar to a text to ignore."""
    places = DocumentPlaces(collection)
    with path.open("x", encoding="ascii", newline="\n") as file:
        for passage in ignored:
            place = places.of(passage.document).describe(passage.start, passage.end)
            locator = {"locator": place} if place else {}
            file.write(json.dumps({"reason": "ignored"} | msgspec.structs.asdict(passage) | locator) + "\n")


def write_files(
    reading: CountedDocuments,
    targets: Sequence[Path],
    passages: Mapping[int, Sequence[Repeated]],
    action: str,
    scratch: Path,
    resources: Resources,
) -> None:
    """Write each file of ``reading``, of which the number of rows is known, without the passages that go.

    Args:
        targets: where each is written.
        passages: those that go, by the numbers of the rows of all files.
        scratch: for copies of files, which are removed.
    """
    first = 0
    for number, (source, count, target) in enumerate(zip(reading.files, reading.counts, targets, strict=True), 1):
        if count or source.failures is None or not source.failures.lacks_rest(source):
            target.parent.mkdir(parents=True, exist_ok=True)
            rows = {row - first: passages[row] for row in range(first, first + count) if row in passages}
            readable = keep_readable(source, count, scratch)
            _write_file(readable, reading.columns.text, readable.by_row(rows), action, target)
        first += count
        resources.tell("writing", number, len(reading.files))
    if scratch.exists():
        disk.remove_tree(scratch)


def _write_file(
    file: ReadableFile, column: str, passages: Mapping[int, Sequence[Repeated]], action: str, target: Path
) -> None:
    if action == "annotate":
        notes = {row: [_describe(passage) for passage in row_passages] for row, row_passages in passages.items()}
        write_annotated(file.source, NewColumn(COLUMN, _KINDS, notes), file.rows, target)
    else:
        cuts = {
            row: [(passage.start, passage.end) for passage in row_passages] for row, row_passages in passages.items()
        }
        edits = {row: partial(edit_text, cuts=ranges, action=action) for row, ranges in cuts.items()}
        write_edited(file.source, column, edits, file.rows, target)


def _describe(passage: Repeated) -> dict[str, Any]:
    return {name: getattr(passage, name) for name in _KINDS}
