"""Some documents of a segment, gathered from its columns in the order asked for."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.resources import LONG_BYTES
from ibidem.store.offsets import TokenOffsets, decode
from ibidem.text.long_texts.scratch import Scratch

# Tokens of a long document whose offsets are decoded at a time.
_DECODED_AT_ONCE = 1 << 20


def gather_rows(
    values: NDArray[Any], bounds: NDArray[np.int64], rows: NDArray[np.int64]
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Some rows of a ragged column, back to back, and where each begins, of shape [len(rows) + 1].

    Args:
        values, bounds: the column, and where each of its D rows begins, of shape [D + 1].
        rows: numbers of the rows wanted, in any order.
    """
    new_bounds = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(bounds[rows + 1] - bounds[rows], out=new_bounds[1:])
    pieces = [values[begin:end] for begin, end in _find_spans(bounds, rows)]
    return pieces[0] if len(pieces) == 1 else np.concatenate([values[:0], *pieces]), new_bounds


def gather_offsets(
    columns: TokenOffsets, bounds: NDArray[np.int64], rows: NDArray[np.int64]
) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Starts and ends of the tokens of some documents, back to back; in files if they are many.

    Args:
        columns: where all tokens of the segment are in their texts.
        bounds: where the tokens of each of its D documents begin, of shape [D + 1].
        rows: numbers of the documents wanted, in any order.
    """
    spans = _find_spans(bounds, rows)
    if sum(high - low for low, high in spans) > LONG_BYTES:
        return _decode_aside(columns, spans)
    starts, ends = zip(*([decode(columns, *span) for span in spans] or [decode(columns, 0, 0)]), strict=True)
    return np.concatenate(starts), np.concatenate(ends)


def _decode_aside(columns: TokenOffsets, spans: list[tuple[int, int]]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    with Scratch(np.uint32) as starts_aside, Scratch(np.uint32) as ends_aside:
        for low, high in spans:
            for first in range(low, high, _DECODED_AT_ONCE):
                starts, ends = decode(columns, first, min(first + _DECODED_AT_ONCE, high))
                starts_aside.append(starts)
                ends_aside.append(ends)
        return starts_aside.finish(), ends_aside.finish()


def _find_spans(bounds: NDArray[np.int64], rows: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Begin and end of the values of the rows, one span for each run of consecutive rows."""
    runs = np.split(rows, np.flatnonzero(np.diff(rows) != 1) + 1)
    return [(int(bounds[run[0]]), int(bounds[run[-1] + 1])) for run in runs if len(run)]
