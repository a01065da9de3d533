"""The tokenizers ``words`` and ``characters``, for text in any script."""

from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ibidem.text.batches import Texts, Tokens
from ibidem.text.normalization.chain import Normalization
from ibidem.text.scanning import BLANK, scan, scan_characters, scan_words
from ibidem.text.unicode_table import BLOCK, LINE_JOINER, SEPARATOR, SPACE, FoldTable, load

ALL = 1 << 40
"""More letters than a word has."""

MOST_REPLACED = 3
"""The most code points for each byte of what a character is replaced by: those of two bytes become six at most."""


class _Scanner:
    """A tokenizer by the classes of code points, and by what a normalization replaces them by."""

    _name: ClassVar[str]

    def __init__(self, normalization: Normalization | None = None) -> None:
        self._normalization = normalization
        self._table = load() if normalization is None else normalization.table

    def __reduce__(self) -> tuple[Any, ...]:
        """Other processes have the tables, which are too large for the pipe by which a process is started."""
        return type(self), (self._normalization,)

    @property
    def config(self) -> dict[str, Any]:
        """The configuration from which ``make_tokenizer()`` rebuilds this tokenizer."""
        normalization = {} if self._normalization is None else {"normalization": self._normalization.config}
        return {"name": self._name, "version": 1, **normalization, "shingle": 1}


class Words(_Scanner):
    """Cuts texts into words.

    A token is an ideograph with the marks that follow it, or a longest run of other letters, numbers and marks that
    begins with a letter or number. Everything else separates, so ``don't`` is two words; a mark with nothing before it
    belongs to none. Ideographs are the CJK unified and compatibility ideographs and ``〇``.

    Two tokens are the same if they match canonically without case, code point by code point: NFD(casefold(NFD(c))).
    ``é`` is the same as one code point or as two, and ``ß`` is ``ss``. Classes and folding are those of Unicode 14. A
    ``normalization`` says which further spellings count as the same.
    """

    _name = "words"

    def encode(self, texts: Texts, *, offsets: bool = False) -> Tokens:
        """Tokens of ``texts``."""
        # A separator divides two words of one byte, and an ideograph takes three bytes.
        most = (texts.nbytes + len(texts)) // 2
        if self._normalization is not None:
            most = texts.nbytes  # a sign may be a word by itself
        letters = ALL if self._normalization is None else self._normalization.most_letters or ALL
        return scan(partial(scan_words, most_letters=letters), texts, most, offsets=offsets, table=self._table)

    def last_cut(self, data: NDArray[np.uint8]) -> int:
        """Behind the last separator of one byte: it ends a token, and what follows depends on nothing before."""
        ends = np.flatnonzero(separators(self._table)[data])
        return int(ends[-1]) + 1 if len(ends) else 0


class Characters(_Scanner):
    """Makes every code point a token, punctuation, marks and control characters too; a run of white space is one.

    Two tokens are the same if they fold to the same code points, as in words: ``É`` is ``é``, but an ``é`` in two code
    points is two tokens. A run of white space (``str.isspace``: tabs and line ends too) is always the same token, also
    at the beginning and the end of a text. A lone surrogate is a token.

    With a ``normalization``, a character is as many tokens as it is replaced by: ``æ`` is an ``a`` and an ``e``, and a
    vowel point that is dropped is none.
    """

    _name = "characters"

    def encode(self, texts: Texts, *, offsets: bool = False) -> Tokens:
        """Tokens of ``texts``."""
        splits = self._normalization is not None
        most = texts.nbytes * (MOST_REPLACED if splits else 1)
        return scan(partial(scan_characters, splits=splits), texts, most, offsets=offsets, table=self._table)

    def last_cut(self, data: NDArray[np.uint8]) -> int:
        """Before the last sign of one byte, or of the bytes of common ideographs, that is no white space."""
        if self._normalization is not None:  # a letter may depend on a joiner before it
            ends = separators(self._table)[data] & (data > BLANK)
            ends_of_tokens = np.flatnonzero(ends)
        else:
            ends_of_tokens = np.flatnonzero(((data > BLANK) & (data < 0x7F)) | ((data >= 0xE4) & (data <= 0xE9)))
        return int(ends_of_tokens[-1]) if len(ends_of_tokens) else 0


def separators(table: FoldTable) -> NDArray[np.bool_]:
    """Return the bytes that end a word whatever their neighbours are: bool [256].

    Where words are joined at the end of a line, white space may occur inside of one.
    """
    classes = (table.entries[int(table.blocks[0]) * BLOCK :][:BLOCK] & 7).astype(np.uint8)
    ends = classes == SEPARATOR
    if not (classes == LINE_JOINER).any():
        ends |= classes == SPACE
    return np.concatenate([ends, np.zeros(256 - BLOCK, np.bool_)])
