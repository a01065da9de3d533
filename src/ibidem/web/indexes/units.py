"""Positions in the unit of whoever asked: code points, code units of UTF-16 as JavaScript counts, or bytes of UTF-8."""

import numpy as np
import numpy.typing as npt

from ibidem.web.problems import ProblemError
from ibidem.web.requests import Unit


class Positions:
    """The positions of one text.

    >>> places = Positions("a\N{GRINNING FACE}b", "utf-16")
    >>> places.give(2), places.take(3)
    (3, 2)
    """

    def __init__(self, text: str, unit: Unit) -> None:
        self._length, self._unit = len(text), unit
        same = unit == "code points" or text.isascii()
        self._starts: npt.NDArray[np.int64] | None = None if same else _starts(text, unit)

    def give(self, position: int) -> int:
        """A position in code points, in the unit."""
        return position if self._starts is None else int(self._starts[position])

    def take(self, position: int) -> int:
        """A position in the unit, in code points; one behind the end of the text is its end.

        Raises:
            ProblemError: it lies inside of a character.
        """
        if self._starts is None:
            return min(position, self._length)
        place = int(np.searchsorted(self._starts, position))
        if place <= self._length and self._starts[place] != position:
            raise ProblemError(422, f"the position {position} lies inside of a character, counted in {self._unit}")
        return min(place, self._length)

    def take_range(self, start: int, end: int, text: str) -> tuple[int, int]:
        """A passage in the unit, in code points; ``text`` says in an error which text it should lie in.

        Raises:
            ProblemError: it lies outside of the text, or begins or ends inside of a character.
        """
        length = self.give(self._length)
        if not start <= end <= length:
            raise ProblemError(422, f"the passage {start} to {end} lies outside of {text}, 0 to {length}")
        return self.take(start), self.take(end)


def _starts(text: str, unit: Unit) -> npt.NDArray[np.int64]:
    """Where each code point begins, and where the text ends, int64 [len(text) + 1]."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    widths = 1 + (points > 0xFFFF).astype(np.int64)
    if unit == "bytes":
        widths += (points > 0x7F).astype(np.int64) + (points > 0x7FF)
    return np.concatenate([[0], np.cumsum(widths)])
