"""Text that a PDF draws twice at nearly one place, so that it looks bold, is there once."""

from collections import defaultdict
from typing import Any

_NEAR = 0.12
"""How far apart the two are at most, in sizes of the font; no letter is so narrow."""

_SHOWING = (b"Tj", b"TJ")
_PLACING = (b"Td", b"TD", b"Tm", b"T*")


def drop_repeats(operations: list[tuple[Any, bytes]]) -> list[tuple[Any, bytes]]:
    """The operations of a page without those that show a text again where it is shown already."""
    places = _Places()
    return [operation for operation in operations if not places.is_repeat(*operation)]


class _Places:
    """Follows the place of the text, as far as operators set it, and knows what was shown where."""

    def __init__(self) -> None:
        self._shown: dict[tuple[str, int], list[tuple[float, float]]] = defaultdict(list)
        self._line = self._base = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
        self._saved: list[tuple[float, ...]] = []
        self._leading = self._size = 0.0
        self._shows = 0  # since the place was set

    def is_repeat(self, operands: Any, operator: bytes) -> bool:
        """Take in an operation. Returns whether it shows what was shown before, within a fraction of a letter."""
        if operator in _SHOWING:
            return self._show(repr(operands))
        numbers = [float(operand) for operand in operands if isinstance(operand, int | float)]
        self._follow(operator, numbers)
        return False

    def _show(self, text: str) -> bool:
        matrix = _multiply(self._line, self._base)
        size = self._size * max(abs(matrix[0]), abs(matrix[1]))
        known = self._shown[text, self._shows]
        self._shows += 1
        x, y = matrix[4:]
        if any(abs(x - other_x) + abs(y - other_y) <= _NEAR * size for other_x, other_y in known):
            return True
        known.append((x, y))
        return False

    def _follow(self, operator: bytes, numbers: list[float]) -> None:
        if operator == b"q":
            self._saved.append(self._base)
        elif operator == b"Q" and self._saved:
            self._base = self._saved.pop()  # type: ignore[assignment]
        elif operator == b"cm" and len(numbers) == 6:
            self._base = _multiply(tuple(numbers), self._base)
        elif operator == b"Tf" and numbers:
            self._size = abs(numbers[-1])
        elif operator == b"TL" and numbers:
            self._leading = numbers[0]
        elif operator == b"BT":
            self._line, self._shows = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0), 0
        elif operator in _PLACING:
            self._place(operator, numbers)

    def _place(self, operator: bytes, numbers: list[float]) -> None:
        self._shows = 0
        if operator == b"Tm" and len(numbers) == 6:
            self._line = tuple(numbers)  # type: ignore[assignment]
        elif operator == b"T*":
            self._line = _multiply((1, 0, 0, 1, 0, -self._leading), self._line)
        elif len(numbers) == 2:
            if operator == b"TD":
                self._leading = -numbers[1]
            self._line = _multiply((1, 0, 0, 1, *numbers), self._line)


def _multiply(first: tuple[float, ...], second: tuple[float, ...]) -> tuple[float, float, float, float, float, float]:
    """The matrix that applies ``first`` and then ``second``, each as PDF writes it."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)
