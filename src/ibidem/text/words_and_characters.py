"""The tokenizers ``words`` and ``characters``, for text in any script."""

from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ibidem.text.batches import Texts, Tokens
from ibidem.text.look_alikes import restore_script
from ibidem.text.normalization.chain import NONE, Normalization
from ibidem.text.scanning import scan, scan_characters, scan_words

ALL = 1 << 40
"""More letters than a word has."""

MOST_REPLACED = 3
"""The most code points for each byte of what a character is replaced by: those of two bytes become six at most."""


VERSION = 2
"""The version of the ids of both tokenizers."""


class _Scanner:
    """A tokenizer by the classes of code points, and by what a normalization replaces them by."""

    _name: ClassVar[str]

    def __init__(self, normalization: Normalization | None = None) -> None:
        self.normalization = normalization or Normalization(())

    def __reduce__(self) -> tuple[Any, ...]:
        """Other processes have the tables, which are too large for the pipe by which a process is started."""
        return type(self), (self.normalization,)

    @property
    def config(self) -> dict[str, Any]:
        """The configuration from which ``make_tokenizer()`` rebuilds this tokenizer."""
        normalization = {"normalization": self.normalization.config} if self.normalization.names else {}
        return {"name": self._name, "version": VERSION, **normalization, "shingle": 1}

    @property
    def _replaces(self) -> bool:
        """Whether a character may become a word, several letters, or part of a word."""
        return not {*self.normalization.names} <= {NONE}


class Words(_Scanner):
    """Cuts texts into words.

    A token is a longest run of letters, numbers and marks that begins with a letter or number. Everything else
    separates, so ``don't`` is two words; a mark with nothing before it belongs to none. In scripts that write no spaces
    between words, each letter is a token, with the marks that follow it: CJK ideographs, kana (with the small kana that
    follow), and the consonants of Thai, Lao, Khmer, Burmese and their like (with the vowels written around them).

    Two tokens are the same if they match canonically without case: NFD(casefold(NFD(w))), so ``é`` is the same as one
    code point or as two, marks count in whatever order they are written, and ``ß`` is ``ss``. Code points that are not
    seen (``Default_Ignorable_Code_Point``) neither separate nor count, and neither do points that a writer may leave
    out. A letter that looks like one of the script of its word is taken for it. Classes and folding are those of
    Unicode 14. A ``normalization`` says which further spellings count as the same.
    """

    _name = "words"

    def encode(self, texts: Texts, *, offsets: bool = False) -> Tokens:
        """Tokens of ``texts``."""
        tokens, mixed = self._scan(texts, offsets)
        if len(mixed) and self.normalization.restores_scripts:
            self._restore_scripts(texts, tokens, mixed)
        return tokens

    def _scan(self, texts: Texts, offsets: bool) -> tuple[Tokens, NDArray[np.int64]]:
        # A separator divides two words of one byte, and an ideograph takes three bytes. A sign may be a word by itself.
        most = texts.nbytes if self._replaces else (texts.nbytes + len(texts)) // 2
        letters = self.normalization.most_letters or ALL
        room = 16 + texts.nbytes // 32  # memory that is never written costs nothing
        while True:
            mixed = np.empty((room, 3), np.int64)
            scanner = partial(scan_words, most_letters=letters, mixed=mixed)
            tokens, count = scan(scanner, texts, most, offsets=offsets, table=self.normalization.table)
            if count <= room:
                return tokens, mixed[:count]
            room = count

    def _restore_scripts(self, texts: Texts, tokens: Tokens, mixed: NDArray[np.int64]) -> None:
        """Give words of several scripts, where these hide a word of one, the id of that word."""
        restored: dict[bytes, str] = {}
        numbers, words = [], []
        for number, first, last in mixed.tolist():
            data = texts.data[first:last].tobytes()
            if data not in restored:
                word = data.decode()
                plain = restore_script(word)
                restored[data] = "" if plain == word else plain
            if restored[data]:
                numbers.append(number)
                words.append(restored[data])
        tokens.ids[numbers] = self._scan(Texts.from_strings(words), offsets=False)[0].ids


class Characters(_Scanner):
    """Makes every character a token, punctuation and control characters too; a run of white space is one.

    A character is a code point with the marks that follow it, or a syllable of Hangul; in scripts without spaces
    between words, what is a token of words. Two tokens are the same if they fold to the same code points, as in words:
    ``É`` is ``é``, as one code point or as two. A run of white space (``str.isspace``: tabs and line ends too) is one
    token, always the same, also at the beginning and the end of a text. A lone surrogate is a token, and so is a mark
    without a character before it. What is not seen, and points, are none.

    With a ``normalization``, a character is as many tokens as it is replaced by: ``æ`` is an ``a`` and an ``e``.
    """

    _name = "characters"

    def encode(self, texts: Texts, *, offsets: bool = False) -> Tokens:
        """Tokens of ``texts``."""
        most = texts.nbytes * (MOST_REPLACED if self._replaces else 1)
        scanner = partial(scan_characters, splits=self._replaces)
        return scan(scanner, texts, most, offsets=offsets, table=self.normalization.table)[0]
