"""Arguments of several functions: their possible values, and checks with uniform error messages."""

import os
from typing import Any, Literal, get_args

FamilyName = Literal["set", "multiset", "weighted"]
TFName = Literal["raw", "binary", "logarithmic", "squared"]
IDFName = Literal["unary", "standard", "smooth", "probabilistic"]

SketchName = Literal["minhash", "oph"]
"""How an index of sketches makes min-hashes: by many functions, or in the bins of one."""

OnError = Literal["stop", "skip"]
"""The reaction to a row or a file that cannot be read: the work stops, or continues without it."""

DuplicateIds = Literal["number", "first", "error"]
"""What becomes of a document whose id an earlier one has: it gets a number, it is left out, or it is an error."""

NullTexts = Literal["error", "keep", "drop"]
"""What becomes of a row whose text is null: it is an error, it is kept as it is, or it is left out."""

_MOST_THREADS = 4096
"""Each thread holds a part of the work, so more of them are a slip, and would take all memory."""


def count_threads(threads: int | None) -> int:
    """The threads that a caller asked for, or as many as the machine has cores.

    Raises:
        ValueError: they are fewer than 1, or more than 4,096.
    """
    if threads is None:
        return os.cpu_count() or 1
    if not 1 <= threads <= _MOST_THREADS:
        raise ValueError(f"threads must be from 1 to {_MOST_THREADS:,}, not {threads}")
    return threads


def require_fraction(name: str, value: float, *, zero: bool = False) -> float:
    """Return ``value`` as a float if it is above 0 and at most 1; with ``zero``, it may be 0 too.

    Raises:
        ValueError: it is out of this range or not a number; the message begins with ``name``.
    """
    if not (0 < value <= 1 or (zero and value == 0)):
        raise ValueError(f"{name} must be {'at least' if zero else 'above'} 0 and at most 1, not {value}")
    return float(value)


def require_choice(name: str, value: str, choices: Any) -> None:
    """Raise a ``ValueError`` that begins with ``name`` unless a value is one of a ``Literal``, or of several names."""
    values = get_args(choices) or choices
    if value not in values:
        raise ValueError(f"{name} is one of {', '.join(values)}, not {value!r}")
