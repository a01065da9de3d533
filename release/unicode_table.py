"""Makes the table of code points that tokenizers read, ``src/ibidem/text/unicode-14.npz``.

    python release/unicode_table.py

It needs the character database of Unicode 14, which Python 3.11 has, and makes the same bytes whenever it runs.
"""

import unicodedata
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from ibidem.text.unicode_table import (
    ALONE,
    BLOCK,
    EMPTY,
    FOLLOWER,
    IDEOGRAPH,
    LEADER,
    LETTER,
    MARK,
    ORDER_BIT,
    PATH,
    PLACE_BIT,
    SCRIPT_BIT,
    SCRIPTS,
    SEPARATOR,
    SPACE,
    SYLLABIC,
    UNIT_BIT,
    FoldTable,
    Letters,
)

UNICODE_VERSION = "14.0.0"

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


def main() -> None:
    """Write the table, and say how large it is."""
    if unicodedata.unidata_version != UNICODE_VERSION:
        raise SystemExit(f"this Python has Unicode {unicodedata.unidata_version}; the table is made from 14.0.0")
    np.savez_compressed(PATH, **make()._asdict())
    print(f"{PATH}: {PATH.stat().st_size} bytes")


if __name__ == "__main__":
    main()
