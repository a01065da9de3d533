"""The passages that collide under enough functions, by a plane sweep over starts and ends.

This is the answer of the papers: every passage whose *estimated* similarity reaches the threshold, found from the
windows alone. While the start moves, a segment tree holds the windows of that start as ranges of ends, and knows the
highest score of any end. Adding or removing a range marks O(log m) nodes. The ends that reach the score are read from
the root down, so a start at which none does costs nothing.

The windows are those that may meet enough others to reach the score (``reading.py``). They are swept in
*clusters*: runs of starts that some window holds, each with a tree of its own.

The cost of a sweep depends on how the windows overlap, and is not known before. So it counts its steps and the passages
that it finds, compares both with the search's limits as it goes, and ends early where these will not be enough.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.kernels import inlined, kernel
from ibidem.passages.query.execution import NEVER, Execution
from ibidem.sketches.schemes.collisions.bounds import ALL, SweepLimits, SweepPart, limit_sweep
from ibidem.sketches.schemes.collisions.windows import Events, WindowSet, order_events

# Steps in the time that it takes to put a window into the tree of a cluster, whose ends are sorted.
_BUILD_STEPS = 100


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
    part: SweepPart = ALL,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """All passages of score ``least`` or more, as rectangles ordered by start, and the highest score in each.

    A rectangle is first and last start, first and last end, and start and end of its best passage: int64 [N, 6]. The
    sweep of a search that has to stop ends early.

    Raises:
        OverBudgetError: there will be more of them, or more work, than the search may have, and it may not do a part.
    """
    limits, stop = limit_sweep(lengths, execution), execution.stop if execution else NEVER
    count, is_complete, steps, rectangles, scores = _sweep_rectangles(
        windows, order_events(windows), least, limits, part, stop
    )
    _settle_sweep(execution, steps, is_complete)
    return rectangles[:count], scores[:count]


def sweep_maximal_passages(
    windows: WindowSet,
    least: int,
    lengths: tuple[int, int],
    execution: Execution | None = None,
    part: SweepPart = ALL,
) -> npt.NDArray[np.int64]:
    """The passages of score ``least`` or more that lie in no longer one, first and last token, int64 [N, 2].

    The sweep ends early as that of ``sweep_rectangles`` does. No passage ends before ``part.last_end``.
    """
    limits, stop = limit_sweep(lengths, execution), execution.stop if execution else NEVER
    count, is_complete, steps, rows = _sweep_maximal(windows, order_events(windows), least, limits, part, stop)
    _settle_sweep(execution, steps, is_complete)
    passages: npt.NDArray[np.int64] = rows[:count].copy()
    return passages


def _settle_sweep(execution: Execution | None, steps: int, is_complete: bool) -> None:
    """Take the steps of a sweep from the budget, and note if it did not come to its end for lack of it."""
    if execution:
        execution.charge(steps)
        if not (is_complete or execution.is_stopped):
            execution.cut()


@kernel
def _sweep_rectangles(
    windows: WindowSet, changing: Events, least: int, limits: SweepLimits, part: SweepPart, halt: npt.NDArray[np.uint8]
) -> tuple[int, bool, int, npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """The number of rectangles, whether these are all, steps, and the rectangles [room, 6] with scores [room]."""
    min_length, max_length, room = limits.min_length, limits.max_length, 1024
    rectangles, scores = np.empty((room, 6), np.int64), np.empty(room, np.float64)
    counts, positions, changes = windows.counts, changing.positions, changing.changes
    leaves = _Leaves(np.empty(counts.shape[0], np.int64), np.empty(counts.shape[0], np.int64))
    end, count, steps, going, open_windows = 0, 0, 0, True, np.empty(0, np.int64)
    while end < positions.shape[0] and going:
        begin = end
        end = _end_cluster(changes, begin, open_windows.shape[0], limits.cluster)
        tree = _build_tree(windows, open_windows, changes[begin:end], leaves)
        steps += _BUILD_STEPS * tree.ends.shape[0]
        runs = np.empty((tree.ends.shape[0], 4), np.int64)
        for event in range(begin, end):
            steps += _apply(tree, counts, leaves, changes[event])
            going = halt[0] == 0 and _may_go_on(limits, part, count, steps, event / positions.shape[0])
            if not going:
                break
            if tree.top[1] < least or positions[event + 1] == positions[event]:
                continue
            row, last_row = positions[event], positions[event + 1] - 1
            reaching, node_count = _find_runs(tree, least, runs)
            steps += node_count
            for run in range(reaching):
                start = max(row, runs[run, 0] - max_length + 1)
                stop = min(last_row, runs[run, 1] - min_length + 1)
                if start <= stop:
                    if count == room:
                        rectangles = np.concatenate((rectangles, np.empty((room, 6), np.int64)))
                        scores = np.concatenate((scores, np.empty(room, np.float64)))
                        room = 2 * room
                    _cut_rectangle(runs[run], start, stop, min_length, max_length, rectangles[count])
                    scores[count] = runs[run, 2]
                    count += 1
        open_windows = _keep_held(open_windows, changes[begin:end], leaves)
    is_complete = going and _may_go_on(limits, part, count, steps, 1.0)
    return count, is_complete, steps, rectangles, scores


@inlined
def _cut_rectangle(
    run: npt.NDArray[np.int64],
    start: int,
    stop: int,
    min_length: int,
    max_length: int,
    rectangle: npt.NDArray[np.int64],
) -> None:
    """Write the rectangle of the starts ``start`` to ``stop`` and a run of ends, cut to the allowed lengths."""
    first, last, best_end = run[0], run[1], run[3]
    rectangle[0], rectangle[1] = start, stop
    rectangle[2] = max(first, start + min_length - 1)
    rectangle[3] = min(last, stop + max_length - 1)
    rectangle[4] = start
    rectangle[5] = min(max(best_end, start + min_length - 1), start + max_length - 1)


@kernel
def _sweep_maximal(
    windows: WindowSet, changing: Events, least: int, limits: SweepLimits, part: SweepPart, halt: npt.NDArray[np.uint8]
) -> tuple[int, bool, int, npt.NDArray[np.int64]]:
    """The number of passages that lie in no other, whether these are all, steps, and the passages [room, 2].

    The longest passage from each start is one of them if it ends behind all before it. So a window whose passages end
    no later than those is left out, as in the paper.
    """
    min_length, max_length, room = limits.min_length, limits.max_length, 1024
    passages = np.empty((room, 2), np.int64)
    window_d, counts, positions, changes = windows.d, windows.counts, changing.positions, changing.changes
    leaves = _Leaves(np.empty(counts.shape[0], np.int64), np.empty(counts.shape[0], np.int64))
    end, count, steps, going, open_windows, last_end = 0, 0, 0, True, np.empty(0, np.int64), part.last_end
    while end < positions.shape[0] and going:
        begin = end
        end = _end_cluster(changes, begin, open_windows.shape[0], limits.cluster)
        tree = _build_tree(windows, open_windows, changes[begin:end], leaves)
        steps += _BUILD_STEPS * tree.ends.shape[0]
        for event in range(begin, end):
            if changes[event] >= 0 and window_d[changes[event]] <= last_end:
                leaves.low[changes[event]] = leaves.high[changes[event]]
            steps += _apply(tree, counts, leaves, changes[event])
            going = halt[0] == 0 and _may_go_on(limits, part, count, steps, event / positions.shape[0])
            if not going:
                break
            if tree.top[1] < least or positions[event + 1] == positions[event]:
                continue
            furthest, node_count = _find_last_end(tree, least, tree.ends[-1])
            steps += node_count
            for start in range(positions[event], positions[event + 1]):
                if furthest <= last_end:
                    break
                last = furthest
                if furthest > start + max_length - 1:
                    last, node_count = _find_last_end(tree, least, start + max_length - 1)
                    steps += node_count
                if last <= last_end or last - start + 1 < min_length:
                    continue
                last_end = last
                if count == room:
                    passages = np.concatenate((passages, np.empty((room, 2), np.int64)))
                    room = 2 * room
                passages[count, 0], passages[count, 1] = start, last
                count += 1
        open_windows = _keep_held(open_windows, changes[begin:end], leaves)
    return count, going and _may_go_on(limits, part, count, steps, 1.0), steps, passages


@inlined
def _may_go_on(limits: SweepLimits, part: SweepPart, count: int, steps: int, events_share: float) -> bool:
    """Whether a sweep may continue that found ``count`` in so many ``steps``, after a share of its events.

    A sweep may use up a small part of what is allowed, and then half as much again as the part of the way that it has
    come. So one that will need too much ends early, unless it needs most of it at its end.
    """
    allowed_share = min(1.0, limits.at_once + 1.5 * (part.start + part.size * events_share))
    return (
        part.areas_before + count <= allowed_share * limits.most
        and limits.steps_before + steps <= allowed_share * limits.steps
    )


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
def _apply(tree: _Tree, counts: npt.NDArray[np.int64], leaves: _Leaves, change: int) -> int:
    """Add a window that begins, or remove one that ends. Returns how many levels of the tree were gone through."""
    top, marks = tree.top, tree.marks
    window, count = change, np.int64(0)
    if change >= 0:
        count = counts[window]
    else:
        window = -1 - change
        count = -counts[window]
    size = top.shape[0] // 2
    left, right, levels = leaves.low[window] + size, leaves.high[window] + size, 1
    if left == right:
        return levels
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
        levels += 1
    for leaf in (leaves.low[window] + size, leaves.high[window] - 1 + size):
        node = leaf >> 1
        while node:
            top[node] = max(top[2 * node], top[2 * node + 1]) + marks[node]
            node >>= 1
            levels += 1
    return levels


@kernel
def _find_runs(tree: _Tree, least: int, runs: npt.NDArray[np.int64]) -> tuple[int, int]:
    """The runs of ends that reach ``least``: first, last, highest score and the last end that has it.

    Returns how many runs there are, and how many nodes were visited.
    """
    top, marks, ends = tree.top, tree.marks, tree.ends
    size, count, node_count, open_until = top.shape[0] // 2, 0, 0, np.int64(-1)
    nodes, above, height = np.empty(64, np.int64), np.empty(64, np.int64), 1
    nodes[0], above[0] = 1, 0
    while height:
        height -= 1
        node_count += 1
        node, mark_sum = nodes[height], above[height]
        if top[node] + mark_sum < least:
            continue
        if node < size:
            mark_sum += marks[node]
            nodes[height], above[height] = 2 * node + 1, mark_sum
            nodes[height + 1], above[height + 1] = 2 * node, mark_sum
            height += 2
            continue
        leaf, score = node - size, top[node] + mark_sum
        if leaf != open_until:
            runs[count, 0], runs[count, 2] = ends[leaf], 0
            count += 1
        open_until, last = leaf + 1, ends[leaf + 1] - 1
        runs[count - 1, 1] = last
        if score >= runs[count - 1, 2]:
            runs[count - 1, 2], runs[count - 1, 3] = score, last
    return count, node_count


@kernel
def _find_last_end(tree: _Tree, least: int, limit: int) -> tuple[int, int]:
    """The last end up to ``limit`` that reaches ``least``, -1 if none does, and how many nodes were visited."""
    top, marks, ends = tree.top, tree.marks, tree.ends
    size, node_count = top.shape[0] // 2, 0
    nodes, above, height = np.empty(64, np.int64), np.empty(64, np.int64), 1
    first, width = np.empty(64, np.int64), np.empty(64, np.int64)  # of the leaves below each node
    nodes[0], above[0], first[0], width[0] = 1, 0, 0, size
    while height:
        height -= 1
        node_count += 1
        node, mark_sum, leaf = nodes[height], above[height], first[height]
        if top[node] + mark_sum < least or ends[leaf] > limit:
            continue
        if node >= size:
            return min(int(ends[leaf + 1]) - 1, limit), node_count
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
    return -1, node_count
