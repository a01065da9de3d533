"""The pairs of KITAB's text reuse data (https://zenodo.org/records/11501559): a file for each two books.

``kitab/A/A_B.csv`` has tabs between its columns. A document whose id ends in ``.ms`` and a number is the
milestone of this number of a book, as in OpenITI; any other is a book of one milestone. ``b`` and ``e`` are the
places of characters in the milestone, ``bw`` and ``ew`` those of the words that hold them; ``s`` the two passages,
one below the other, of the length ``align_len``, with a space for each tab, line end and control character;
``ch_match`` is the number of characters that are the same in both, and ``w_match`` that of words.
"""

import re
from collections import defaultdict
from pathlib import Path
from typing import Any

from ibidem.corpus.delimited import format_row
from ibidem.reuse.outputs.aligned_text import GAP, AlignedText, align_characters
from ibidem.reuse.outputs.document_texts import DocumentTexts
from ibidem.reuse.outputs.passim import make_passim_uid
from ibidem.reuse.outputs.result import Reuse
from ibidem.text.escapes import escape_controls, name_file

_MILESTONE = re.compile(r"(.+)\.ms(\d+)", re.DOTALL)

_BREAK = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""Characters that break a row, or a cell, for some reader."""

_SIDE = ("id", "series_b", "seq", "b", "e", "bw", "ew", "len", "uid", "gid", "s")
_BOTH = ("align_len", "matches", "ch_match", "matches_percent", "w_match")
_COLUMNS = (*(f"{name}{side}" for name in _SIDE for side in "12"), *_BOTH)


def write_kitab(reuse: Reuse, folder: Path) -> None:
    """Write the pairs into ``folder/kitab``; characters of an id that no file name can have are escaped in the name."""
    documents = DocumentTexts(reuse)
    rows: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for pair in reuse.pairs.to_pylist():
        sides = sorted(
            (_split_milestone(pair[side]), pair[f"{side}_start"], pair[f"{side}_end"], pair[side]) for side in "ab"
        )
        rows[sides[0][0][0], sides[1][0][0]].append(_make_row(sides, documents))
    for (a, b), pair_rows in rows.items():
        place = folder / "kitab" / name_file(a)
        place.mkdir(parents=True, exist_ok=True)
        with (place / f"{name_file(a)}_{name_file(b)}.csv").open("x", encoding="utf-8", newline="") as file:
            file.write(format_row(_COLUMNS, "\t") + "\n")
            for row in pair_rows:
                file.write(format_row([row[name] for name in _COLUMNS], "\t") + "\n")


def _split_milestone(id: str) -> tuple[str, int]:
    """The book and the number of the milestone that a document is."""
    match = _MILESTONE.fullmatch(id)
    return (match[1], int(match[2])) if match else (id, 1)


def _make_row(sides: list[tuple[tuple[str, int], int, int, str]], documents: DocumentTexts) -> dict[str, Any]:
    texts = align_characters(*(_BREAK.sub(" ", documents.text(id)[start:end]) for _, start, end, id in sides))
    row: dict[str, Any] = {}
    for number, ((book, milestone), start, end, id) in enumerate(sides):
        text = documents.text(id)
        inside_word = start > 0 and not text[start - 1].isspace()
        first, last = len(text[:start].split()) - inside_word, len(text[:end].split())
        values = (
            *(escape_controls(id), escape_controls(book), milestone),
            *(start, end, first, last, len(text)),
            *(make_passim_uid(id), make_passim_uid(book), texts[number]),
        )
        row |= {f"{column}{number + 1}": value for column, value in zip(_SIDE, values, strict=True)}
    length = len(texts.a)
    percent = 100 * texts.matches / length if length else 0.0
    return row | dict(
        zip(_BOTH, (length, texts.matches, texts.matches, f"{percent:.2f}", _count_equal_words(texts)), strict=True)
    )


def _count_equal_words(texts: AlignedText) -> int:
    """Count the words that are aligned with the same word."""
    spans = [{(match.start(), match.end()) for match in re.finditer(r"\S+", text)} for text in (texts.a, texts.b)]
    return sum(
        texts.a[start:end] == texts.b[start:end] and GAP not in texts.a[start:end] for start, end in spans[0] & spans[1]
    )
