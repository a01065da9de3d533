"""The place of a passage in the original of its document, as people cite it: page, line, section, verse.

A document has its places in its metadata, under ``locators``: rows of start, end, label, kind, and perhaps a pointer
into the original. Readers of files write them, and tables may have such a column.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

__all__ = ["COLUMN", "describe_place", "without_locators"]

COLUMN = "locators"
"""The metadata that hold the places of a document."""

_KINDS = ("volume", "book", "chapter", "section", "page", "folio", "column", "verse", "line")
"""From coarse to fine; those that are not here come last, and rows without a kind have their label alone."""

_UNCITED = ("id", "milestone")
"""Kinds that are pointers, and no places that people cite."""


class _Place(NamedTuple):
    start: int
    end: int
    label: str


def describe_place(metadata: Mapping[str, Any], start: int, end: int) -> str:
    """The place of the code points ``start`` to ``end``, from coarse to fine; empty if none is known.

    A passage that lies in several places of a kind is described by the first and the last, and by no finer kind. Of
    places within places, such as sections, the innermost counts.

    >>> rows = [[0, 40, "3", "page"], [40, 90, "4", "page"], [0, 20, "11", "line"], [20, 40, "12", "line"]]
    >>> describe_place({"locators": rows}, 22, 30)
    'page 3, line 12'
    >>> describe_place({"locators": rows}, 22, 60)
    'pages 3 to 4'
    """
    by_kind = _meeting(metadata.get(COLUMN), start, end)
    parts = []
    for kind in sorted(by_kind, key=lambda kind: _KINDS.index(kind) if kind in _KINDS else len(_KINDS)):
        first, last = _innermost(by_kind[kind], start), _innermost(by_kind[kind], max(start, end - 1))
        if first != last:
            parts.append(f"{kind}s {first.label} to {last.label}" if kind else f"{first.label} to {last.label}")
            break
        parts.append(f"{kind} {first.label}" if kind else first.label)
    return ", ".join(parts)


def without_locators(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata without the places, unless the column holds something else."""
    return {name: value for name, value in metadata.items() if name != COLUMN or not isinstance(value, list)}


def _meeting(rows: object, start: int, end: int) -> dict[str, list[_Place]]:
    """The places by their kinds that share a code point with ``start:end``, in order."""
    found: dict[str, list[_Place]] = {}
    for row in rows if isinstance(rows, list) else ():
        match row:
            case [int(first), int(last), str() | int() as label, *more] if first < max(end, start + 1) and last > start:
                kind = str(more[0]) if more else ""
                if label != "" and kind not in _UNCITED:
                    found.setdefault(kind, []).append(_Place(first, last, str(label)))
    return found


def _innermost(places: list[_Place], at: int) -> _Place:
    """The smallest place at a code point, or the nearest if there is none."""
    around = [place for place in places if place.start <= at < place.end]
    if around:
        return min(around, key=lambda place: place.end - place.start)
    return min(places, key=lambda place: min(abs(place.start - at), abs(place.end - at)))
