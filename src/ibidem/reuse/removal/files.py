"""Files without their repeated passages: a new folder with a file like each input, and a list of what was found."""

import json
import os
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache, partial
from pathlib import Path, PurePath
from typing import Any, NamedTuple

import msgspec
import numpy as np

from ibidem.corpus.failures import Failures
from ibidem.corpus.opening import LARGEST_LINE
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import ReadingProgress, Source, list_sources
from ibidem.corpus.writing.annotating import NewColumn, write_annotated
from ibidem.corpus.writing.filtering import CountedDocuments, write_filtered
from ibidem.corpus.writing.output_folder import names_below, require_room
from ibidem.corpus.writing.rewriting import write_edited
from ibidem.corpus.writing.workplace import hold_workplace, make_empty
from ibidem.resources import Resources
from ibidem.reuse.collection import TOKENS, Collection, assemble_collection
from ibidem.reuse.grams import with_grams
from ibidem.reuse.removal.cutting import ACTIONS, edit_text
from ibidem.reuse.removal.deduplicate import PassageChoices, PassageDeduplication, choose_repeated, find_kept
from ibidem.reuse.removal.duplicates import find_duplicates
from ibidem.reuse.removal.resuming import PassageSteps
from ibidem.store.files import disk
from ibidem.store.files.columns import ColumnWriter

__all__ = ["WrittenPassages", "deduplicate_passages_of_files"]

_COLUMN = "repeated"
"""What annotating adds to each row: a list of these."""

_PLACES_KEPT = 64

_KINDS = {
    "start": "int64",
    "end": "int64",
    "tokens": "int64",
    "duplicate_of": "string",
    "of_start": "int64",
    "of_end": "int64",
    "similarity": "float64",
}


class WrittenPassages(NamedTuple):
    """What ``deduplicate_passages_of_files`` did.

    Attributes:
        summary: what stands in ``summary.json``.
        resumed: the steps that an interrupted call had done, of ``"reading"`` and ``"comparing"``.
    """

    summary: dict[str, Any]
    resumed: tuple[str, ...]


class _Work(NamedTuple):
    """What was read and found.

    Attributes:
        cuts: the ranges to cut from each row of the input that loses some.
    """

    reading: CountedDocuments
    collection: Collection
    found: PassageDeduplication
    cuts: dict[int, list[tuple[int, int]]]


def deduplicate_passages_of_files(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    choices: PassageChoices,
    resources: Resources,
    *,
    text: str = "text",
    id: str = "id",
    action: str = "remove",
    max_line: str | int = LARGEST_LINE,
    encoding: str | None = None,
    progress: ReadingProgress | None = None,
    failures: Failures | None = None,
) -> WrittenPassages:
    """Deduplicate the passages of files into a new folder ``output``.

    It holds ``kept/``, a file of the same name, format, compression and columns for each input, with the same rows;
    ``passages.jsonl``, a line for each passage that goes; ``left_out.jsonl``, one for each that stays since it is
    similar to a text to ignore, if there are such texts; and ``summary.json``. With the action ``"annotate"`` all
    texts stay, and each row has one more column, ``repeated``: a list of the passages that would go. If the work is
    interrupted, the same call goes on from the last step that was done.

    Text files and separated values are in ``encoding``, as ``ibidem.read`` takes it; tables are kept in UTF-8 then.

    ``failures`` are told which rows and files are left out because they cannot be read; these are not in ``kept/``.
    Without them, that is an error.

    Raises:
        CorpusError: a document cannot be used, an input cannot be read twice or was changed meanwhile, something stands
            at ``output``, or ``output`` is or holds an input, or stands in one.
        LockedError: another process writes to this output.
    """
    if action not in ACTIONS:
        raise ValueError(f"action is one of {', '.join(ACTIONS)}, not {action!r}")
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    columns = Columns.of(text, id, max_line, encoding)
    files = [each._replace(encoding=columns.encoding) for each in list_sources(given, progress, failures)]
    reading = CountedDocuments(files, columns, resources.batch_bytes)
    output = Path(output)
    require_room(output, reading.files, given)
    with hold_workplace(output) as folder:
        steps = PassageSteps(folder / "steps", reading, choices, failures)
        place, result = make_empty(folder / "columns"), make_empty(folder / "result")
        work = _find(steps, reading, choices, place, resources)
        _write_passages(result / "passages.jsonl", work)
        if choices.ignore:
            _write_ignored(result / "left_out.jsonl", work)
        _write_files(result / "kept", work, action, make_empty(folder / "readable"), resources)
        summary = _summarize(work, action) | _count_left_out(failures)
        (result / "summary.json").write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
        disk.sync_tree(result)
        disk.rename(result, output)
        disk.sync_folder(output.absolute().parent)
    return WrittenPassages(summary, tuple(steps.resumed))


def _find(
    steps: PassageSteps, reading: CountedDocuments, choices: PassageChoices, columns: Path, resources: Resources
) -> _Work:
    """What there is to write; columns that follow from what was read go to ``columns``."""
    part = steps.read(resources)
    read = assemble_collection([part], ColumnWriter(columns, TOKENS), order=choices.order_rows)
    collection = with_grams(read, columns)
    duplicates = steps.compare(
        lambda: find_duplicates(collection, choices.join, choices.min_length, columns, resources)
    )
    found = choose_repeated(collection, duplicates, choices, find_kept(read, choices, resources.workers))
    return _Work(reading, collection, found, _cuts_by_row(collection, found))


def _cuts_by_row(collection: Collection, found: PassageDeduplication) -> dict[int, list[tuple[int, int]]]:
    cuts = found.cuts()
    rows = zip(collection.ids, collection.input.order.tolist(), strict=True)
    return {row: cuts[name] for name, row in rows if name in cuts}


def _write_passages(path: Path, work: _Work) -> None:
    """A line for each passage, with its text, in the order of the input."""
    numbers = {name: number for number, name in enumerate(work.collection.ids)}
    name, text, places = "", "", _PlacesByName(work.collection, numbers)
    with path.open("x", encoding="ascii", newline="\n") as file:
        for each in work.found.removed:
            if each.document != name:
                name, text = each.document, work.collection.text(numbers[each.document])
            record = each._asdict() | {"text": text[each.start : each.end]}
            for prefix, document, *span in (
                ("", each.document, each.start, each.end),
                ("of_", each.duplicate_of, each.of_start, each.of_end),
            ):
                if place := places.describe(document, *span):
                    record[f"{prefix}locator"] = place
            file.write(json.dumps(record) + "\n")


def _write_ignored(path: Path, work: _Work) -> None:
    """A line for each passage of which nothing goes, since it is similar to a text to ignore."""
    places = _PlacesByName(work.collection, {name: number for number, name in enumerate(work.collection.ids)})
    with path.open("x", encoding="ascii", newline="\n") as file:
        for each in work.found.ignored:
            place = places.describe(each.document, each.start, each.end)
            located = {"locator": place} if place else {}
            file.write(json.dumps({"reason": "ignored"} | msgspec.structs.asdict(each) | located) + "\n")


class _PlacesByName:
    """The places of documents in their originals; those of the last few that were asked for are kept."""

    def __init__(self, collection: Collection, numbers: dict[str, int]) -> None:
        self._find = lru_cache(_PLACES_KEPT)(lambda name: collection.locators(numbers[name]))

    def describe(self, document: str, start: int, end: int) -> str:
        """The place of a passage; empty if none is known."""
        return self._find(document).describe(start, end)


def _write_files(folder: Path, work: _Work, action: str, scratch: Path, resources: Resources) -> None:
    first_rows = [sum(work.reading.counts[:number]) for number in range(len(work.reading.files))]
    rows_of: dict[int, list[int]] = defaultdict(list)
    file = 0
    for row in sorted(work.cuts):
        while file + 1 < len(first_rows) and first_rows[file + 1] <= row:
            file += 1
        rows_of[file].append(row)
    passages = _passages_by_row(work) if action == "annotate" else {}
    names = names_below(work.reading.files)
    for number, (source, name, count) in enumerate(zip(work.reading.files, names, work.reading.counts, strict=True)):
        target, first = folder / name, first_rows[number]
        if not count and source.failures is not None and source.failures.lacks_rest(source):
            continue
        source = _keep_readable(source, count, scratch)
        target.parent.mkdir(parents=True, exist_ok=True)
        if action == "annotate":
            column = NewColumn(_COLUMN, _KINDS, {row - first: passages[row] for row in rows_of[number]})
            write_annotated(source, column, count, target)
        else:
            edits = {row - first: partial(edit_text, cuts=work.cuts[row], action=action) for row in rows_of[number]}
            write_edited(source, work.reading.columns.text, edits, count, target)
        resources.tell("writing", number + 1, len(names))


def _keep_readable(source: Source, count: int, folder: Path) -> Source:
    """The source, or if rows of it were left out, a copy with the ``count`` others; it takes the place of the last."""
    failures = source.failures
    if failures is None or not (failures.lacks_rest(source) or len(failures.rows_of(source))):
        return source
    copy = make_empty(folder) / PurePath(source.name).name
    write_filtered(source, np.ones(count, np.bool_), copy)
    return Source(str(copy), source.name)


def _count_left_out(failures: Failures | None) -> dict[str, int]:
    return {"rows_left_out": failures.rows if failures else 0, "files_left_out": failures.files if failures else 0}


def _passages_by_row(work: _Work) -> dict[int, list[dict[str, Any]]]:
    """What the new column says of each row of the input that has repeated passages."""
    row_of = dict(zip(work.collection.ids, work.collection.input.order.tolist(), strict=True))
    passages: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for each in work.found.removed:
        said = each._asdict()
        passages[row_of[each.document]].append({name: said[name] for name in _KINDS})
    return passages


def _summarize(work: _Work, action: str) -> dict[str, Any]:
    lost: dict[str, int] = defaultdict(int)
    for each in work.found.removed:
        lost[each.document] += each.tokens
    whole = zip(work.collection.ids, work.collection.bounds[:-1], work.collection.bounds[1:], strict=True)
    emptied = [name for name, first, last in whole if name in lost and lost[name] == last - first]
    return {
        "action": action,
        "documents": work.found.documents,
        "tokens": work.found.tokens,
        "passages": len(work.found.removed),
        "passage_tokens": sum(lost.values()),
        "ignored_passages": len(work.found.ignored),
        "changed_documents": len(lost),
        "emptied_documents": len(emptied),
    }
