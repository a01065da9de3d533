"""The actions on documents that hold a leak."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ibidem.contamination.detector import Detector
from ibidem.contamination.result import Judgement, describe_occurrence
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.changes import Changes, NewColumn, keep_all
from ibidem.corpus.writing.cutting import edit_text
from ibidem.corpus.writing.rewriting import rewrite_file

ACTIONS = ("report", "annotate", "remove", "mask", "cut")

Notes = Mapping[int, Sequence[Mapping[str, Any]]]
"""The notes on documents of a file that hold leaks, by their numbers: notes with the names of ``_KINDS``."""

_COLUMN = "contamination"
"""The column that annotating adds to each row: a list of its leaks."""

_KINDS = {
    "start": "int64",
    "end": "int64",
    "eval_key": "string",
    "config": "string",
    "split": "string",
    "eval_instance_index": "string",
    "part": "string",
    "containment": "float64",
    "evidence": "float64",
}

_ENDS = ".!?…。！？؟।"
_CLOSING = "\"')]}»”’」』"


def note_leaks(detector: Detector, judgement: Judgement, files: int) -> list[dict[int, list[dict[str, Any]]]]:
    """The notes on the leaks in each of some files."""
    notes: list[dict[int, list[dict[str, Any]]]] = [{} for _ in range(files)]
    for leak in judgement.leaks:
        document, row = leak.occurrence.document, describe_occurrence(detector, leak)
        exact = {"containment": leak.occurrence.containment, "evidence": leak.evidence}
        note = {name: row[name] for name in _KINDS} | exact
        notes[document.file].setdefault(document.number, []).append(note)
    return notes


def write_changed(source: Source, text: str, count: int, notes: Notes, action: str, target: Path) -> None:
    """Write a file like ``source``, which has ``count`` documents, with its leaks annotated, removed, masked or cut.

    Args:
        text: the column that holds the text.

    Raises:
        CorpusError: the file was changed in the meantime.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    changes = Changes(keep_all(count), text)
    if action == "remove":
        changes.keep[list(notes)] = False
    elif action == "annotate":
        changes = changes._replace(column=NewColumn(_COLUMN, _KINDS, notes))
    else:
        edits = {number: partial(_edit, notes=of_document, action=action) for number, of_document in notes.items()}
        changes = changes._replace(edits=edits)
    rewrite_file(source, changes, target)


def _edit(text: str, notes: Sequence[Mapping[str, Any]], action: str) -> str:
    spans = [(note["start"], note["end"]) for note in notes]
    if action == "cut":
        spans = [widen_to_sentences(text, *span) for span in spans]
    return edit_text(text, _merge(spans), "mask" if action == "mask" else "remove")


def _merge(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sort places and join those that overlap."""
    disjoint_spans: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if disjoint_spans and start <= disjoint_spans[-1][1]:
            disjoint_spans[-1] = disjoint_spans[-1][0], max(disjoint_spans[-1][1], end)
        else:
            disjoint_spans.append((start, end))
    return disjoint_spans


def widen_to_sentences(text: str, start: int, end: int) -> tuple[int, int]:
    """The whole sentences, or lines, that a place of a text is in, with the white space behind them.

    >>> text = "One two. Three four, five six! Seven."
    >>> text[slice(*widen_to_sentences(text, 15, 19))]
    'Three four, five six! '
    """
    while start and not _is_end(text, start - 1):
        start -= 1
    while start < end and text[start].isspace():
        start += 1
    while end < len(text) and not _is_end(text, end - 1):
        end += 1
    while end < len(text) and text[end].isspace() and text[end - 1] not in "\n\r":
        end += 1
    return start, end


def _is_end(text: str, position: int) -> bool:
    """Determine whether a sentence or a line ends with the character at a place."""
    if text[position] in "\n\r":
        return True
    last_sign = position
    while last_sign and text[last_sign] in _CLOSING:
        last_sign -= 1
    if text[last_sign] not in _ENDS:
        return False
    next_character = text[position + 1 : position + 2]
    return (
        not next_character
        or text[last_sign] in "。！？"
        or not (next_character.isalnum() or next_character in _CLOSING + _ENDS)
    )
