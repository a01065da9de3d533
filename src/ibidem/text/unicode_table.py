"""The words tokenizer's table of code points: its class, and what it folds to.

Token ids are kept in indexes, so they must not change with the Unicode version of a Python. The table was therefore
made once, from the character database of Unicode 14 (Python 3.11), and travels with the package. Under that Python,
``python -m ibidem.text.unicode_table`` makes the same table again.
"""

import unicodedata
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SEPARATOR, SPACE, MARK, LETTER, IDEOGRAPH, JOINER, LINE_JOINER, SOFT_JOINER = range(8)
"""Classes of code points. A joiner between two letters separates no words, and belongs to none; a line joiner does this
at the end of a line. Only normalization makes joiners: bit 0 is set if letters may follow at once, bit 1 if on the next
line."""

BLOCK = 128

SIGN = 1
"""The entry, in the table of ASCII, of a sign that must be looked up with the other code points."""

EMPTY = 7
"""The length, in a table, of a code point that is dropped."""

_UNICODE_VERSION = "14.0.0"
_PATH = Path(__file__).with_name("unicode-14.npz")


class FoldTable(NamedTuple):
    """Class and folding of every code point, in two stages.

    The entry of code point ``c`` is ``entries[blocks[c // 128] * 128 + c % 128]``: bits 0 to 2 are its class, bits 3 to
    5 how many code points it folds to, and the bits above where these are in ``expansions``. A count of 0 says
    that it folds to itself, and of ``EMPTY`` that it is dropped.

    Attributes:
        ascii: uint8 [256], the folded byte of an ASCII letter or digit, ``SIGN`` for an ASCII sign that separates no
            words everywhere, and 0 for every other byte.
        blocks: uint16 [8704]; entries: uint32 [128 times the number of distinct blocks].
        expansions: uint32, the folded code points.
    """

    ascii: NDArray[np.uint8]
    blocks: NDArray[np.uint16]
    entries: NDArray[np.uint32]
    expansions: NDArray[np.uint32]


@lru_cache(maxsize=1)
def load() -> FoldTable:
    """Read the table of the package."""
    with np.load(_PATH, allow_pickle=False) as columns:
        return FoldTable(*(columns[name] for name in FoldTable._fields))


def fold_text(text: str) -> str:
    """Fold every code point of a text as the tokenizers do, whatever Unicode this Python knows.

    >>> fold_text("STRAẞE")
    'strasse'
    """
    return "".join(map(_fold_by_table, text))


@lru_cache(maxsize=1 << 16)
def _fold_by_table(character: str) -> str:
    table, entry = load(), entry_of(character)
    length, first = entry >> 3 & 7, entry >> 6
    return "".join(map(chr, table.expansions[first : first + length].tolist())) if length else character


def entry_of(character: str) -> int:
    """The entry of a character in the table of the package."""
    table, code_point = load(), ord(character)
    return int(table.entries[int(table.blocks[code_point // BLOCK]) * BLOCK + code_point % BLOCK])


def class_of(character: str) -> int:
    """The class of a character in the table of the package."""
    return entry_of(character) & 7


def make() -> FoldTable:
    """Make the table from this Python's character database, whatever its version."""
    characters = [chr(code_point) for code_point in range(0x110000)]
    foldings = [fold(character) for character in characters]
    replacements = [new if new != old else "" for new, old in zip(foldings, characters, strict=True)]
    distinct = sorted(set(replacements))
    places = dict(zip(distinct, accumulate(map(len, distinct), initial=0), strict=False))
    entries = np.array(
        [classify(old) | len(new) << 3 | places[new] << 6 for old, new in zip(characters, replacements, strict=True)],
        np.uint32,
    )
    blocks, block_of = np.unique(entries.reshape(-1, BLOCK), axis=0, return_inverse=True)
    expansions = np.array([ord(character) for new in distinct for character in new], np.uint32)
    return FoldTable(_ascii_table(), block_of.reshape(-1).astype(np.uint16), blocks.reshape(-1), expansions)


def fold(character: str) -> str:
    """Fold one code point for canonical caseless matching: NFD(casefold(NFD(c))).

    >>> fold("É") == "e" + chr(0x301), fold("ß")
    (True, 'ss')
    """
    decomposition = unicodedata.normalize("NFD", character)
    return unicodedata.normalize("NFD", decomposition.casefold())


def classify(character: str) -> int:
    """Class of one code point: what it does to the words around it."""
    if _is_ideograph(character):
        return IDEOGRAPH
    if character.isspace():
        return SPACE
    return {"L": LETTER, "N": LETTER, "M": MARK}.get(unicodedata.category(character)[0], SEPARATOR)


def _is_ideograph(character: str) -> bool:
    name = unicodedata.name(character, "")
    return character == "〇" or name.startswith(("CJK UNIFIED IDEOGRAPH-", "CJK COMPATIBILITY IDEOGRAPH-"))


def _ascii_table() -> NDArray[np.uint8]:
    letters = [chr(code) if code < 0x80 and chr(code).isalnum() else "\0" for code in range(256)]
    return np.array([ord(letter.lower()) for letter in letters], np.uint8)


def _main() -> None:
    if unicodedata.unidata_version != _UNICODE_VERSION:
        raise SystemExit(f"this Python has Unicode {unicodedata.unidata_version}; the table is made from 14.0.0")
    np.savez_compressed(_PATH, **make()._asdict())
    print(f"{_PATH}: {_PATH.stat().st_size} bytes")


if __name__ == "__main__":
    _main()
