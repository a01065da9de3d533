"""The passages that collide under enough functions, by a plane sweep over starts and ends.

It is the interval scan of Peng, Zhang and Deng (SIGMOD 2024, Algorithm 3) with their segment tree (section 4.2), for
the windows of either scheme. While the start moves, a segment tree holds the windows of that start as ranges of ends,
and knows the highest score of any end. Adding or removing a range marks O(log m) nodes. The ends that reach the score
are read from the root down, so a start at which none does costs nothing.

The windows are those that may meet enough others to reach the score (``reading.py``). They are swept in *clusters*:
runs of starts that some window holds, each with a tree of its own. ``benchmarks/baselines/interval_scan.py`` has the
scan as the paper gives it, without a tree.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.kernels import kernel
from ibidem.sketches.index.collided_windows import Events, WindowSet, order_events

CLUSTER_EVENTS = 4096
"""A cluster ends after this many events, so that its tree fits the cache. Open windows begin again in the next one."""


class _Tree(NamedTuple):
    """A segment tree over the ends of a cluster.

    Attributes:
        ends: int64 [E], the ends at which a window begins or has ended, ascending. Leaf ``i`` stands for the ends
            ``ends[i]`` to ``ends[i + 1] - 1``.
        top: int64 [2 * size], the highest score below each node.
        marks: int64 [2 * size], what was added to a whole node.
    """

    ends: npt.NDArray[np.int64]
    top: npt.NDArray[np.int64]
    marks: npt.NDArray[np.int64]


class _Leaves(NamedTuple):
    """Of each window, the leaves from ``low`` until ``high`` that it covers in the tree at hand, int64 [m]."""

    low: npt.NDArray[np.int64]
    high: npt.NDArray[np.int64]


def sweep_rectangles(windows: WindowSet, least: int, lengths: tuple[int, int]) -> npt.NDArray[np.int64]:
    """All passages of score ``least`` or more, as rectangles ordered by start, int64 [N, 4].

    A rectangle is first and last start, first and last end. From each start some end makes a passage of the
    ``lengths``, in tokens; others may not.
    """
    count, rectangles = _sweep_rectangles(windows, order_events(windows), least, lengths, CLUSTER_EVENTS)
    swept: npt.NDArray[np.int64] = rectangles[:count]
    return swept


def sweep_maximal_passages(
    windows: WindowSet, least: int, lengths: tuple[int, int], last_end: int = -1
) -> npt.NDArray[np.int64]:
    """The passages of score ``least`` or more that lie in no longer one, first and last token, int64 [N, 2].

    No passage ends before ``last_end``, where those of an earlier sweep ended.
    """
    count, rows = _sweep_maximal(windows, order_events(windows), least, lengths, last_end, CLUSTER_EVENTS)
    passages: npt.NDArray[np.int64] = rows[:count].copy()
    return passages


@kernel
def _sweep_rectangles(
    windows: WindowSet, changing: Events, least: int, lengths: tuple[int, int], most_events: int
) -> tuple[int, npt.NDArray[np.int64]]:
    """The number of rectangles, and the rectangles [room, 4]."""
    (min_length, max_length), room = lengths, 1024
    rectangles = np.empty((room, 4), np.int64)
    counts, positions, changes = windows.counts, changing.positions, changing.changes
    leaves = _Leaves(np.empty(counts.shape[0], np.int64), np.empty(counts.shape[0], np.int64))
    end, count, open_windows = 0, 0, np.empty(0, np.int64)
    while end < positions.shape[0]:
        begin = end
        end = _end_cluster(changes, begin, open_windows.shape[0], most_events)
        tree = _build_tree(windows, open_windows, changes[begin:end], leaves)
        runs = np.empty((tree.ends.shape[0], 2), np.int64)
        for event in range(begin, end):
            _apply(tree, counts, leaves, changes[event])
            if tree.top[1] < least or positions[event + 1] == positions[event]:
                continue
            row, last_row = positions[event], positions[event + 1] - 1
            for run in range(_find_runs(tree, least, runs)):
                first, last = runs[run, 0], runs[run, 1]
                start, stop = max(row, first - max_length + 1), min(last_row, last - min_length + 1)
                if start <= stop:
                    if count == room:
                        rectangles = np.concatenate((rectangles, np.empty((room, 4), np.int64)))
                        room = 2 * room
                    rectangles[count, 0], rectangles[count, 1] = start, stop
                    rectangles[count, 2] = max(first, start + min_length - 1)
                    rectangles[count, 3] = min(last, stop + max_length - 1)
                    count += 1
        open_windows = _keep_held(open_windows, changes[begin:end], leaves)
    return count, rectangles


@kernel
def _sweep_maximal(
    windows: WindowSet, changing: Events, least: int, lengths: tuple[int, int], last_end: int, most_events: int
) -> tuple[int, npt.NDArray[np.int64]]:
    """The number of passages that lie in no other, and the passages [room, 2].

    The longest passage from each start is one of them if it ends behind all before it. So a window whose passages end
    no later than those is left out, as in the paper.
    """
    (min_length, max_length), room = lengths, 1024
    passages = np.empty((room, 2), np.int64)
    window_d, counts, positions, changes = windows.d, windows.counts, changing.positions, changing.changes
    leaves = _Leaves(np.empty(counts.shape[0], np.int64), np.empty(counts.shape[0], np.int64))
    end, count, open_windows = 0, 0, np.empty(0, np.int64)
    while end < positions.shape[0]:
        begin = end
        end = _end_cluster(changes, begin, open_windows.shape[0], most_events)
        tree = _build_tree(windows, open_windows, changes[begin:end], leaves)
        for event in range(begin, end):
            if changes[event] >= 0 and window_d[changes[event]] <= last_end:
                leaves.low[changes[event]] = leaves.high[changes[event]]
            _apply(tree, counts, leaves, changes[event])
            if tree.top[1] < least or positions[event + 1] == positions[event]:
                continue
            furthest = _find_last_end(tree, least, tree.ends[-1])
            for start in range(positions[event], positions[event + 1]):
                if furthest <= last_end:
                    break
                last = furthest
                if furthest > start + max_length - 1:
                    last = _find_last_end(tree, least, start + max_length - 1)
                if last <= last_end or last - start + 1 < min_length:
                    continue
                last_end = last
                if count == room:
                    passages = np.concatenate((passages, np.empty((room, 2), np.int64)))
                    room = 2 * room
                passages[count, 0], passages[count, 1] = start, last
                count += 1
        open_windows = _keep_held(open_windows, changes[begin:end], leaves)
    return count, passages


@kernel
def _end_cluster(changes: npt.NDArray[np.int64], event: int, open_count: int, most: int) -> int:
    """The event behind the cluster that begins with ``event``, when ``open_count`` windows are open.

    It has at most ``most`` events, unless the windows that are open are not few beside them.
    """
    behind = min(changes.shape[0], event + max(most, 4 * open_count))
    while event < behind:
        open_count += 1 if changes[event] >= 0 else -1
        event += 1
        if open_count == 0:
            break
    return event


@kernel
def _keep_held(
    open_windows: npt.NDArray[np.int64], changes: npt.NDArray[np.int64], leaves: _Leaves
) -> npt.NDArray[np.int64]:
    """The windows that are open behind a cluster; those that are not lose their leaves."""
    for change in changes:
        if change < 0:
            leaves.low[-1 - change] = -1
    windows = np.concatenate((open_windows, changes[changes >= 0]))
    return windows[leaves.low[windows] >= 0]


@kernel
def _build_tree(
    windows: WindowSet, open_windows: npt.NDArray[np.int64], changes: npt.NDArray[np.int64], leaves: _Leaves
) -> _Tree:
    """The tree of a cluster, with the windows that are ``open_windows`` before it. Writes the leaves of its windows."""
    window_c, window_d = windows.c, windows.d
    cluster_windows = np.concatenate((open_windows, changes[changes >= 0]))
    ends = np.unique(np.concatenate((window_c[cluster_windows], window_d[cluster_windows] + 1)))
    for window in cluster_windows:
        leaves.low[window] = np.searchsorted(ends, window_c[window])
        leaves.high[window] = np.searchsorted(ends, window_d[window] + 1)
    size = 1
    while size < ends.shape[0]:
        size *= 2
    tree = _Tree(ends, np.zeros(2 * size, np.int64), np.zeros(2 * size, np.int64))
    for window in open_windows:
        _apply(tree, windows.counts, leaves, window)
    return tree


@kernel
def _apply(tree: _Tree, counts: npt.NDArray[np.int64], leaves: _Leaves, change: int) -> None:
    """Add a window that begins, or remove one that ends."""
    top, marks = tree.top, tree.marks
    window, count = change, np.int64(0)
    if change >= 0:
        count = counts[window]
    else:
        window = -1 - change
        count = -counts[window]
    size = top.shape[0] // 2
    left, right = leaves.low[window] + size, leaves.high[window] + size
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
    for leaf in (leaves.low[window] + size, leaves.high[window] - 1 + size):
        node = leaf >> 1
        while node:
            top[node] = max(top[2 * node], top[2 * node + 1]) + marks[node]
            node >>= 1


@kernel
def _find_runs(tree: _Tree, least: int, runs: npt.NDArray[np.int64]) -> int:
    """The runs of ends that reach ``least``, first and last, written to ``runs``. Returns how many there are."""
    top, marks, ends = tree.top, tree.marks, tree.ends
    size, count, open_until = top.shape[0] // 2, 0, np.int64(-1)
    nodes, above, height = np.empty(64, np.int64), np.empty(64, np.int64), 1
    nodes[0], above[0] = 1, 0
    while height:
        height -= 1
        node, mark_sum = nodes[height], above[height]
        if top[node] + mark_sum < least:
            continue
        if node < size:
            mark_sum += marks[node]
            nodes[height], above[height] = 2 * node + 1, mark_sum
            nodes[height + 1], above[height + 1] = 2 * node, mark_sum
            height += 2
            continue
        leaf = node - size
        if leaf != open_until:
            runs[count, 0] = ends[leaf]
            count += 1
        open_until = leaf + 1
        runs[count - 1, 1] = ends[leaf + 1] - 1
    return count


@kernel
def _find_last_end(tree: _Tree, least: int, limit: int) -> int:
    """The last end up to ``limit`` that reaches ``least``, -1 if none does."""
    top, marks, ends = tree.top, tree.marks, tree.ends
    size = top.shape[0] // 2
    nodes, above, height = np.empty(64, np.int64), np.empty(64, np.int64), 1
    first, width = np.empty(64, np.int64), np.empty(64, np.int64)  # of the leaves below each node
    nodes[0], above[0], first[0], width[0] = 1, 0, 0, size
    while height:
        height -= 1
        node, mark_sum, leaf = nodes[height], above[height], first[height]
        if top[node] + mark_sum < least or ends[leaf] > limit:
            continue
        if node >= size:
            return min(int(ends[leaf + 1]) - 1, limit)
        mark_sum += marks[node]
        half = width[height] >> 1
        nodes[height], above[height], first[height], width[height] = 2 * node, mark_sum, leaf, half
        nodes[height + 1], above[height + 1], first[height + 1], width[height + 1] = (
            2 * node + 1,
            mark_sum,
            leaf + half,
            half,
        )
        height += 2
    return -1
