"""The place of a passage in the original of its document, as people cite it: page, line, section, verse.

A document has its places in its metadata, under ``locators``: rows of start, end, label, kind, and perhaps a pointer
into the original. Readers of files write them, and tables may have such a column.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

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
    target: str


class _OneKind:
    """The places of one kind, sorted by their starts; they may be nested, as sections are."""

    def __init__(self, places: list[_Place]) -> None:
        self.places = sorted(places, key=lambda place: (place.start, -place.end))
        self._starts = [place.start for place in self.places]
        self._reached = list(accumulate((place.end for place in self.places), max))

    def meeting(self, start: int, end: int) -> list[_Place]:
        """Those that share a code point with ``start:end``."""
        first = bisect_right(self._reached, start)
        last = bisect_left(self._starts, max(end, start + 1))
        return [place for place in self.places[first:last] if place.end > start]


class Places:
    """The places of a document.

    >>> rows = [[0, 40, "3", "page", "#f3"], [40, 90, "4", "page"], [0, 20, "11", "line"], [20, 40, "12", "line"]]
    >>> places = Places({"locators": rows})
    >>> places.describe(22, 30), places.describe(22, 60), places.pointers(22, 30)
    ('page 3, line 12', 'pages 3 to 4', ['#f3'])
    """

    def __init__(self, metadata: Mapping[str, Any]) -> None:
        by_kind: dict[str, list[_Place]] = {}
        rows = metadata.get(COLUMN)
        for row in rows if isinstance(rows, list) else ():
            match row:
                case [int(first), int(last), str() | int() as label, *more]:
                    kind, target = (*(str(field) for field in more[:2]), "", "")[:2]
                    if label != "" or target:
                        by_kind.setdefault(kind, []).append(_Place(first, last, str(label), target))
        order = sorted(by_kind, key=lambda kind: _KINDS.index(kind) if kind in _KINDS else len(_KINDS))
        self._kinds = {kind: _OneKind(by_kind[kind]) for kind in order}

    def with_lines(self, text: str) -> "Places":
        """These places, or the lines of the text if no place is known.

        >>> Places({}).with_lines("one\\ntwo\\nthree").find("lines 2 to 3")
        (4, 13)
        """
        if self._kinds:
            return self
        lines = re.finditer(r"[^\n]*\n|[^\n]+", text)
        return Places({COLUMN: [[line.start(), line.end(), number, "line"] for number, line in enumerate(lines, 1)]})

    def __bool__(self) -> bool:
        return bool(self._kinds)

    def describe(self, start: int, end: int) -> str:
        """The place of the code points ``start`` to ``end``, from coarse to fine; empty if none is known.

        A passage that lies in several places of a kind is described by the first and the last, and by no finer kind. Of
        places within places, such as sections, the innermost counts.
        """
        parts = []
        for kind, of_kind in self._kinds.items():
            meeting = [place for place in of_kind.meeting(start, end) if place.label]
            if kind in _UNCITED or not meeting:
                continue
            first, last = _innermost(meeting, start), _innermost(meeting, max(start, end - 1))
            if first != last:
                parts.append(f"{kind}s {first.label} to {last.label}" if kind else f"{first.label} to {last.label}")
                break
            parts.append(f"{kind} {first.label}" if kind else first.label)
        return ", ".join(parts)

    def find(self, place: str) -> tuple[int, int]:
        """Find the code points of a place such as ``"page 3, line 12"`` or ``"pages 3 to 5"`` as ``describe`` names it.

        Raises:
            ValueError: there is no such place, or several.
        """
        ranges: list[tuple[int, int]] = []
        for number, part in enumerate(place.split(",")):
            places = list(self._find_part(" ".join(part.split())))
            ranges = (
                places
                if not number
                else [
                    place_range
                    for place_range in places
                    if any(a <= place_range[0] and place_range[1] <= b for a, b in ranges)
                ]
            )
        if len(ranges) == 1:
            return ranges[0]
        raise ValueError(f"{place!r} occurs {len(ranges):,} times" if ranges else f"no {place!r}")

    def _find_part(self, name: str) -> Iterator[tuple[int, int]]:
        """The ranges of a kind and a label, of a label alone, or from one label to another."""
        for kind, of_kind in self._kinds.items():
            label = name.removeprefix(f"{kind} ") if kind else name
            first, _, last = (name.removeprefix(f"{kind}s ") if kind else name).partition(" to ")
            for place in of_kind.places:
                if place.label == label and (label != name or not kind):
                    yield place.start, place.end
                elif last and first != name and place.label == first:
                    ends = [
                        last_place.end
                        for last_place in of_kind.places
                        if last_place.label == last and last_place.start >= place.start
                    ]
                    yield from [(place.start, ends[0])] if ends else []

    @property
    def kinds(self) -> list[str]:
        """The kinds of places that can be named, from coarse to fine."""
        return [kind for kind in self._kinds if kind and kind not in _UNCITED]

    def units(self, kind: str) -> list[tuple[int, int, str]]:
        """The innermost places of a kind: the start, the end and the description of each."""
        places = self._kinds[kind].places if kind in self._kinds else []
        ends = {place.start: place.end for place in places}  # of places that begin together, the last is the shortest
        order = sorted(ends.items())
        innermost = [
            (start, end)
            for number, (start, end) in enumerate(order)
            if order[number + 1 : number + 2] == [] or end <= order[number + 1][0]
        ]
        return [(start, end, self.describe(start, end)) for start, end in innermost if start < end]

    def pointers(self, start: int, end: int) -> list[str]:
        """Pointers to the elements of the original that hold the code points, of the finest kind that has some."""
        for of_kind in reversed(self._kinds.values()):
            meeting = [place for place in of_kind.meeting(start, end) if place.target]
            outer = {outer_place for outer_place, next_place in pairwise(meeting) if next_place.end <= outer_place.end}
            if meeting:
                return list(dict.fromkeys(place.target for place in meeting if place not in outer))
        return []


def describe_place(metadata: Mapping[str, Any], start: int, end: int) -> str:
    """The place of one passage; see :class:`Places`, which serves several of a document."""
    return Places(metadata).describe(start, end) if COLUMN in metadata else ""


def without_locators(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata without the places, unless the column holds something else."""
    return {name: value for name, value in metadata.items() if name != COLUMN or not isinstance(value, list)}


def _innermost(places: list[_Place], position: int) -> _Place:
    """The smallest place at a code point, or the nearest if there is none."""
    around = [place for place in places if place.start <= position < place.end]
    if around:
        return min(around, key=lambda place: place.end - place.start)
    return min(places, key=lambda place: min(abs(place.start - position), abs(place.end - position)))
