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

from ibidem._jit import inlined, kernel
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
    count, whole, steps, found, scores = _sweep_rectangles(windows, order_events(windows), least, limits, part, stop)
    _settle_sweep(execution, steps, whole)
    return found[:count], scores[:count]


def sweep_maximal_passages(
    windows: WindowSet,
    least: int,
    lengths: tuple[int, int],
    execution: Execution | None = None,
    part: SweepPart = ALL,
) -> npt.NDArray[np.int64]:
    """The passages of score ``least`` or more that lie in no longer one, first and last token, int64 [N, 2].

    The sweep ends early as that of ``sweep_rectangles`` does. No passage ends before ``part.reached``.
    """
    limits, stop = limit_sweep(lengths, execution), execution.stop if execution else NEVER
    count, whole, steps, found = _sweep_maximal(windows, order_events(windows), least, limits, part, stop)
    _settle_sweep(execution, steps, whole)
    passages: npt.NDArray[np.int64] = found[:count].copy()
    return passages


def _settle_sweep(execution: Execution | None, steps: int, whole: bool) -> None:
    """Take the steps of a sweep from the budget, and note if it did not come to its end for lack of it."""
    if execution:
        execution.charge(steps)
        if not (whole or execution.is_stopped):
            execution.cut()


@kernel
def _sweep_rectangles(
    windows: WindowSet, changing: Events, least: int, limits: SweepLimits, part: SweepPart, halt: npt.NDArray[np.uint8]
) -> tuple[int, bool, int, npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """The number of rectangles, whether these are all, steps, and the rectangles [room, 6] with scores [room]."""
    min_length, max_length, room = limits.min_length, limits.max_length, 1024
    found, scores = np.empty((room, 6), np.int64), np.empty(room, np.float64)
    counts, positions, changes = windows.counts, changing.positions, changing.changes
    leaves = _Leaves(np.empty(counts.shape[0], np.int64), np.empty(counts.shape[0], np.int64))
    end, count, steps, going, held = 0, 0, 0, True, np.empty(0, np.int64)
    while end < positions.shape[0] and going:
        begin = end
        end = _end_cluster(changes, begin, held.shape[0], limits.cluster)
        tree = _build_tree(windows, held, changes[begin:end], leaves)
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
            reaching, visited = _find_runs(tree, least, runs)
            steps += visited
            for run in range(reaching):
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
    whole = going and _may_go_on(limits, part, count, steps, 1.0)
    return count, whole, steps, found, scores


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
    windows: WindowSet, changing: Events, least: int, limits: SweepLimits, part: SweepPart, halt: npt.NDArray[np.uint8]
) -> tuple[int, bool, int, npt.NDArray[np.int64]]:
    """The number of passages that lie in no other, whether these are all, steps, and the passages [room, 2].

    The longest passage from each start is one of them if it ends behind all before it. So a window whose passages end
    no later than those is left out, as in the paper.
    """
    min_length, max_length, room = limits.min_length, limits.max_length, 1024
    found = np.empty((room, 2), np.int64)
    window_d, counts, positions, changes = windows.d, windows.counts, changing.positions, changing.changes
    leaves = _Leaves(np.empty(counts.shape[0], np.int64), np.empty(counts.shape[0], np.int64))
    end, count, steps, going, held, reached = 0, 0, 0, True, np.empty(0, np.int64), part.reached
    while end < positions.shape[0] and going:
        begin = end
        end = _end_cluster(changes, begin, held.shape[0], limits.cluster)
        tree = _build_tree(windows, held, changes[begin:end], leaves)
        steps += _BUILD_STEPS * tree.ends.shape[0]
        for event in range(begin, end):
            if changes[event] >= 0 and window_d[changes[event]] <= reached:
                leaves.low[changes[event]] = leaves.high[changes[event]]
            steps += _apply(tree, counts, leaves, changes[event])
            going = halt[0] == 0 and _may_go_on(limits, part, count, steps, event / positions.shape[0])
            if not going:
                break
            if tree.top[1] < least or positions[event + 1] == positions[event]:
                continue
            furthest, visited = _find_last_end(tree, least, tree.ends[-1])
            steps += visited
            for start in range(positions[event], positions[event + 1]):
                if furthest <= reached:
                    break
                last = furthest
                if furthest > start + max_length - 1:
                    last, visited = _find_last_end(tree, least, start + max_length - 1)
                    steps += visited
                if last <= reached or last - start + 1 < min_length:
                    continue
                reached = last
                if count == room:
                    found = np.concatenate((found, np.empty((room, 2), np.int64)))
                    room = 2 * room
                found[count, 0], found[count, 1] = start, last
                count += 1
        held = _keep_held(held, changes[begin:end], leaves)
    return count, going and _may_go_on(limits, part, count, steps, 1.0), steps, found


@inlined
def _may_go_on(limits: SweepLimits, part: SweepPart, count: int, steps: int, done: float) -> bool:
    """Whether a sweep may continue that found ``count`` in so many ``steps``, when so much of its events is ``done``.

    A sweep may use up a small part of what is allowed, and then half as much again as the part of the way that it has
    come. So one that will need too much ends early, unless it needs most of it at its end.
    """
    allowed = min(1.0, limits.at_once + 1.5 * (part.begun + part.size * done))
    return part.found + count <= allowed * limits.most and limits.taken + steps <= allowed * limits.steps


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
    size, found, visited, open_until = top.shape[0] // 2, 0, 0, np.int64(-1)
    nodes, above, height = np.empty(64, np.int64), np.empty(64, np.int64), 1
    nodes[0], above[0] = 1, 0
    while height:
        height -= 1
        visited += 1
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
    return found, visited


@kernel
def _find_last_end(tree: _Tree, least: int, limit: int) -> tuple[int, int]:
    """The last end up to ``limit`` that reaches ``least``, -1 if none does, and how many nodes were visited."""
    top, marks, ends = tree.top, tree.marks, tree.ends
    size, visited = top.shape[0] // 2, 0
    nodes, above, height = np.empty(64, np.int64), np.empty(64, np.int64), 1
    first, width = np.empty(64, np.int64), np.empty(64, np.int64)  # of the leaves below each node
    nodes[0], above[0], first[0], width[0] = 1, 0, 0, size
    while height:
        height -= 1
        visited += 1
        node, added, leaf = nodes[height], above[height], first[height]
        if top[node] + added < least or ends[leaf] > limit:
            continue
        if node >= size:
            return min(int(ends[leaf + 1]) - 1, limit), visited
        added += marks[node]
        half = width[height] >> 1
        nodes[height], above[height], first[height], width[height] = 2 * node, added, leaf, half
        nodes[height + 1], above[height + 1], first[height + 1], width[height + 1] = (
            2 * node + 1,
            added,
            leaf + half,
            half,
        )
        height += 2
    return -1, visited
