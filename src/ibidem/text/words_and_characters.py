"""The tokenizers ``words`` and ``characters``, for text in any script."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.text.batches import Texts, Tokens
from ibidem.text.scanning import scan, scan_characters, scan_words
from ibidem.text.unicode_table import load

__all__ = ["Characters", "Words"]


class Words:
    """Cuts texts into words.

    A token is an ideograph with the marks that follow it, or a longest run of other letters, numbers and marks that
    begins with a letter or number. Everything else separates, so ``don't`` is two words; a mark with nothing before it
    belongs to none. Ideographs are the CJK unified and compatibility ideographs and ``〇``.

    Two tokens are the same if they match canonically without case, code point by code point: NFD(casefold(NFD(c))).
    ``é`` is the same as one code point or as two, and ``ß`` is ``ss``. Classes and folding are those of Unicode 14.
    """

    def encode(self, texts: Texts, *, offsets: bool = False) -> Tokens:
        """Tokens of ``texts``."""
        # Between two words of one byte stands a separator, and an ideograph takes three bytes.
        return scan(scan_words, texts, (texts.nbytes + len(texts)) // 2, offsets=offsets)

    def last_cut(self, data: NDArray[np.uint8]) -> int:
        """Behind the last separator of one byte: it ends a token, and what follows depends on nothing before."""
        found = np.flatnonzero(load().ascii[data] == 0) if len(data) else np.zeros(0, np.int64)
        ends = found[data[found] < 0x80]
        return int(ends[-1]) + 1 if len(ends) else 0

    @property
    def config(self) -> dict[str, Any]:
        """The configuration from which ``make_tokenizer()`` rebuilds this tokenizer."""
        return {"name": "words", "version": 1, "shingle": 1}


class Characters:
    """Makes every code point a token, punctuation, marks and control characters too; a run of white space is one.

    Two tokens are the same if they fold to the same code points, as in words: ``É`` is ``é``, but an ``é`` in two code
    points is two tokens. A run of white space (``str.isspace``: tabs and line ends too) is always the same token, also
    at the beginning and the end of a text. A lone surrogate is a token.
    """

    def encode(self, texts: Texts, *, offsets: bool = False) -> Tokens:
        """Tokens of ``texts``."""
        return scan(scan_characters, texts, texts.nbytes, offsets=offsets)

    def last_cut(self, data: NDArray[np.uint8]) -> int:
        """Before the last sign of one byte, or of the bytes of common ideographs, that is no white space."""
        found = np.flatnonzero(((data > 0x20) & (data < 0x7F)) | ((data >= 0xE4) & (data <= 0xE9)))
        return int(found[-1]) if len(found) else 0

    @property
    def config(self) -> dict[str, Any]:
        """The configuration from which ``make_tokenizer()`` rebuilds this tokenizer."""
        return {"name": "characters", "version": 1, "shingle": 1}
