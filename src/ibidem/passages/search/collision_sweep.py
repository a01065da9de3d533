"""The passages that collide under enough functions, by a sweep over the plane of starts and ends.

This is the papers' own answer: every passage whose *estimated* similarity reaches the threshold, found from the
windows alone. While the start moves, the windows that hold it are kept as ranges of ends in a segment tree that knows
the highest score of any end: a range is added or taken out in O(log m) by marks on O(log m) nodes, and the ends that
reach the score are read off from above, so a start at which none does costs nothing.

Most windows never meet enough others at any start to reach the score together. They are left out before anything is
sorted (``window_set.py``), and what is left is taken in *clusters*, runs of starts that some window holds, each with a
tree of its own.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel
from ibidem.passages.filters.collision_count import BIN, posting_lists
from ibidem.passages.query.sketch_query import Asked
from ibidem.passages.search.collision_windows import WindowSet, events, meeting
from ibidem.passages.search.regions import Areas
from ibidem.store.segment import Segment

__all__ = ["collided_areas", "collided_rectangles", "longest_areas", "longest_passages"]

CLUSTER_EVENTS = 4096
"""After so many a cluster ends though windows are held, which begin anew in the next: so its tree fits the cache."""


def collided_areas(segment: Segment, asked: Asked, bins: npt.NDArray[np.bool_], lengths: tuple[int, int]) -> Areas:
    """The passages that start in ``bins`` and have the score that is ``asked`` or more; the score is theirs.

    The rectangles are cut to the passages of the allowed lengths, as windows are: a corner of one may stand for
    passages a little outside them.
    """
    windows = meeting(_windows(segment, asked, bins), asked.least)
    found, scores = collided_rectangles(windows, asked.least, lengths)
    starts, ends, best = found[:, 0:2].copy(), found[:, 2:4].copy(), found[:, 4:6].copy()
    return Areas(starts, ends, best, scores, segment.document_of(starts[:, 0]))


def longest_areas(segment: Segment, asked: Asked, bins: npt.NDArray[np.bool_], lengths: tuple[int, int]) -> Areas:
    """Of these passages the ones that lie in no longer one, each an area of its own; the score is the length."""
    windows = meeting(_windows(segment, asked, bins), asked.least)
    found = longest_passages(windows, asked.least, lengths)
    size = (found[:, 1] - found[:, 0] + 1).astype(np.float64)
    first, last = (np.stack((column, column), axis=1) for column in found.T)
    return Areas(first, last, found, size, segment.document_of(found[:, 0]))


def collided_rectangles(
    windows: WindowSet, least: int, lengths: tuple[int, int]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """All passages of score ``least`` or more, as rectangles ordered by start, and the highest score in each.

    A rectangle is first and last start, first and last end, and start and end of its best passage: int64 [N, 6].
    """
    changing, room = events(windows), 4096
    while True:
        count, found, scores = _rectangles(windows, changing, least, *lengths, CLUSTER_EVENTS, room)
        if count <= room:
            return found[:count], scores[:count]
        room = count


def longest_passages(windows: WindowSet, least: int, lengths: tuple[int, int]) -> npt.NDArray[np.int64]:
    """The passages of score ``least`` or more that lie in no longer one, first and last token, int64 [N, 2]."""
    count, found = _longest(windows, events(windows), least, *lengths, CLUSTER_EVENTS)
    passages: npt.NDArray[np.int64] = found[:count].copy()
    return passages


def _windows(segment: Segment, asked: Asked, bins: npt.NDArray[np.bool_]) -> WindowSet:
    """The windows of the query's keys that hold a start in ``bins``."""
    left = np.flatnonzero(bins)
    columns: list[list[npt.NDArray[np.int64]]] = [[np.empty(0, np.int64)] for _ in WindowSet._fields]
    for each in posting_lists(segment, asked) if len(left) else []:
        starts, extents = each.read(segment)
        touching = _touching(starts, extents, left, asked.reach)
        a, widths = starts[touching].astype(np.int64), extents[touching].astype(np.int64)
        b = a + widths[:, 0]
        c = b + widths[:, 1]
        counts = np.full(len(a), each.worth)
        for column, part in zip(columns, (a, b, a if each.empty else c, c + widths[:, 2], counts), strict=True):
            column.append(part)
    return WindowSet(*map(np.concatenate, columns))


@kernel
def _touching(starts: Any, extents: Any, bins: Any, reach: Any) -> Any:
    """The postings that hold a start in any of ``bins`` [B], as ascending positions in the list.

    None holds more than ``reach`` starts, so those of a bin begin shortly before it or in it.
    """
    found, count = np.empty(starts.shape[0], np.int64), 0
    posting = np.int64(0)
    for place in bins:
        first = place * BIN
        size = starts.shape[0] - posting
        while size > 0:  # ``posting`` becomes the first that may reach into the bin
            half = size >> 1
            if np.int64(starts[posting + half]) <= first - reach:
                posting += half + 1
                size -= half + 1
            else:
                size = half
        while posting < starts.shape[0] and np.int64(starts[posting]) < first + BIN:
            if np.int64(starts[posting]) + np.int64(extents[posting, 0]) >= first:
                found[count] = posting
                count += 1
            posting += 1
    return found[:count].copy()


@kernel
def _rectangles(
    windows: Any, changing: Any, least: Any, min_length: Any, max_length: Any, cluster: Any, room: Any
) -> Any:
    """The number of rectangles, and the first ``room`` of them [room, 6] with their scores [room]."""
    found, scores = np.empty((room, 6), np.int64), np.empty(room, np.float64)
    counts, positions, changes = windows.counts, changing.positions, changing.changes
    low, high = np.empty(counts.shape[0], np.int64), np.empty(counts.shape[0], np.int64)
    end, count, held = 0, 0, np.empty(0, np.int64)
    while end < positions.shape[0]:
        begin = end
        end = _cluster(changes, begin, held.shape[0], cluster)
        ends, top, marks = _tree(windows, held, changes[begin:end], low, high)
        runs = np.empty((ends.shape[0], 4), np.int64)
        for event in range(begin, end):
            _apply(top, marks, counts, low, high, changes[event])
            if top[1] < least or positions[event + 1] == positions[event]:
                continue
            row, last_row = positions[event], positions[event + 1] - 1
            for run in range(_runs(top, marks, ends, least, runs)):
                first, last, score, best_end = runs[run, 0], runs[run, 1], runs[run, 2], runs[run, 3]
                start, stop = max(row, first - max_length + 1), min(last_row, last - min_length + 1)
                if start > stop:
                    continue
                if count < room:
                    found[count, 0], found[count, 1] = start, stop
                    found[count, 2] = max(first, start + min_length - 1)
                    found[count, 3] = min(last, stop + max_length - 1)
                    found[count, 4] = start
                    found[count, 5] = min(max(best_end, start + min_length - 1), start + max_length - 1)
                    scores[count] = score
                count += 1
        held = _held(held, changes[begin:end], low)
    return count, found, scores


@kernel
def _longest(windows: Any, changing: Any, least: Any, min_length: Any, max_length: Any, cluster: Any) -> Any:
    """The number of passages that lie in no other, and the passages [starts, 2].

    From each start the longest is looked for, and it is one of them if it ends behind all before it. So a window whose
    passages end no later than those is left out, as in the paper.
    """
    room = 1024
    found = np.empty((room, 2), np.int64)
    window_d, counts, positions, changes = windows.d, windows.counts, changing.positions, changing.changes
    low, high = np.empty(counts.shape[0], np.int64), np.empty(counts.shape[0], np.int64)
    end, count, held, reached = 0, 0, np.empty(0, np.int64), np.int64(-1)
    while end < positions.shape[0]:
        begin = end
        end = _cluster(changes, begin, held.shape[0], cluster)
        ends, top, marks = _tree(windows, held, changes[begin:end], low, high)
        for event in range(begin, end):
            if changes[event] >= 0 and window_d[changes[event]] <= reached:
                low[changes[event]] = high[changes[event]]
            _apply(top, marks, counts, low, high, changes[event])
            if top[1] < least or positions[event + 1] == positions[event]:
                continue
            furthest = _last_end(top, marks, ends, least, ends[-1])
            for start in range(positions[event], positions[event + 1]):
                if furthest <= reached:
                    break
                last = furthest
                if furthest > start + max_length - 1:
                    last = _last_end(top, marks, ends, least, start + max_length - 1)
                if last <= reached or last - start + 1 < min_length:
                    continue
                reached = last
                if count == room:
                    found = np.concatenate((found, np.empty((room, 2), np.int64)))
                    room = 2 * room
                found[count, 0], found[count, 1] = start, last
                count += 1
        held = _held(held, changes[begin:end], low)
    return count, found


@kernel
def _cluster(changes: Any, event: Any, held: Any, most: Any) -> Any:
    """The event behind the cluster that begins with ``event``, when so many windows are held.

    It has at most ``most`` events, unless the windows that are held are not few beside them.
    """
    behind = min(changes.shape[0], event + max(most, 4 * held))
    while event < behind:
        held += 1 if changes[event] >= 0 else -1
        event += 1
        if held == 0:
            break
    return event


@kernel
def _held(held: Any, changes: Any, low: Any) -> Any:
    """The windows that are held behind a cluster; those that are not lose their ``low``."""
    for change in changes:
        if change < 0:
            low[-1 - change] = -1
    begun = np.concatenate((held, changes[changes >= 0]))
    return begun[low[begun] >= 0]


@kernel
def _tree(windows: Any, held: Any, changes: Any, low: Any, high: Any) -> Any:
    """A segment tree over the ends of a cluster, with the windows that are ``held`` before it.

    The ends are those at which a window begins or has ended, int64 [E], ascending: leaf ``i`` stands for ``ends[i]`` to
    ``ends[i + 1] - 1``. Of each window, the leaves from ``low`` until ``high`` are written. Of the tree there are the
    highest score below each node [2 * size], and what was added to a whole node.
    """
    window_c, window_d = windows.c, windows.d
    begun = np.concatenate((held, changes[changes >= 0]))
    ends = np.unique(np.concatenate((window_c[begun], window_d[begun] + 1)))
    for window in begun:
        low[window], high[window] = np.searchsorted(ends, window_c[window]), np.searchsorted(ends, window_d[window] + 1)
    size = 1
    while size < ends.shape[0]:
        size *= 2
    top, marks = np.zeros(2 * size, np.int64), np.zeros(2 * size, np.int64)
    for window in held:
        _apply(top, marks, windows.counts, low, high, window)
    return ends, top, marks


@kernel
def _apply(top: Any, marks: Any, counts: Any, low: Any, high: Any, change: Any) -> None:
    """Add a window that begins, or take out one that ends."""
    window, count = change, np.int64(0)
    if change >= 0:
        count = counts[window]
    else:
        window = -1 - change
        count = -counts[window]
    size = top.shape[0] // 2
    left, right = low[window] + size, high[window] + size
    if left == right:
        return
    while left < right:
        if left & 1:
            top[left] += count
            marks[left] += count
            left += 1
        if right & 1:
            right -= 1
            top[right] += count
            marks[right] += count
        left >>= 1
        right >>= 1
    for leaf in (low[window] + size, high[window] - 1 + size):
        node = leaf >> 1
        while node:
            top[node] = max(top[2 * node], top[2 * node + 1]) + marks[node]
            node >>= 1


@kernel
def _runs(top: Any, marks: Any, ends: Any, least: Any, runs: Any) -> Any:
    """The runs of ends that reach ``least``: first, last, highest score and the last end that has it; how many."""
    size, found, open_until = top.shape[0] // 2, 0, np.int64(-1)
    nodes, above, height = np.empty(64, np.int64), np.empty(64, np.int64), 1
    nodes[0], above[0] = 1, 0
    while height:
        height -= 1
        node, added = nodes[height], above[height]
        if top[node] + added < least:
            continue
        if node < size:
            added += marks[node]
            nodes[height], above[height] = 2 * node + 1, added
            nodes[height + 1], above[height + 1] = 2 * node, added
            height += 2
            continue
        leaf, score = node - size, top[node] + added
        if leaf != open_until:
            runs[found, 0], runs[found, 2] = ends[leaf], 0
            found += 1
        open_until, last = leaf + 1, ends[leaf + 1] - 1
        runs[found - 1, 1] = last
        if score >= runs[found - 1, 2]:
            runs[found - 1, 2], runs[found - 1, 3] = score, last
    return found


@kernel
def _last_end(top: Any, marks: Any, ends: Any, least: Any, limit: Any) -> Any:
    """The last end up to ``limit`` that reaches ``least``; -1 if none does."""
    size = top.shape[0] // 2
    nodes, above, first, width = np.empty(64, np.int64), np.empty(64, np.int64), np.empty(64, np.int64), size
    nodes[0], above[0], first[0], height = 1, 0, 0, 1
    while height:
        height -= 1
        node, added, leaf = nodes[height], above[height], first[height]
        if top[node] + added < least or ends[leaf] > limit:
            continue
        if node >= size:
            return min(ends[leaf + 1] - 1, limit)
        width, depth = size, node
        while depth > 1:  # leaves below the node
            width, depth = width >> 1, depth >> 1
        added += marks[node]
        nodes[height], above[height], first[height] = 2 * node, added, leaf
        nodes[height + 1], above[height + 1], first[height + 1] = 2 * node + 1, added, leaf + (width >> 1)
        height += 2
    return np.int64(-1)
