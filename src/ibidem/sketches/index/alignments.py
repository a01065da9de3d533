"""The passages of a segment that collide with a query under enough functions: the papers' query processing.

A count filter says where such passages may start (``collision_count.py``). The windows of the query's posting lists
are read there (``reading.py``), those that cannot meet enough others are left out (``collided_windows.py``), and the
rest is swept (``sweep.py``).
"""

import numpy as np
import numpy.typing as npt

from ibidem.sketches.index.collision_count import find_collided_bins
from ibidem.sketches.index.reading import read_meeting_windows
from ibidem.sketches.index.schemes import QuerySketch
from ibidem.sketches.index.sweep import sweep_maximal_passages, sweep_rectangles
from ibidem.store.segments.segment import Segment

_Ints = npt.NDArray[np.int64]


def find_alignments(segment: Segment, query: QuerySketch, lengths: tuple[int, int]) -> _Ints:
    """The compact alignments with a query: every passage whose estimate reaches the threshold lies in one.

    A row is first and last start, first and last end, positions of tokens, int64 [N, 4]; each start makes with each end
    a passage of an allowed length whose estimate reaches the threshold.
    """
    bins = find_collided_bins(segment, query, lengths)
    swept = (sweep_rectangles(windows, query.least, lengths) for windows in read_meeting_windows(segment, query, bins))
    alignments = np.concatenate([np.empty((0, 4), np.int64), *(_divide_at_lengths(each, lengths) for each in swept)])
    return _keep_alive(segment, alignments)


def find_maximal_passages(segment: Segment, query: QuerySketch, lengths: tuple[int, int]) -> _Ints:
    """Those of these passages that lie in no longer one (the papers' longest near-duplicates), as such rows."""
    bins = find_collided_bins(segment, query, lengths)
    parts, last_end = [np.empty((0, 2), np.int64)], -1
    for windows in read_meeting_windows(segment, query, bins):
        parts.append(sweep_maximal_passages(windows, query.least, lengths, last_end))
        last_end = int(parts[-1][-1, 1]) if len(parts[-1]) else last_end
    return _keep_alive(segment, np.repeat(np.concatenate(parts), 2, axis=1))


def _keep_alive(segment: Segment, alignments: _Ints) -> _Ints:
    """The alignments with documents that were not removed."""
    return alignments[segment.alive[segment.document_of(alignments[:, 0])]]


def _divide_at_lengths(rectangles: _Ints, lengths: tuple[int, int]) -> _Ints:
    """Divide rectangles that hold passages of other lengths into their starts, each with the ends that it may have."""
    too_short = rectangles[:, 2] < rectangles[:, 1] + lengths[0] - 1
    too_long = rectangles[:, 3] > rectangles[:, 0] + lengths[1] - 1
    is_divided = too_short | too_long
    counts = np.where(is_divided, rectangles[:, 1] - rectangles[:, 0] + 1, 1)
    rows = np.repeat(np.arange(len(rectangles)), counts)
    parts, single = rectangles[rows], is_divided[rows]
    starts = parts[:, 0] + np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    parts[:, 0] = starts
    parts[:, 1] = np.where(single, starts, parts[:, 1])
    parts[:, 2] = np.where(single, np.maximum(parts[:, 2], starts + lengths[0] - 1), parts[:, 2])
    parts[:, 3] = np.where(single, np.minimum(parts[:, 3], starts + lengths[1] - 1), parts[:, 3])
    return parts
