"""Comparing the numbers of a part with those in their places in a document, which are others in a template."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

_Ints = npt.NDArray[np.int64]


class ComparedNumbers(NamedTuple):
    """A comparison of numbers.

    Attributes:
        same_numbers: numbers of the part that the document has in the same place.
        other_numbers: those in whose place it has others.
        filling: the numbers of the document in these places, separated by spaces; empty if none is another.
    """

    same_numbers: int
    other_numbers: int
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
    same_numbers, filling = 0, list[str]()
    for number in np.flatnonzero(is_number).tolist():
        next_anchor = int(np.searchsorted(anchors, number))
        anchor_before = int(anchors[next_anchor - 1]) if next_anchor else None
        anchor_after = int(anchors[next_anchor]) if next_anchor < len(anchors) else None
        nearby_places = [
            place - first
            for place in _find_places(number, anchor_before, anchor_after, places, is_number)
            if place is not None and 0 <= place - first < len(text)
        ]
        if any(text[place] == part[number] for place in nearby_places):
            same_numbers += 1
            continue
        if anchor_before is not None and anchor_after is not None and places[number] < 0:
            nearby_places += range(int(places[anchor_before]) + 1 - first, int(places[anchor_after]) - first)
        other_place = next(
            (place for place in nearby_places if place + first not in used_places and text[place].isdigit()), None
        )
        if other_place is not None:
            used_places.add(other_place + first)
            filling.append(text[other_place])
    return ComparedNumbers(same_numbers, len(filling), " ".join(filling))


def _find_places(
    place: int, anchor_before: int | None, anchor_after: int | None, places: _Ints, is_number: npt.NDArray[np.bool_]
) -> tuple[int | None, int | None]:
    """The places of a number, as far from the anchor before it and from the one after it as in the part.

    Beyond the last anchor on either side, only a run of numbers has places.
    """
    low = high = None
    if anchor_before is not None and (anchor_after is not None or is_number[anchor_before + 1 : place].all()):
        low = int(places[anchor_before]) + place - anchor_before
    if anchor_after is not None and (anchor_before is not None or is_number[place + 1 : anchor_after].all()):
        high = int(places[anchor_after]) - (anchor_after - place)
    if anchor_before is not None and anchor_after is not None:
        low = low if low is not None and low < places[anchor_after] else None
        high = high if high is not None and high > places[anchor_before] else None
    return low, high
