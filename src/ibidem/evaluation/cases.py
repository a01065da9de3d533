"""Cases of reuse, true or reported: a passage of one document and a passage of another."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

_NAMES = (("suspicious", "source"), ("a", "b"), ("query", "document"))
"""The names under which a record may have the ids of two documents."""

_RANGES = (
    (("this_offset", "this_length"), ("source_offset", "source_length")),
    (("a_start", "a_end"), ("b_start", "b_end")),
    (("query_start", "query_end"), ("start", "end")),
)


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """``start`` to ``end`` of the suspicious document and ``source_start`` to ``source_end`` of its source.

    Ranges are half open and count code points; ``category`` is the kind of reuse, if it is known.
    """

    suspicious: str
    start: int
    end: int
    source: str
    source_start: int
    source_end: int
    category: str = ""

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> "Case":
        """Read a record of a PAN case, of an alignment of two named texts, or of a match.

        Raises:
            ValueError: a field is missing or no sensible value.

        >>> Case.of({"a": "x", "a_start": 0, "a_end": 9, "b": "y", "b_start": 3, "b_end": 11}).source_end
        11
        """
        suspicious, source = named_pair(record).values()
        for (first, last), (source_first, source_last) in _RANGES:
            if first in record and source_first in record:
                start, end = _range(record, first, last)
                source_start, source_end = _range(record, source_first, source_last)
                break
        else:
            expected_columns = ", ".join(f"{ours[0]!r} and {theirs[0]!r}" for ours, theirs in _RANGES)
            raise ValueError(f"no passages: there should be {expected_columns}")
        return cls(
            suspicious=suspicious,
            start=start,
            end=end,
            source=source,
            source_start=source_start,
            source_end=source_end,
            category=str(record.get("category") or ""),
        )


def named_pair(record: Mapping[str, Any]) -> dict[str, str]:
    """The ids of the two documents of a record, by the names that they have there, the one that is suspicious first.

    Raises:
        ValueError: one is missing, or no string or integer.

    >>> named_pair({"category": "summary", "source": "y", "suspicious": 7})
    {'suspicious': '7', 'source': 'y'}
    """
    for names in _NAMES:
        if all(name in record for name in names):
            return {name: _id(record, name) for name in names}
    expected_columns = ", ".join(f"{ours!r} and {theirs!r}" for ours, theirs in _NAMES)
    raise ValueError(f"the record names no two documents: there should be {expected_columns}")


def _id(record: Mapping[str, Any], name: str) -> str:
    value = record[name]
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise ValueError(f"{name!r} is {value!r}, which is no id")
    return str(value)


def _range(record: Mapping[str, Any], first: str, last: str) -> tuple[int, int]:
    start, stop = (record.get(name) for name in (first, last))
    for name, value in ((first, start), (last, stop)):
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise ValueError(f"{name!r} is {value!r}, not a number of characters")
    assert isinstance(start, int)
    assert isinstance(stop, int)
    end = start + stop if last.endswith("_length") else stop
    if end <= start:
        raise ValueError(f"the passage from {first!r} {start} to {end} is empty")
    return start, end


class Sides(NamedTuple):
    """Cases as arrays; the two sides of a case are two passages.

    Attributes:
        pair: int64 [N], the number of the pair of documents.
        starts, ends: int64 [N, 2], the ranges in the suspicious document and in the source.
    """

    pair: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]


def drop_repeated(cases: Sequence[Case]) -> list[Case]:
    """The first of the cases of each two passages, whatever their categories."""
    of_places = {
        (each.suspicious, each.start, each.end, each.source, each.source_start, each.source_end): each
        for each in reversed(cases)
    }
    return list(of_places.values())[::-1]


def split_sides(cases: Sequence[Case], numbers: dict[tuple[str, str], int]) -> Sides:
    """``cases`` as arrays; a pair of documents that ``numbers`` lacks is given the next number there."""
    pair = [numbers.setdefault((case.suspicious, case.source), len(numbers)) for case in cases]
    starts = [(case.start, case.source_start) for case in cases]
    ends = [(case.end, case.source_end) for case in cases]
    return Sides(np.array(pair, np.int64), _make_columns(starts), _make_columns(ends))


def _make_columns(values: list[tuple[int, int]]) -> npt.NDArray[np.int64]:
    return np.array(values, np.int64).reshape(-1, 2)
