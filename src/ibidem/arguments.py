"""Checks of arguments that several functions take, so that each is refused in the same words everywhere."""

__all__ = ["require_fraction"]


def require_fraction(name: str, value: float, *, zero: bool = False) -> float:
    """Return ``value`` as a float if it is above 0 and at most 1; with ``zero``, it may be 0 too.

    Raises:
        ValueError: it is out of this range or not a number; the message begins with ``name``.
    """
    if not (0 < value <= 1 or (zero and value == 0)):
        raise ValueError(f"{name} must be {'at least' if zero else 'above'} 0 and at most 1, not {value}")
    return float(value)
