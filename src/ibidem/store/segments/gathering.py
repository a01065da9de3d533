"""Some documents of a segment, gathered from its columns in the order asked for."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.store.offsets import TokenOffsets, decode


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
    """Starts and ends of the tokens of some documents, back to back.

    Args:
        columns: where all tokens of the segment are in their texts.
        bounds: where the tokens of each of its D documents begin, of shape [D + 1].
        rows: numbers of the documents wanted, in any order.
    """
    spans = _find_spans(bounds, rows)
    starts, ends = zip(*([decode(columns, *span) for span in spans] or [decode(columns, 0, 0)]), strict=True)
    return np.concatenate(starts), np.concatenate(ends)


def _find_spans(bounds: NDArray[np.int64], rows: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Begin and end of the values of the rows, one span for each run of consecutive rows."""
    runs = np.split(rows, np.flatnonzero(np.diff(rows) != 1) + 1)
    return [(int(bounds[run[0]]), int(bounds[run[-1] + 1])) for run in runs if len(run)]
