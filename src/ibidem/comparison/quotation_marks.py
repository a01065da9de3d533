"""The parts of a text in quotation marks."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

_CLOSING = {
    "“": "”",
    "”": "”",
    "„": "“”",
    "‟": "”",
    "«": "»",
    "»": "«»",
    "‹": "›",
    "›": "‹›",
    "‘": "’‘",
    "‚": "‘’",
    "「": "」",
    "『": "』",
    "﹁": "﹂",
    "﹃": "﹄",
    "〝": "〞〟",
    '"': '"',
    "＂": "＂",
}
"""Closing quotation marks by the mark that opens: English “a”, German „a“ and »a«, French « a », Swedish ”a” and
»a», Japanese and Chinese 「a」. An apostrophe is no mark that opens."""

_PARAGRAPHS = re.compile(r"\n[^\S\n]*\n")


def find_quotations(text: str) -> list[tuple[int, int]]:
    """The half-open ranges of code points in quotation marks, without the marks; none lies in another.

    A quotation ends in its paragraph. A mark that is not closed there opens none, so an inch or a lost mark is no harm
    beyond a blank line.

    >>> text = 'He wrote: “To be, or not to be.” She: «Être ou ne pas être». 6" are short.'
    >>> [text[start:end] for start, end in find_quotations(text)]
    ['To be, or not to be.', 'Être ou ne pas être']
    """
    ranges: list[tuple[int, int]] = []
    for start, end in _paragraphs(text):
        at = start
        while at < end:
            closing = _CLOSING.get(text[at])
            last = _find_closing(text, at, end, closing) if closing else -1
            if last > 0:
                ranges.append((at + 1, last))
                at = last
            at += 1
    return ranges


def find_quoted_tokens(text: str, starts: NDArray[Any], ends: NDArray[Any], least: int) -> list[tuple[int, int]]:
    """The half-open ranges of tokens in quotation marks, ``least`` or more in one quotation.

    ``starts`` and ``ends`` [n] are the code points of the tokens.
    """
    ranges = (
        (int(np.searchsorted(starts, first)), int(np.searchsorted(ends, last, side="right")))
        for first, last in find_quotations(text)
    )
    return [(first, last) for first, last in ranges if last - first >= least]


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for between in _PARAGRAPHS.finditer(text):
        yield start, between.start()
        start = between.end()
    yield start, len(text)


def _find_closing(text: str, opening: int, end: int, closing: str) -> int:
    """Where the quotation that begins with the mark at ``opening`` ends; -1 if it does not."""
    mark, depth = text[opening], 1
    for at in range(opening + 1, end):
        if text[at] in closing:
            if text[at] in "’" and at + 1 < end and text[at + 1].isalnum():
                continue  # an apostrophe
            depth -= 1
            if depth == 0:
                return at
        elif text[at] == mark:
            depth += 1
    return -1
