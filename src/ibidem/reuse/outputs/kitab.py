"""The pairs of KITAB's text reuse data (https://zenodo.org/records/11501559): a file for each two books.

``kitab/A/A_B.csv`` has tabs between its columns. A document whose id ends in ``.ms`` and a number is the
milestone of this number of a book, as in OpenITI; any other is a book of one milestone. ``b`` and ``e`` are the
places of characters in the milestone, ``bw`` and ``ew`` those of words; ``s`` the two passages, one below the
other, of the length ``align_len``; ``ch_match`` says how many characters are the same in both, and ``w_match``
how many words.
"""

import csv
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

from ibidem.errors import CorpusError
from ibidem.reuse.outputs.aligned_text import GAP, AlignedText, align_characters
from ibidem.reuse.outputs.document_texts import DocumentTexts
from ibidem.reuse.outputs.passim import passim_uid
from ibidem.reuse.outputs.result import Reuse

__all__ = ["write_kitab"]

_MILESTONE = re.compile(r"(.+)\.ms(\d+)", re.DOTALL)

_SIDE = ("id", "series_b", "seq", "b", "e", "bw", "ew", "len", "uid", "gid", "s")
_BOTH = ("align_len", "matches", "ch_match", "matches_percent", "w_match")
_COLUMNS = (*(f"{name}{side}" for name in _SIDE for side in "12"), *_BOTH)


def write_kitab(found: Reuse, folder: Path) -> None:
    """Write the pairs into ``folder/kitab``.

    Raises:
        CorpusError: the name of a book cannot be that of a file.
    """
    documents = DocumentTexts(found)
    rows: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for pair in found.pairs.to_pylist():
        sides = sorted((_book(pair[side]), pair[f"{side}_start"], pair[f"{side}_end"], pair[side]) for side in "ab")
        rows[sides[0][0][0], sides[1][0][0]].append(_row(sides, documents))
    for (a, b), listed in rows.items():
        for name in (a, b):
            if "/" in name or name in (".", "..", ""):
                raise CorpusError(f"document {name!r}: a file is named by it here, and a name has no slash")
        place = folder / "kitab" / a
        place.mkdir(parents=True, exist_ok=True)
        with (place / f"{a}_{b}.csv").open("x", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, _COLUMNS, delimiter="\t", lineterminator="\n")
            writer.writeheader()
            writer.writerows(listed)


def _book(id: str) -> tuple[str, int]:
    """The book and the number of the milestone that a document is."""
    match = _MILESTONE.fullmatch(id)
    return (match[1], int(match[2])) if match else (id, 1)


def _row(sides: list[tuple[tuple[str, int], int, int, str]], documents: DocumentTexts) -> dict[str, Any]:
    texts = [documents.text(name)[start:end] for _, start, end, name in sides]
    aligned = align_characters(*texts)
    below = [text.replace("\n", " ").replace("\t", " ") for text in (aligned.a, aligned.b)]
    row: dict[str, Any] = {}
    for number, ((book, milestone), start, end, name) in enumerate(sides):
        before, inside = documents.text(name)[:start], texts[number]
        words = len(before.split())
        own = (
            *(name, book, milestone, start, end, words, words + len(inside.split()), len(documents.text(name))),
            *(passim_uid(name), passim_uid(book), below[number]),
        )
        row |= {f"{column}{number + 1}": value for column, value in zip(_SIDE, own, strict=True)}
    length = len(aligned.a)
    percent = 100 * aligned.matches / length if length else 0.0
    return row | dict(
        zip(_BOTH, (length, aligned.matches, aligned.matches, f"{percent:.2f}", _equal_words(aligned)), strict=True)
    )


def _equal_words(aligned: AlignedText) -> int:
    """How many words stand below the same word."""
    spans = [{(match.start(), match.end()) for match in re.finditer(r"\S+", text)} for text in (aligned.a, aligned.b)]
    return sum(
        aligned.a[start:end] == aligned.b[start:end] and GAP not in aligned.a[start:end]
        for start, end in spans[0] & spans[1]
    )
