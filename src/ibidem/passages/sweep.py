"""The passages that collide under enough functions, by a sweep over the plane of starts and ends.

This is the papers' own answer: every passage whose *estimated* similarity reaches the threshold, found from the
windows alone. While the start moves, the windows that hold it are kept; where they change, the ends that enough of them
hold are read off by an interval scan.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel
from ibidem.passages.areas import Areas
from ibidem.passages.collisions import BIN
from ibidem.store.segment import Segment

__all__ = ["collided_areas"]


class _Windows(NamedTuple):
    a: npt.NDArray[np.int64]
    b: npt.NDArray[np.int64]
    c: npt.NDArray[np.int64]
    d: npt.NDArray[np.int64]


def collided_areas(
    segment: Segment,
    keys: npt.NDArray[np.int64],
    needed: int,
    bins: npt.NDArray[np.bool_],
    lengths: tuple[int, int],
) -> Areas:
    """The passages that start in ``bins`` and collide under ``needed`` functions or more; the score counts collisions.

    ``keys`` int64 [k] is the query's sketch. The rectangles are cut to the passages of the allowed lengths, as windows
    are: a corner of one may stand for passages a little outside them.
    """
    windows = _windows(segment, keys, bins)
    positions = np.concatenate((windows.a, windows.b + 1))
    changes = np.concatenate((np.arange(len(windows.a)), -1 - np.arange(len(windows.a))))
    order = np.argsort(positions, kind="stable")
    room = 4096
    while True:
        count, found, scores = _scan(windows, positions[order], changes[order], needed, lengths[0], lengths[1], room)
        if count <= room:
            break
        room = count
    starts, ends, best = found[:count, 0:2].copy(), found[:count, 2:4].copy(), found[:count, 4:6].copy()
    return Areas(starts, ends, best, scores[:count], segment.document_of(starts[:, 0]))


def _windows(segment: Segment, keys: npt.NDArray[np.int64], bins: npt.NDArray[np.bool_]) -> _Windows:
    starts, extents = [np.empty(0, np.uint32)], [np.empty((0, 3), np.uint16)]
    for function, key in enumerate(keys):
        if key >= 0:
            low, high = segment.list_bounds(function, np.array([key], np.uint32))[0]
            listed, widths = segment.postings(int(low), int(high))
            touching = _touching(listed, widths, bins)
            starts.append(listed[touching])
            extents.append(widths[touching])
    a, widths = np.concatenate(starts).astype(np.int64), np.concatenate(extents).astype(np.int64)
    b = a + widths[:, 0]
    c = b + widths[:, 1]
    return _Windows(a, b, c, c + widths[:, 2])


@kernel
def _touching(starts: Any, extents: Any, bins: Any) -> Any:
    """The postings whose starts fall into any of the bins, as positions in the list."""
    found = np.empty(starts.shape[0], np.int64)
    count = 0
    for posting in range(starts.shape[0]):
        start = np.int64(starts[posting])
        for place in range(start // BIN, (start + np.int64(extents[posting, 0])) // BIN + 1):
            if bins[place]:
                found[count] = posting
                count += 1
                break
    return found[:count].copy()


@kernel
def _scan(windows: Any, positions: Any, changes: Any, needed: Any, min_length: Any, max_length: Any, room: Any) -> Any:
    """The number of rectangles, and the first ``room`` of them: starts, ends, best passage [room, 6], score [room]."""
    window_c, window_d = windows.c, windows.d
    found, scores = np.empty((room, 6), np.int64), np.empty(room, np.float64)
    active, place = np.empty(window_c.shape[0], np.int64), np.empty(window_c.shape[0], np.int64)
    height, count = 0, 0
    for event in range(positions.shape[0]):
        if changes[event] >= 0:
            active[height], place[changes[event]] = changes[event], height
            height += 1
        else:
            gone = place[-1 - changes[event]]
            height -= 1
            active[gone] = active[height]
            place[active[gone]] = gone
        last_event = event + 1 == positions.shape[0]
        if height < needed or last_event or positions[event + 1] == positions[event]:
            continue
        row, last_row = positions[event], positions[event + 1] - 1
        ends = np.empty(2 * height, np.int64)  # twice the position, odd where a window opens
        for q in range(height):
            ends[2 * q], ends[2 * q + 1] = 2 * window_c[active[q]] + 1, 2 * (window_d[active[q]] + 1)
        ends.sort()
        depth, first, score, best_end = 0, -1, 0, -1
        for q in range(ends.shape[0]):
            depth += 1 if ends[q] & 1 else -1
            here = ends[q] >> 1
            if q + 1 < ends.shape[0] and ends[q + 1] >> 1 == here:
                continue
            if depth >= needed:
                first = here if first < 0 else first
                if depth >= score:
                    score, best_end = depth, (ends[q + 1] >> 1) - 1
            elif first >= 0:
                low, high = max(row, first - max_length + 1), min(last_row, here - min_length)
                if low <= high and here - low >= min_length:
                    if count < room:
                        found[count, 0], found[count, 1] = low, high
                        found[count, 2] = max(first, low + min_length - 1)
                        found[count, 3] = min(here - 1, high + max_length - 1)
                        found[count, 4], found[count, 5] = (
                            low,
                            min(max(best_end, low + min_length - 1), low + max_length - 1),
                        )
                        scores[count] = score
                    count += 1
                first, score = -1, 0
    return count, found, scores
