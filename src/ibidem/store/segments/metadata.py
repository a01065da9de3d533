"""Reading what is kept about a document: one JSON object, as it was given."""

import json
from typing import Any

import msgspec

__all__ = ["parse_metadata"]


def parse_metadata(data: bytes) -> dict[str, Any]:
    """The metadata that ``data`` holds.

    Raises:
        ValueError: it is no JSON object that can be read.
    """
    try:
        return msgspec.json.decode(data, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _parse_unusual(data)


def _parse_unusual(data: bytes) -> dict[str, Any]:
    """Half of a surrogate pair and numbers of any size are JSON to Python's own reader alone."""
    try:
        values = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"cannot be read: {error}") from None
    if not isinstance(values, dict):
        raise ValueError("is no object")
    return values
