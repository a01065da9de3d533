"""The table of code points that tokenizers read: what each does to the words around it, and what it folds to.

Token ids are kept in indexes, so they must not change with the Unicode version of a Python. The table was therefore
made once, from the character database of Unicode 14 (Python 3.11), and travels with the package. Under that Python,
``python -m ibidem.text.unicode_table`` makes the same table again.
"""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate
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

_UNICODE_VERSION = "14.0.0"
_PATH = Path(__file__).with_name("unicode-14.npz")

_IGNORABLE = (
    *((0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F)),
    *((0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF)),
    *((0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)),
)
"""Default_Ignorable_Code_Point, which no one sees and NFKC_Casefold drops: soft hyphens, joiners, marks of direction,
selectors of variants, fillers of Hangul."""

_UNSPACED = (
    *((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF)),  # Thai, Lao, Burmese, Khmer
    *((0x1950, 0x19DF), (0x1A20, 0x1AAF)),  # Tai Le, New Tai Lue, Tai Tham
    *((0x1B00, 0x1B7F), (0xA980, 0xA9FF)),  # Balinese, Javanese, Burmese
    *((0xAA60, 0xAADF), (0x11700, 0x1174F)),  # Burmese, Tai Viet, Ahom
    *((0x3005, 0x3007), (0x3031, 0x30FF), (0x31F0, 0x31FF), (0xFF66, 0xFF9F), (0x1AFF0, 0x1B16F)),  # kana
    *((0x3105, 0x312F), (0x31A0, 0x31BF), (0xA000, 0xA48F)),  # Bopomofo, Yi
    *((0x16FE0, 0x18DFF), (0x1B170, 0x1B2FF)),  # Tangut, Khitan, Nushu
)
"""The letters of these blocks are tokens by themselves: there, no space says where a word ends."""

_FOLLOWERS = (
    *((0x0E30, 0x0E30), (0x0E32, 0x0E33), (0x0E45, 0x0E45)),  # vowels of Thai
    *((0x0EB0, 0x0EB0), (0x0EB2, 0x0EB3), (0x0EBD, 0x0EBD)),  # of Lao
    *((0x1963, 0x196D), (0x1970, 0x1974)),  # vowels and tones of Tai Le
    *((0x19B0, 0x19B4), (0x19B8, 0x19B9), (0x19BB, 0x19C9)),  # vowels, finals and tones of New Tai Lue
    *((0xAAB1, 0xAAB1), (0xAABA, 0xAABA), (0xAABD, 0xAABD), (0xAAC0, 0xAAC0), (0xAAC2, 0xAAC2)),  # of Tai Viet
    *((code, code) for code in (0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3083, 0x3085, 0x3087, 0x308E)),
    *((code, code) for code in (0x30A1, 0x30A3, 0x30A5, 0x30A7, 0x30A9, 0x30E3, 0x30E5, 0x30E7, 0x30EE, 0x30FC)),
    *((0x31F0, 0x31FF), (0xFF67, 0xFF6E), (0xFF70, 0xFF70), (0xFF9E, 0xFF9F), (0x1B150, 0x1B152), (0x1B164, 0x1B166)),
)
_LEADERS = (
    *((0x0E40, 0x0E44), (0x0EC0, 0x0EC4), (0x19B5, 0x19B7), (0x19BA, 0x19BA)),  # vowels, Logical_Order_Exception
    *((0xAAB5, 0xAAB6), (0xAAB9, 0xAAB9), (0xAABB, 0xAABC)),
    *((0x1039, 0x1039), (0x17D2, 0x17D2), (0x1A60, 0x1A60), (0x1B44, 0x1B44), (0xA9C0, 0xA9C0)),  # stack consonants
)


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
    with np.load(_PATH, allow_pickle=False) as columns:
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


def make() -> FoldTable:
    """Make the table from this Python's character database, whatever its version."""
    characters = [chr(code_point) for code_point in range(0x110000)]
    foldings = [fold(character) for character in characters]
    replacements = [new if new != (ord(old),) else () for new, old in zip(foldings, characters, strict=True)]
    distinct = sorted(set(replacements))
    places = dict(zip(distinct, accumulate(map(len, distinct), initial=0), strict=False))
    lengths = [len(new) or (0 if folding else EMPTY) for new, folding in zip(replacements, foldings, strict=True)]
    entries = np.array(
        [
            describe(character) | length << 3 | places[new] << PLACE_BIT
            for character, length, new in zip(characters, lengths, replacements, strict=True)
        ],
        np.uint32,
    )
    blocks, block_of = np.unique(entries.reshape(-1, BLOCK), axis=0, return_inverse=True)
    expansions = np.array([letter for new in distinct for letter in new], np.uint32)
    return FoldTable(_ascii_table(), block_of.reshape(-1).astype(np.uint16), blocks.reshape(-1), expansions)


def fold(character: str) -> Letters:
    """Fold one code point for canonical caseless matching (Unicode, D145), NFD(casefold(NFD(c))), or drop it.

    A mark keeps the combining class that it has before folding, since marks are put in order first.

    >>> join_letters(fold("É")) == "e" + chr(0x301), join_letters(fold("ß")), fold(chr(0xAD))
    (True, 'ss', ())
    """
    if _is_in(_IGNORABLE, character):
        return ()
    return tuple(
        ord(letter) | (unicodedata.combining(part) or unicodedata.combining(letter)) << ORDER_BIT
        for part in unicodedata.normalize("NFD", character)
        for letter in unicodedata.normalize("NFD", part.casefold())
    )


def describe(character: str) -> int:
    """The bits of an entry that say what a code point does."""
    return classify(character) | _unit(character) << UNIT_BIT | _script(character) << SCRIPT_BIT


def classify(character: str) -> int:
    """Class of one code point: what it does to the words around it."""
    category = unicodedata.category(character)[0]
    if _is_in(_IGNORABLE, character):
        return MARK
    if _is_ideograph(character) or (category == "L" and _is_in(_UNSPACED, character)):
        return IDEOGRAPH
    if character.isspace():
        return SPACE
    return {"L": LETTER, "N": LETTER, "M": MARK}.get(category, SEPARATOR)


def _unit(character: str) -> int:
    if _is_in(_LEADERS, character):
        return LEADER
    if _is_in(_FOLLOWERS, character):
        return FOLLOWER
    return SYLLABIC if classify(character) == IDEOGRAPH and not _is_ideograph(character) else ALONE


def _script(character: str) -> int:
    """The bit of a letter's script, as the name of what it decomposes to says it."""
    letter = unicodedata.normalize("NFD", character)[0]
    script = unicodedata.name(letter, "").partition(" ")[0]
    is_letter = classify(letter) == LETTER and script in SCRIPTS
    return 1 << SCRIPTS.index(script) if is_letter else 0


def _is_in(ranges: tuple[tuple[int, int], ...], character: str) -> bool:
    return any(first <= ord(character) <= last for first, last in ranges)


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
