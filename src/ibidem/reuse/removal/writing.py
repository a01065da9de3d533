"""Files without their repeated passages, and the list of these passages."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from ibidem.corpus.failures import Failures
from ibidem.corpus.inputs import InputPart
from ibidem.corpus.writing.changes import Changes, NewColumn, keep_all
from ibidem.corpus.writing.kept import join_files, place_files
from ibidem.corpus.writing.left_out import write_left_out
from ibidem.corpus.writing.rewriting import rewrite_file
from ibidem.corpus.writing.tables import write_summary
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

KEPT = "kept"
"""The folder of the files without the passages."""

Edit = Callable[..., str]
"""Gives a text without the ``passages`` that go from it."""


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
    part: InputPart,
    left_out: Failures,
    counts: Sequence[int],
    passages: Mapping[int, Sequence[Any]],
    edit: Edit | None,
    kinds: Mapping[str, str],
    folder: Path,
    resources: Resources,
) -> None:
    """Write each file of a part without the passages that go, or with a column that lists them.

    Args:
        left_out: what was left out when the part was read.
        counts: how many documents each file has.
        passages: those that go, by the numbers of the documents of all files.
        edit: makes a text without its passages; they are listed if there is none.
        kinds: what of a passage the column has.
    """
    reading, first = part.open(resources, left_out), 0
    files = zip(reading.files, counts, place_files(part, folder / KEPT), strict=True)
    for number, (source, count, target) in enumerate(files, 1):
        if count or source.failures is None or not source.failures.lacks_rest(source):
            target.parent.mkdir(parents=True, exist_ok=True)
            rows = [row for row in range(first, first + count) if row in passages]
            changes = Changes(keep_all(count), reading.columns.text)
            if edit is None:
                notes = {row - first: [_describe(each, kinds) for each in passages[row]] for row in rows}
                changes = changes._replace(column=NewColumn(COLUMN, kinds, notes))
            else:
                edits = {row - first: partial(edit, passages=passages[row]) for row in rows}
                changes = changes._replace(edits=edits)
            rewrite_file(source, changes, target)
        first += count
        resources.tell("writing", number, len(reading.files))


def _describe(passage: Any, kinds: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(passage, name) for name in kinds}


def gather_files(
    parts: Sequence[InputPart],
    read: Sequence[Path],
    written: Sequence[Path],
    counts: Sequence[Sequence[int]],
    summary: Mapping[str, Any],
    target: Path,
) -> None:
    """Put the files that were written, what was left out and the summary into the folder of the result."""
    write_left_out(target, parts, read, counts)
    join_files(parts, [each / KEPT for each in written], target / KEPT)
    write_summary(summary, target)
