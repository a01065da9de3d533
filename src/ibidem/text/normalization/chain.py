"""A chain of normalizations as one table, which the kernels read in place of the table of folding alone.

The tables of all names are composed ahead: each code point has one entry, so a text is read once and as fast as without
them. Whatever order the names are given in, a code point is decomposed, folded, and then replaced by the tables.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import xxhash

from ibidem.errors import ConfigurationError
from ibidem.text.look_alikes import restore_script
from ibidem.text.normalization.letters import (
    APOSTROPHES,
    HYPHENS,
    NOISY_LETTERS,
    POINTS,
    SHAPES,
    SIGNS,
    SOFT_HYPHEN,
    TABLES,
    decompose,
)
from ibidem.text.unicode_table import (
    BLOCK,
    EMPTY,
    IDEOGRAPH,
    JOINER,
    LETTER,
    LINE_JOINER,
    MARK,
    ORDER_BIT,
    PLACE_BIT,
    PROPERTIES,
    SIGN,
    SOFT_JOINER,
    FoldTable,
    Letters,
    entry_of,
    fold_letters,
    join_letters,
    load,
    spell_text,
)

_VERSION = 2

NONE = "none"
"""The name by which what counts as the same without a name does not: points, and letters of other scripts."""

NAMES = (NONE, "compatibility", *TABLES, "hyphens", "apostrophes", "noisy")
"""The normalizations, in the order in which they are kept."""

STEMS = "stems-"
"""Prefix of the name of a language: its stems are taken last, and are no table."""

_AUTO = ("compatibility", "greek", "hebrew", "arabic-light", "cjk", "digits")
"""The normalizations of ``auto``: for each script, those its readers expect. No language is guessed."""

_HANGUL = range(0xAC00, 0xD7A4)
_IDEOGRAPHS = (range(0x3400, 0xA000), range(0xF900, 0xFB00), range(0x17000, 0x18D80), range(0x20000, 0x32400))

# The blocks of what has points: Hebrew, Arabic, Syriac, Samaritan, and letters of Hebrew with their points.
_POINTED = [*range(0x0590, 0x0900), *range(0xFB1D, 0xFB50)]


def parse_names(names: str | Iterable[str]) -> tuple[str, ...]:
    """The names of a chain in the order in which they are kept, each once.

    ``case`` is no part of a chain, since tokens are always compared without case.

    Raises:
        ValueError: there is no such name.

    >>> parse_names("hyphens,case,latin")
    ('latin', 'hyphens')
    """
    names_in_order = names.replace(",", " ").split() if isinstance(names, str) else list(names)
    name_set = {single for name in names_in_order for single in ((*_AUTO,) if name == "auto" else (name,))} - {"case"}
    stems = sorted(name for name in map(str, name_set) if name.startswith(STEMS))
    if len(stems) > 1:
        raise ValueError(f"a text has the stems of one language, not of {' and '.join(stems)}")
    unknown = sorted(map(str, name_set - {*NAMES, *stems}))
    if unknown:
        valid_names = ", ".join(["auto", "case", *NAMES, "stems-english and the like"])
        raise ValueError(f"no normalization is called {unknown[0]!r}; there are {valid_names}")
    return (*(name for name in NAMES if name in name_set), *stems)


class Normalization:
    """A rule for which spellings of a letter count as the same.

    Args:
        names: as :func:`parse_names` gives them; without any, the rule is that of all tokens.

    >>> Normalization(("latin",)).apply("Vbi æqua")
    'ubi aequa'
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self.table = _compose(self.names)

    def __reduce__(self) -> tuple[Any, ...]:
        """The names: whoever reads them composes the table."""
        return Normalization, (self.names,)

    @classmethod
    def restore(cls, config: dict[str, Any]) -> "Normalization":
        """The normalization that ``config`` describes.

        Raises:
            ConfigurationError: it was made by other tables than these.
        """
        names = config.get("names")
        normalization = (
            cls(parse_names(names)) if isinstance(names, list) and config.get("version") == _VERSION else None
        )
        if normalization is None or normalization.config != config:
            raise ConfigurationError(
                f"the normalization {config} is not one that this ibidem makes: use the ibidem that it was made with, "
                "or build the index again"
            )
        return normalization

    @cached_property
    def config(self) -> dict[str, Any]:
        """The names, the version of the tables, and a fingerprint of what they say of all code points."""
        state = xxhash.xxh3_64()
        for column in self.table:
            state.update(np.ascontiguousarray(column).tobytes())
        if self.most_letters is not None:
            state.update(self.most_letters.to_bytes(1, "little"))
        return {"names": list(self.names), "version": _VERSION, "fingerprint": state.hexdigest()}

    @property
    def most_letters(self) -> int | None:
        """The number of letters of a word that count; ``None`` for all."""
        return NOISY_LETTERS if "noisy" in self.names else None

    @property
    def restores_scripts(self) -> bool:
        """Whether letters that look like those of the rest of their word are taken for these."""
        return NONE not in self.names

    def apply(self, text: str) -> str:
        """The letters of the text, whatever class its characters have; marks are in canonical order."""
        return spell_text(text, self.table)

    def spell_word(self, word: str) -> str:
        """The letters of one word. Two words that are spelled alike are one token, whose id is the hash of these.

        >>> Normalization(()).spell_word("P\\u0430ypal")
        'paypal'
        """
        return self.apply(restore_script(word) if self.restores_scripts else word)


@lru_cache(maxsize=8)
def _compose(names: tuple[str, ...]) -> FoldTable:
    """The table of a chain."""
    name_set = frozenset(names)
    with_tables = [name for name in (*names, *(["diacritics"] if "noisy" in name_set else [])) if name in TABLES]
    letters = {} if NONE in name_set else dict(POINTS)
    letters |= {key: value for name in with_tables for key, value in TABLES[name]().items()}
    letter_table, shapes = str.maketrans(letters), str.maketrans(SHAPES if "noisy" in name_set else {})
    changes = {}
    for character in [*(_known_characters() if name_set - {NONE} else map(chr, _POINTED)), *letters]:
        new = _replace(character, name_set, letter_table, shapes)
        if new != fold_letters(character):
            changes[character] = (_properties_of(new), new)
    if "latin" in name_set:
        changes |= {sign: (IDEOGRAPH, tuple(map(ord, word.translate(shapes)))) for sign, word in SIGNS.items()}
    if "apostrophes" in name_set:
        changes |= dict.fromkeys(APOSTROPHES, (JOINER, ()))
    if "hyphens" in name_set:
        changes |= dict.fromkeys(HYPHENS, (LINE_JOINER, ())) | {SOFT_HYPHEN: (SOFT_JOINER, ())}
    return _change(load(), changes)


def _replace(character: str, names: frozenset[str], letters: dict[int, str], shapes: dict[int, str]) -> Letters:
    """What a character is replaced by: decomposed, folded, and put through the tables."""
    return tuple(
        ord(new) | (unicodedata.combining(part) or order) << ORDER_BIT
        for part in decompose(character, names)
        for folded, order in _fold(part.translate(letters))
        for new in folded.translate(letters).translate(shapes)
    )


def _fold(text: str) -> list[tuple[str, int]]:
    """The folded letters of a text, each with its combining class."""
    folded = [letter for character in text for letter in fold_letters(character)]
    return [(chr(letter & (1 << ORDER_BIT) - 1), letter >> ORDER_BIT) for letter in folded]


def _properties_of(letters: Letters) -> int:
    """What a character does that is replaced by ``letters``: what the first does; one that is dropped is a mark."""
    return entry_of(join_letters(letters[:1]), load()) & PROPERTIES if letters else MARK


def _known_characters() -> list[str]:
    """The letters, numbers and marks of Unicode 14, which every Python here decomposes alike, and signs with marks.

    Ideographs, and the syllables of Hangul, have one form.
    """
    table = load()
    bits = (table.entries & 63).astype(np.uint8).reshape(-1, BLOCK)[table.blocks].reshape(-1)
    classes, lengths = bits & 7, bits >> 3
    codes = np.flatnonzero(np.isin(classes, (LETTER, MARK, IDEOGRAPH)) | (lengths > 0)).tolist()
    return [chr(code) for code in codes if not any(code in block for block in (_HANGUL, *_IDEOGRAPHS))]


def _change(table: FoldTable, changes: dict[str, tuple[int, Letters]]) -> FoldTable:
    """``table`` with the properties and the folding of some characters changed."""
    ascii, blocks = table.ascii.copy(), table.blocks.copy()
    rows = list(table.entries.reshape(-1, BLOCK))
    expansions = table.expansions.tolist()
    places: dict[Letters, int] = {}
    copied_blocks: set[int] = set()
    for character, (properties, new) in sorted(changes.items()):
        number, place = divmod(ord(character), BLOCK)
        if number not in copied_blocks:
            copied_blocks.add(number)
            rows.append(rows[int(blocks[number])].copy())
            blocks[number] = len(rows) - 1
        if new not in places:
            places[new] = len(expansions)
            expansions += new
        rows[int(blocks[number])][place] = properties | (len(new) or EMPTY) << 3 | places[new] << PLACE_BIT
        if number == 0:
            ascii[ord(character)] = new[0] if properties & 7 == LETTER else SIGN
    return FoldTable(ascii, blocks, np.concatenate(rows), np.array(expansions, np.uint32))
