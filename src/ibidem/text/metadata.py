"""Metadata: which JSON objects are kept with a document.

Whatever is accepted here can be read back by any JSON reader: numbers of thousands of digits or beyond the range of
floating point, and brackets nested by the hundred are JSON, but readers refuse them or run out of stack.
"""

import math
import re

__all__ = ["MOST_DEPTH", "MOST_DIGITS", "find_unreadable"]

MOST_DEPTH = 100
"""Brackets within brackets. Python's own reader gives up at a few hundred, depending on who calls it."""

MOST_DIGITS = 4300
"""Digits of a number: what Python converts unless it is told to convert more."""

_LONG_NUMBER = re.compile(rb"[0-9]{%d}" % (MOST_DIGITS + 1))
_LARGE_NUMBER = re.compile(rb"[0-9][eE]\+?0*[0-9]{3}|[0-9]{200}")
"""What stands in every number beyond the range of floating point, and in some others."""

_FLOAT = re.compile(rb"[0-9]+(?:\.[0-9]+(?:[eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)")

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)


def find_unreadable(metadata: bytes) -> str | None:
    """What is wrong with a JSON object that could be kept but not be read back; None if nothing is.

    >>> find_unreadable(b'{"year": 1903}')
    >>> find_unreadable(b'{"a": ' + b"[" * 101 + b"]" * 101 + b"}")
    'brackets are nested more than 100 deep'
    """
    if metadata.count(b"[") + metadata.count(b"{") > MOST_DEPTH and _depth(metadata) > MOST_DEPTH:
        return f"brackets are nested more than {MOST_DEPTH} deep"
    if (
        len(metadata) > MOST_DIGITS
        and _LONG_NUMBER.search(metadata)
        and _LONG_NUMBER.search(_STRING.sub(b"", metadata))
    ):
        return f"a number has more than {MOST_DIGITS} digits"
    if _LARGE_NUMBER.search(metadata) and any(map(_is_infinite, _FLOAT.findall(_STRING.sub(b"", metadata)))):
        return "a number is out of range"
    return None


def _is_infinite(number: bytes) -> bool:
    return math.isinf(float(number))


def _depth(metadata: bytes) -> int:
    deepest = depth = 0
    for byte in _STRING.sub(b"", metadata):
        if byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    return deepest
