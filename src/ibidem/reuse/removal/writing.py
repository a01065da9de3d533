"""Files without their repeated passages, and the list of these passages."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from ibidem.corpus.reading import CountedDocuments
from ibidem.corpus.writing.changes import Changes, NewColumn, keep_all
from ibidem.corpus.writing.cutting import edit_text
from ibidem.corpus.writing.rewriting import rewrite_file
from ibidem.resources import Resources
from ibidem.reuse.collection import Collection
from ibidem.reuse.outputs.document_texts import DocumentPlaces
from ibidem.reuse.removal.result import Repeated
from ibidem.spans import Ignored

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
    resources: Resources,
) -> None:
    """Write each file of ``reading``, of which the number of rows is known, without the passages that go.

    Args:
        targets: where each is written.
        passages: those that go, by the numbers of the documents of all files.
    """
    first = 0
    for number, (source, count, target) in enumerate(zip(reading.files, reading.counts, targets, strict=True), 1):
        if count or source.failures is None or not source.failures.lacks_rest(source):
            target.parent.mkdir(parents=True, exist_ok=True)
            of_file = {number - first: passages[number] for number in range(first, first + count) if number in passages}
            changes = Changes(keep_all(count), reading.columns.text)
            rewrite_file(source, _change(changes, of_file, action), target)
        first += count
        resources.tell("writing", number, len(reading.files))


def _change(changes: Changes, passages: Mapping[int, Sequence[Repeated]], action: str) -> Changes:
    if action == "annotate":
        notes = {number: list(map(_describe, of_document)) for number, of_document in passages.items()}
        return changes._replace(column=NewColumn(COLUMN, _KINDS, notes))
    cuts = {number: [(each.start, each.end) for each in of_document] for number, of_document in passages.items()}
    return changes._replace(
        edits={number: partial(edit_text, cuts=ranges, action=action) for number, ranges in cuts.items()}
    )


def _describe(passage: Repeated) -> dict[str, Any]:
    return {name: getattr(passage, name) for name in _KINDS}
