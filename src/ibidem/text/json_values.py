"""Values as JSON: which are kept with a document, how they are written and read, and half of a surrogate pair.

Whatever is kept can be read back by any JSON reader: numbers of thousands of digits or beyond the range of floating
point, and brackets nested by the hundred are JSON, but readers refuse them or run out of stack.

Half of a surrogate pair, as in texts that were cut by their UTF-16, Python can hold, and JSON can say as an escape, but
no UTF-8 can. It is kept wherever that is possible, as a character of its own, so that places stay what they are.
msgspec, which is ten times as fast as the json module, refuses it.
"""

import json
import math
import re
import warnings
from collections.abc import Callable, Mapping
from typing import Any

MOST_DEPTH = 100
"""Brackets within brackets. Python's own reader gives up at a few hundred, depending on who calls it."""

MOST_DIGITS = 4300
"""Digits of a number: Python's default limit for conversion."""

_LONG_NUMBER = re.compile(rb"[0-9]{%d}" % (MOST_DIGITS + 1))
# Characters of every number beyond the range of floating point, and in some others.
_LARGE_NUMBER = re.compile(rb"[0-9][eE]\+?0*[0-9]{3}|[0-9]{200}")

_FLOAT = re.compile(rb"[0-9]+(?:\.[0-9]+(?:[eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)")

_SURROGATE = re.compile("[\ud800-\udfff]")

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)


def find_unreadable(metadata: bytes) -> str | None:
    """Describe the fault of a JSON object that could be kept but not be read back; None if nothing is.

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


def encode_json(value: Any) -> bytes:
    """A value as JSON in UTF-8, or in ASCII where it holds half of a surrogate pair.

    >>> encode_json({"name": "\\ud800"})
    b'{"name":"\\\\ud800"}'

    Raises:
        TypeError, ValueError, RecursionError: JSON cannot say it.
    """
    import msgspec  # when it is called: readers of files are imported with the package

    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(value), separators=(",", ":"), allow_nan=False).encode("ascii")


def format_json(value: Any) -> str:
    """A value as ASCII JSON for other programs: with U+FFFD for each half of a surrogate pair, which few readers take.

    >>> format_json({"name": "\\ud800", "year": 1903})
    '{"name": "\\\\ufffd", "year": 1903}'
    """
    json_text = json.dumps(value)
    if "\\ud" not in json_text:
        return json_text
    return json.dumps(json.loads(replace_surrogates(json.dumps(value, ensure_ascii=False))))


def decode_json(data: bytes) -> Any:
    """The value of JSON in UTF-8; integers have any size.

    Raises:
        ValueError: it is no JSON that can be read.
    """
    import msgspec

    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        try:
            return json.loads(data)
        except RecursionError as error:
            raise ValueError(f"nested too deep ({error})") from None


class NullWarning:
    """Warns once that a number that JSON cannot say is kept as null.

    Args:
        later: where there may be more of them, such as ``"later rows"``.
    """

    def __init__(self, later: str) -> None:
        self._later = later
        self._is_done = False

    def look(self, json_bytes: bytes, values: Mapping[str, Any], describe: Callable[[str], str]) -> None:
        """Look at the values of a document and at their JSON; ``describe`` says where a column of it is."""
        if self._is_done or b"null" not in json_bytes:
            return
        for column, value in values.items():
            number = _find_not_finite(value)
            if number is not None:
                self._is_done = True
                cause = f"{number}, which JSON cannot say, is read as null, here and in {self._later}"
                warnings.warn(f"{describe(column)}: {cause}", stacklevel=2)
                return


def _find_not_finite(value: Any) -> float | None:
    """A number in a value that is NaN or infinite."""
    if isinstance(value, float):
        return None if math.isfinite(value) else value
    if isinstance(value, Mapping):
        value = value.values()
    elif not isinstance(value, list | tuple | set | frozenset):
        return None
    return next((number for item in value if (number := _find_not_finite(item)) is not None), None)


def has_surrogate(text: str) -> bool:
    """Whether half of a surrogate pair occurs in a text."""
    return _SURROGATE.search(text) is not None


def replace_surrogates(text: str) -> str:
    """The text, with U+FFFD in the place of each half of a surrogate pair; positions stay as they are."""
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


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
