"""The passages that collide under enough functions, by a plane sweep over starts and ends.

This is the answer of the papers: every passage whose *estimated* similarity reaches the threshold, found from the
windows alone. While the start moves, a segment tree holds the windows of that start as ranges of ends, and knows the
highest score of any end. Adding or removing a range marks O(log m) nodes. The ends that reach the score are read from
the root down, so a start at which none does costs nothing.

The windows are those that may meet enough others to reach the score (``collision_areas.py``). They are swept in
*clusters*: runs of starts that some window holds, each with a tree of its own.
"""

import sys
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem._jit import inlined, kernel
from ibidem.passages.query.execution import NEVER, Execution
from ibidem.passages.search.collision_windows import Events, WindowSet, order_events

__all__ = ["sweep_maximal_passages", "sweep_rectangles"]

CLUSTER_EVENTS = 4096
"""A cluster ends after this many events, so that its tree fits the cache. Open windows begin again in the next one."""


class _Limits(NamedTuple):
    """What a sweep gives, and when it ends.

    Attributes:
        min_length, max_length: tokens of a passage.
        most: the sweep ends once it has so many that it will have more than this.
        cluster: events of a cluster.
    """

    min_length: int
    max_length: int
    most: int
    cluster: int


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


def sweep_rectangles(
    windows: WindowSet,
    least: int,
    lengths: tuple[int, int],
    execution: Execution | None = None,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """All passages of score ``least`` or more, as rectangles ordered by start, and the highest score in each.

    A rectangle is first and last start, first and last end, and start and end of its best passage: int64 [N, 6]. The
    sweep of a search that has to stop ends early.

    Raises:
        OverBudgetError: there will be more of them than the search may keep, and it may not keep a part of them.
    """
    limits, stop = _limit_sweep(lengths, execution)
    count, whole, found, scores = _sweep_rectangles(windows, order_events(windows), least, limits, stop)
    if execution and not (whole or execution.is_stopped):
        execution.cut()
    return found[:count], scores[:count]


def sweep_maximal_passages(
    windows: WindowSet,
    least: int,
    lengths: tuple[int, int],
    execution: Execution | None = None,
) -> npt.NDArray[np.int64]:
    """The passages of score ``least`` or more that lie in no longer one, first and last token, int64 [N, 2].

    The sweep ends early as that of ``sweep_rectangles`` does.
    """
    limits, stop = _limit_sweep(lengths, execution)
    count, whole, found = _sweep_maximal(windows, order_events(windows), least, limits, stop)
    if execution and not (whole or execution.is_stopped):
        execution.cut()
    passages: npt.NDArray[np.int64] = found[:count].copy()
    return passages


def _limit_sweep(lengths: tuple[int, int], execution: Execution | None) -> tuple[_Limits, npt.NDArray[np.uint8]]:
    """The limits of a sweep, and the flag that stops it."""
    most = execution.most_areas if execution else sys.maxsize
    limits = _Limits(min_length=lengths[0], max_length=lengths[1], most=most, cluster=CLUSTER_EVENTS)
    return limits, execution.stop if execution else NEVER


@kernel
def _sweep_rectangles(
    windows: WindowSet, changing: Events, least: int, limits: _Limits, halt: npt.NDArray[np.uint8]
) -> tuple[int, bool, npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """The number of rectangles, whether these are all, and the rectangles [room, 6] with their scores [room]."""
    min_length, max_length, room = limits.min_length, limits.max_length, 1024
    found, scores = np.empty((room, 6), np.int64), np.empty(room, np.float64)
    counts, positions, changes = windows.counts, changing.positions, changing.changes
    leaves = _Leaves(np.empty(counts.shape[0], np.int64), np.empty(counts.shape[0], np.int64))
    end, count, held = 0, 0, np.empty(0, np.int64)
    while end < positions.shape[0] and halt[0] == 0 and count <= _allow(limits.most, end, positions.shape[0]):
        begin = end
        end = _end_cluster(changes, begin, held.shape[0], limits.cluster)
        tree = _build_tree(windows, held, changes[begin:end], leaves)
        runs = np.empty((tree.ends.shape[0], 4), np.int64)
        for event in range(begin, end):
            _apply(tree, counts, leaves, changes[event])
            if tree.top[1] < least or positions[event + 1] == positions[event]:
                continue
            row, last_row = positions[event], positions[event + 1] - 1
            for run in range(_find_runs(tree, least, runs)):
                start = max(row, runs[run, 0] - max_length + 1)
                stop = min(last_row, runs[run, 1] - min_length + 1)
                if start <= stop:
                    if count == room:
                        found = np.concatenate((found, np.empty((room, 6), np.int64)))
                        scores = np.concatenate((scores, np.empty(room, np.float64)))
                        room = 2 * room
                    _cut_rectangle(runs[run], start, stop, min_length, max_length, found[count])
                    scores[count] = runs[run, 2]
                    count += 1
        held = _keep_held(held, changes[begin:end], leaves)
    return count, end == positions.shape[0] and count <= limits.most, found, scores


@inlined
def _cut_rectangle(
    run: npt.NDArray[np.int64],
    start: int,
    stop: int,
    min_length: int,
    max_length: int,
    found: npt.NDArray[np.int64],
) -> None:
    """Write the rectangle of the starts ``start`` to ``stop`` and a run of ends, cut to the allowed lengths."""
    first, last, best_end = run[0], run[1], run[3]
    found[0], found[1] = start, stop
    found[2] = max(first, start + min_length - 1)
    found[3] = min(last, stop + max_length - 1)
    found[4] = start
    found[5] = min(max(best_end, start + min_length - 1), start + max_length - 1)


@kernel
def _sweep_maximal(
    windows: WindowSet, changing: Events, least: int, limits: _Limits, halt: npt.NDArray[np.uint8]
) -> tuple[int, bool, npt.NDArray[np.int64]]:
    """The number of passages that lie in no other, whether these are all, and the passages [starts, 2].

    The longest passage from each start is one of them if it ends behind all before it. So a window whose passages end
    no later than those is left out, as in the paper.
    """
    min_length, max_length, room = limits.min_length, limits.max_length, 1024
    found = np.empty((room, 2), np.int64)
    window_d, counts, positions, changes = windows.d, windows.counts, changing.positions, changing.changes
    leaves = _Leaves(np.empty(counts.shape[0], np.int64), np.empty(counts.shape[0], np.int64))
    end, count, held, reached = 0, 0, np.empty(0, np.int64), -1
    while end < positions.shape[0] and halt[0] == 0 and count <= _allow(limits.most, end, positions.shape[0]):
        begin = end
        end = _end_cluster(changes, begin, held.shape[0], limits.cluster)
        tree = _build_tree(windows, held, changes[begin:end], leaves)
        for event in range(begin, end):
            if changes[event] >= 0 and window_d[changes[event]] <= reached:
                leaves.low[changes[event]] = leaves.high[changes[event]]
            _apply(tree, counts, leaves, changes[event])
            if tree.top[1] < least or positions[event + 1] == positions[event]:
                continue
            furthest = _find_last_end(tree, least, tree.ends[-1])
            for start in range(positions[event], positions[event + 1]):
                if furthest <= reached:
                    break
                last = furthest
                if furthest > start + max_length - 1:
                    last = _find_last_end(tree, least, start + max_length - 1)
                if last <= reached or last - start + 1 < min_length:
                    continue
                reached = last
                if count == room:
                    found = np.concatenate((found, np.empty((room, 2), np.int64)))
                    room = 2 * room
                found[count, 0], found[count, 1] = start, last
                count += 1
        held = _keep_held(held, changes[begin:end], leaves)
    return count, end == positions.shape[0] and count <= limits.most, found


@inlined
def _allow(most: int, done: int, events: int) -> float:
    """How many passages may have been found when so many events are done: a tenth of all, and twice as many as events.

    A sweep that will find too many so ends early, unless most are found in its last part.
    """
    return min(1.0, 0.1 + 2.0 * done / events) * most


@kernel
def _end_cluster(changes: npt.NDArray[np.int64], event: int, held: int, most: int) -> int:
    """The event behind the cluster that begins with ``event``, when ``held`` windows are open.

    It has at most ``most`` events, unless the windows that are open are not few beside them.
    """
    behind = min(changes.shape[0], event + max(most, 4 * held))
    while event < behind:
        held += 1 if changes[event] >= 0 else -1
        event += 1
        if held == 0:
            break
    return event


@kernel
def _keep_held(held: npt.NDArray[np.int64], changes: npt.NDArray[np.int64], leaves: _Leaves) -> npt.NDArray[np.int64]:
    """The windows that are open behind a cluster; those that are not lose their leaves."""
    for change in changes:
        if change < 0:
            leaves.low[-1 - change] = -1
    begun = np.concatenate((held, changes[changes >= 0]))
    return begun[leaves.low[begun] >= 0]


@kernel
def _build_tree(
    windows: WindowSet, held: npt.NDArray[np.int64], changes: npt.NDArray[np.int64], leaves: _Leaves
) -> _Tree:
    """The tree of a cluster, with the windows that are ``held`` before it. Writes the leaves of its windows."""
    window_c, window_d = windows.c, windows.d
    begun = np.concatenate((held, changes[changes >= 0]))
    ends = np.unique(np.concatenate((window_c[begun], window_d[begun] + 1)))
    for window in begun:
        leaves.low[window] = np.searchsorted(ends, window_c[window])
        leaves.high[window] = np.searchsorted(ends, window_d[window] + 1)
    size = 1
    while size < ends.shape[0]:
        size *= 2
    tree = _Tree(ends, np.zeros(2 * size, np.int64), np.zeros(2 * size, np.int64))
    for window in held:
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
    """The runs of ends that reach ``least``: first, last, highest score and the last end that has it; how many."""
    top, marks, ends = tree.top, tree.marks, tree.ends
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
def _find_last_end(tree: _Tree, least: int, limit: int) -> int:
    """The last end up to ``limit`` that reaches ``least``; -1 if none does."""
    top, marks, ends = tree.top, tree.marks, tree.ends
    size = top.shape[0] // 2
    nodes, above, first, width = np.empty(64, np.int64), np.empty(64, np.int64), np.empty(64, np.int64), size
    nodes[0], above[0], first[0], height = 1, 0, 0, 1
    while height:
        height -= 1
        node, added, leaf = nodes[height], above[height], first[height]
        if top[node] + added < least or ends[leaf] > limit:
            continue
        if node >= size:
            return min(int(ends[leaf + 1]) - 1, limit)
        width, depth = size, node
        while depth > 1:  # leaves below the node
            width, depth = width >> 1, depth >> 1
        added += marks[node]
        nodes[height], above[height], first[height] = 2 * node, added, leaf
        nodes[height + 1], above[height + 1], first[height + 1] = 2 * node + 1, added, leaf + (width >> 1)
        height += 2
    return -1
