"""The units of two texts in one table: those that correspond side by side, and those that only one text has."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ibidem.comparison.model import Locator
from ibidem.comparison.units import Units, align_units, cut_units
from ibidem.locators import Places
from ibidem.text import TokenizerSpec


class CollatedUnit(NamedTuple):
    """A unit of the first text, of the second, or one of each that correspond.

    Attributes:
        a, b: the units; ``None`` where the text has none that corresponds.
        similarity: exact similarity of the two, if there are two.
    """

    a: Locator | None
    b: Locator | None
    similarity: float | None = None


def collate_units(
    a: str, b: str, units: Units | tuple[Units, Units], *, tokenizer: TokenizerSpec = "words"
) -> list[CollatedUnit]:
    """All units of two texts, in the order of the first; one that only ``b`` has follows the one before it in ``b``.

    Args:
        units: as :func:`ibidem.comparison.align_units` takes them.

    Raises:
        ValueError: the name of a unit is unknown, or a range does not lie in its text.

    >>> rows = collate_units("One day it rained. He left.", "Once more. One day it rained.", "sentence")
    >>> [(row.a and row.a.label, row.b and row.b.label) for row in rows]
    [(None, '1'), ('1', '2'), ('2', None)]
    """
    for_a, for_b = units if isinstance(units, tuple) else (units, units)
    pairs = align_units(a, b, (for_a, for_b), tokenizer=tokenizer)
    rows = [
        CollatedUnit(
            Locator(each.a_start, each.a_end, each.a_unit),
            Locator(each.b_start, each.b_end, each.b_unit),
            each.similarity,
        )
        for each in pairs
    ]
    paired_a, paired_b = {row.a for row in rows}, {row.b for row in rows}
    rows += [CollatedUnit(unit, None) for unit in cut_units(a, for_a) if unit not in paired_a]
    rows.sort(key=lambda row: (row.a.start if row.a else 0, row.b.start if row.b else 0))
    return _insert_others(rows, [unit for unit in cut_units(b, for_b) if unit not in paired_b])


def name_units(a: Mapping[str, Any], b: Mapping[str, Any]) -> tuple[str, Units, Units]:
    """The finest units that the metadata of both documents name, such as verses, as kind and ranges; else lines.

    >>> name_units({"locators": [[0, 9, "1:1", "verse"]]}, {"locators": [[0, 7, "1:1", "verse"]]})
    ('verse', [(0, 9, 'verse 1:1')], [(0, 7, 'verse 1:1')])
    >>> name_units({}, {})
    ('line', 'line', 'line')
    """
    places = Places(a), Places(b)
    for kind in reversed(places[0].kinds):
        if kind in places[1].kinds:
            return kind, places[0].units(kind), places[1].units(kind)
    return "line", "line", "line"


def _insert_others(rows: list[CollatedUnit], milestones: list[Locator]) -> list[CollatedUnit]:
    """Put each unit that only the second text has behind the row of the unit before it there."""
    last = {row.b: at for at, row in enumerate(rows) if row.b is not None}
    before = sorted(last, key=lambda unit: unit.start)
    behind: dict[int, list[CollatedUnit]] = {}
    at = 0
    for unit in milestones:
        while at < len(before) and before[at].start < unit.start:
            at += 1
        behind.setdefault(last[before[at - 1]] if at else -1, []).append(CollatedUnit(None, unit))
    merged = behind.get(-1, [])
    for place, row in enumerate(rows):
        merged += [row, *behind.get(place, [])]
    return merged
