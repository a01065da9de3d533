"""A chain of normalizations as one table, which the kernels read in place of the table of folding alone.

The tables of all names are composed ahead: each code point has one entry, so a text is read once and as fast as without
them. Whatever order the names are given in, a code point is decomposed, folded, and then replaced by the tables.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import xxhash

from ibidem.errors import ConfigurationError
from ibidem.text.normalization.letters import (
    APOSTROPHES,
    HYPHENS,
    NOISY_LETTERS,
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
    SIGN,
    SOFT_JOINER,
    FoldTable,
    class_of,
    fold_text,
    load,
)

_VERSION = 1

NAMES = ("compatibility", *TABLES, "hyphens", "apostrophes", "noisy")
"""The normalizations, in the order in which they are kept."""

STEMS = "stems-"
"""Prefix of the name of a language: its stems are taken last, and are no table."""

_AUTO = ("compatibility", "greek", "hebrew", "arabic-light", "cjk", "digits")
"""The normalizations of ``auto``: for each script, those its readers expect. No language is guessed."""

_HANGUL = range(0xAC00, 0xD7A4)


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
        names: as :func:`parse_names` gives them.

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

    def apply(self, text: str) -> str:
        """The text with each code point replaced, whatever its neighbours are."""
        return "".join(self._replace(character) for character in text)

    def _replace(self, character: str) -> str:
        table, code_point = self.table, ord(character)
        entry = int(table.entries[int(table.blocks[code_point // BLOCK]) * BLOCK + code_point % BLOCK])
        length, first = entry >> 3 & 7, entry >> 6
        if length in (0, EMPTY):
            return "" if length else character
        return "".join(map(chr, table.expansions[first : first + length].tolist()))


@lru_cache(maxsize=8)
def _compose(names: tuple[str, ...]) -> FoldTable:
    """The table of a chain."""
    name_set = frozenset(names)
    with_tables = [name for name in (*names, *(["diacritics"] if "noisy" in name_set else [])) if name in TABLES]
    letters = {key: value for name in with_tables for key, value in TABLES[name]().items()}
    letter_table, shapes = str.maketrans(letters), str.maketrans(SHAPES if "noisy" in name_set else {})
    changes = {}
    for character in [*_known_characters(), *letters]:
        new = (
            fold_text(decompose(character, name_set).translate(letter_table)).translate(letter_table).translate(shapes)
        )
        if new != fold_text(character):
            changes[character] = (class_of(new[0]) if new else MARK, new)
    if "latin" in name_set:
        changes |= {sign: (IDEOGRAPH, word) for sign, word in SIGNS.items()}
    if "apostrophes" in name_set:
        changes |= dict.fromkeys(APOSTROPHES, (JOINER, ""))
    if "hyphens" in name_set:
        changes |= dict.fromkeys(HYPHENS, (LINE_JOINER, "")) | {SOFT_HYPHEN: (SOFT_JOINER, "")}
    return _change(load(), changes)


def _known_characters() -> list[str]:
    """The letters, numbers and marks of Unicode 14, which every Python here decomposes alike.

    Ideographs, and the syllables of Hangul, have one form.
    """
    table = load()
    classes = (table.entries & 7).astype(np.uint8).reshape(-1, BLOCK)[table.blocks].reshape(-1)
    codes = np.flatnonzero((classes == LETTER) | (classes == MARK))
    return [chr(code) for code in codes.tolist() if code not in _HANGUL]


def _change(table: FoldTable, changes: dict[str, tuple[int, str]]) -> FoldTable:
    """``table`` with the class and the folding of some characters changed."""
    ascii, blocks = table.ascii.copy(), table.blocks.copy()
    rows = list(table.entries.reshape(-1, BLOCK))
    expansions = table.expansions.tolist()
    places: dict[str, int] = {}
    copied_blocks: set[int] = set()
    for character, (its_class, new) in sorted(changes.items()):
        number, place = divmod(ord(character), BLOCK)
        if number not in copied_blocks:
            copied_blocks.add(number)
            rows.append(rows[int(blocks[number])].copy())
            blocks[number] = len(rows) - 1
        if new not in places:
            places[new] = len(expansions)
            expansions += map(ord, new)
        rows[int(blocks[number])][place] = its_class | (len(new) or EMPTY) << 3 | places[new] << 6
        if number == 0:
            ascii[ord(character)] = ord(new) if its_class == LETTER else SIGN
    return FoldTable(ascii, blocks, np.concatenate(rows), np.array(expansions, np.uint32))
