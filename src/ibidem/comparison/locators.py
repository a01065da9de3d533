"""Places of passages in the reader's own terms: lines, or names that the user gives to ranges of a document."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from typing import Any

from ibidem.comparison.model import Locator
from ibidem.locators import Places


class Locators:
    """Named ranges of one document, such as its verses, pages or chapters; they do not overlap.

    >>> Locators([(0, 10, "1:1"), (10, 25, "1:2")]).meeting(8, 12)
    (Locator(start=0, end=10, label='1:1'), Locator(start=10, end=25, label='1:2'))
    """

    def __init__(self, ranges: Iterable[tuple[int, int, object]] = ()) -> None:
        self._ranges = sorted(
            (Locator(int(start), int(end), str(label)) for start, end, label in ranges), key=lambda each: each.start
        )
        self._starts = [each.start for each in self._ranges]

    @property
    def ranges(self) -> list[tuple[int, int, str]]:
        """Start, end and name of each, in order."""
        return [(each.start, each.end, each.label) for each in self._ranges]

    def meeting(self, start: int, end: int) -> tuple[Locator, ...]:
        """The named ranges that share a code point with ``start:end``."""
        first = max(bisect_right(self._starts, start) - 1, 0)
        last = bisect_right(self._starts, end - 1)
        return tuple(each for each in self._ranges[first:last] if each.end > start)


class DescribedPlaces(Locators):
    """The places that a reader knows of a document: a passage meets one, itself, whose name says where it lies."""

    def __init__(self, places: Places) -> None:
        super().__init__()
        self._places = places

    @classmethod
    def of(cls, metadata: Mapping[str, Any]) -> "DescribedPlaces":
        """Those in the metadata of a document."""
        return cls(Places(metadata))

    def meeting(self, start: int, end: int) -> tuple[Locator, ...]:
        """The passage itself, by the name of its place."""
        name = self._places.describe(start, end)
        return (Locator(start, end, name),) if name else ()


def line_numbers(text: str, start: int, end: int) -> tuple[int, int]:
    """Numbers, from 1, of the lines of the first and last code point of ``text[start:end]``.

    >>> line_numbers("one\\ntwo\\nthree", 4, 13)
    (2, 3)
    """
    first = text.count("\n", 0, start) + 1
    return first, first + text.count("\n", start, max(start, end - 1))
