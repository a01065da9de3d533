"""The table of code points that tokenizers read: what each does to the words around it, and what it folds to.

Token ids are kept in indexes, so they must not change with the Unicode version of a Python. The table was therefore
made once, from the character database of Unicode 14 (Python 3.11), by ``release/unicode_table.py``, and travels with
the package.
"""

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SEPARATOR, SPACE, MARK, LETTER, IDEOGRAPH, JOINER, LINE_JOINER, SOFT_JOINER = range(8)
"""Classes of code points. ``IDEOGRAPH`` is a letter of a script that writes no spaces between words, a token by itself.
A joiner between two letters separates no words, and belongs to none; a line joiner does this at the end of a line. Only
normalization makes joiners: bit 0 is set if letters may follow at once, bit 1 if on the next line."""

ALONE, SYLLABIC, FOLLOWER, LEADER = range(4)
"""What a code point does in the tokens of scripts without spaces. A follower (a vowel behind its consonant, a small
kana) belongs to the token before it. A leader (a vowel before its consonant, a sign that stacks two consonants) takes
the syllabic letter behind it, or the next leader, into its token. An ideograph stays alone."""

SCRIPTS = ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE")
"""The scripts that have letters alike; the script of a letter is one bit of its entry, in this order."""

UNIT_BIT, SCRIPT_BIT, PLACE_BIT = 6, 8, 13
"""Where the parts of an entry begin."""

ORDER_BIT = 21
"""Where, behind the code point, the combining class of a letter begins."""

PROPERTIES = 7 | (1 << PLACE_BIT) - (1 << UNIT_BIT)
"""The bits of an entry that say what a code point does, whatever it folds to."""

BLOCK = 128

SIGN = 1
"""The entry, in the table of ASCII, of a sign that must be looked up with the other code points."""

EMPTY = 7
"""The length, in a table, of a code point that is dropped."""

Letters = tuple[int, ...]
"""What a code point folds to: code points, each with its combining class (``Canonical_Combining_Class``) above it."""

PATH = Path(__file__).with_name("unicode-14.npz")


class FoldTable(NamedTuple):
    """What every code point does and folds to, in two stages.

    The entry of code point ``c`` is ``entries[blocks[c // 128] * 128 + c % 128]``. Bits 0 to 2 are its class, bits 3 to
    5 how many letters it folds to, bits 6 and 7 what it does in scripts without spaces, bits 8 to 12 its script, and
    the bits above where its letters are in ``expansions``. A count of 0 says that it folds to itself, and of ``EMPTY``
    that it is dropped.

    Attributes:
        ascii: uint8 [256], the folded byte of an ASCII letter or digit, ``SIGN`` for an ASCII sign that separates no
            words everywhere, and 0 for every other byte.
        blocks: uint16 [8704]; entries: uint32 [128 times the number of distinct blocks].
        expansions: uint32, the letters: in bits 0 to 20 a code point, above them its combining class. What folds to
            itself has the class 0.
    """

    ascii: NDArray[np.uint8]
    blocks: NDArray[np.uint16]
    entries: NDArray[np.uint32]
    expansions: NDArray[np.uint32]


@lru_cache(maxsize=1)
def load() -> FoldTable:
    """Read the table of the package."""
    with np.load(PATH, allow_pickle=False) as columns:
        return FoldTable(*(columns[name] for name in FoldTable._fields))


def spell_text(text: str, table: FoldTable) -> str:
    """The letters of a text by a table, marks in canonical order: two words with one spelling are one token.

    >>> spell_text("STRAẞE", load())
    'strasse'
    """
    return join_letters(letter for character in text for letter in letters_of(character, table))


def join_letters(letters: Iterable[int]) -> str:
    """A string of letters, the marks of each letter in canonical order (Unicode, D109)."""
    ordered: list[int] = []
    marks: list[int] = []
    for letter in letters:
        if letter >> ORDER_BIT:
            marks.append(letter)
        else:
            ordered += [*sorted(marks, key=_combining_class), letter]
            marks = []
    ordered += sorted(marks, key=_combining_class)
    return "".join(chr(letter & (1 << ORDER_BIT) - 1) for letter in ordered)


def _combining_class(letter: int) -> int:
    return letter >> ORDER_BIT


def letters_of(character: str, table: FoldTable) -> Letters:
    """What a table folds a character to."""
    entry = entry_of(character, table)
    length, first = entry >> 3 & 7, entry >> PLACE_BIT
    if length == 0:
        return (ord(character),)
    return () if length == EMPTY else tuple(table.expansions[first : first + length].tolist())


def entry_of(character: str, table: FoldTable) -> int:
    """The entry of a character in a table."""
    code_point = ord(character)
    return int(table.entries[int(table.blocks[code_point // BLOCK]) * BLOCK + code_point % BLOCK])


@lru_cache(maxsize=1 << 16)
def fold_letters(character: str) -> Letters:
    """What the table of the package folds a character to, whatever Unicode this Python knows."""
    return letters_of(character, load())


def class_of(character: str) -> int:
    """The class of a character in the table of the package."""
    return entry_of(character, load()) & 7


def unit_of(character: str) -> int:
    """What a character does in the tokens of scripts without spaces, by the table of the package."""
    return entry_of(character, load()) >> UNIT_BIT & 3


def script_of(character: str) -> int:
    """The bit of the script of a letter in the table of the package; 0 if it is none of ``SCRIPTS``."""
    return entry_of(character, load()) >> SCRIPT_BIT & (1 << len(SCRIPTS)) - 1
