"""Comparing the numbers of a part with those in their places in a document, which are others in a template."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

_Ints = npt.NDArray[np.int64]


class ComparedNumbers(NamedTuple):
    """A comparison of numbers.

    Attributes:
        same: numbers of the part that the document has in the same place.
        other: those in whose place it has others.
        filling: the numbers of the document in these places, separated by spaces; empty if none is another.
    """

    same: int
    other: int
    filling: str


def compare_numbers(
    part: list[str], is_number: npt.NDArray[np.bool_], places: _Ints, text: list[str], first: int
) -> ComparedNumbers:
    """Compare the numbers of a part with those of a document that it is aligned with.

    The words that are aligned are anchors: a number has its place as far from the word before it as in the part, or as
    far from the word behind it. A number that is aligned elsewhere is not the same: in lists of numbers many are equal
    by chance. A number of the document that is aligned with another one of the part is no other number: in a copy that
    lost a number, those behind it moved. Numbers that follow the last word directly, or precede the
    first one, have their places, too: examples of code end with these.

    Args:
        part: the tokens of the part.
        is_number: bool [T], whether each is a number.
        places: int64 [T], the token of the document that each is aligned with, or -1.
        text: tokens of the document, of which the first is its token ``first``.
    """
    anchors = np.flatnonzero((places >= 0) & ~is_number)
    used_places = set(places.tolist())
    same, filling = 0, list[str]()
    for number in np.flatnonzero(is_number).tolist():
        behind = int(np.searchsorted(anchors, number))
        before = int(anchors[behind - 1]) if behind else None
        after = int(anchors[behind]) if behind < len(anchors) else None
        nearby_places = [
            place - first
            for place in _places_of(number, before, after, places, is_number)
            if place is not None and 0 <= place - first < len(text)
        ]
        if any(text[place] == part[number] for place in nearby_places):
            same += 1
            continue
        if before is not None and after is not None and places[number] < 0:
            nearby_places += range(int(places[before]) + 1 - first, int(places[after]) - first)
        other_place = next(
            (place for place in nearby_places if place + first not in used_places and text[place].isdigit()), None
        )
        if other_place is not None:
            used_places.add(other_place + first)
            filling.append(text[other_place])
    return ComparedNumbers(same, len(filling), " ".join(filling))


def _places_of(
    place: int, before: int | None, after: int | None, places: _Ints, is_number: npt.NDArray[np.bool_]
) -> tuple[int | None, int | None]:
    """The places of a number, as far from the anchor before it and from the one after it as in the part.

    Beyond the last anchor on either side, only a run of numbers has places.
    """
    low = high = None
    if before is not None and (after is not None or is_number[before + 1 : place].all()):
        low = int(places[before]) + place - before
    if after is not None and (before is not None or is_number[place + 1 : after].all()):
        high = int(places[after]) - (after - place)
    if before is not None and after is not None:
        low = low if low is not None and low < places[after] else None
        high = high if high is not None and high > places[before] else None
    return low, high
