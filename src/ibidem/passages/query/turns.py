"""Turns: the short searches of many threads are done one after another, and long ones beside them.

A thread lets go of Python's lock at each kernel and asks for it again afterwards. Where other threads wait for the
lock, each kernel is then a change of threads. A short search has dozens of kernels of a few microseconds, so many
threads would answer fewer queries than one. Therefore one thread at a time has a turn to search, and a thread that
waits for its turn does not want the lock. A search leaves its turn while long kernels run, and a long one for good.

The first search of another thread finds little of what it needs in the caches of its processor, and takes half as long
again. So a thread that searches again and again keeps its turn for a few milliseconds.
"""

import os
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakSet

__all__ = ["TURNS", "Turn", "Turns"]

_LONGEST_WAIT = 0.5
"""Seconds after which a thread that waits takes the turn of another, which goes on without. So a turn that is never
left delays one search, and stops none."""

_SLICE = 0.01
"""Seconds for which a thread may search again and again while others wait."""

_SOON = 0.0003
"""A thread that began to search within so many seconds after its last search is expected to do so again."""


class Turn:
    """The turn of one thread, until it leaves it."""

    def __init__(self, turns: "Turns | None" = None) -> None:
        self._turns = turns

    @property
    def is_alone(self) -> bool:
        """Whether no other thread of the process searches."""
        return self._turns is None or self._turns.threads < 2

    def take(self, timeout: float | None = None) -> None:
        """Wait for the turn if this thread does not have it, for so many seconds at most."""
        if self._turns is not None:
            self._turns._wait(self, _LONGEST_WAIT if timeout is None else min(timeout, _LONGEST_WAIT))

    def leave(self) -> None:
        """Let the next thread have the turn; this one goes on beside it."""
        if self._turns is not None:
            self._turns._pass_on(self)


class _Place:
    """A place in the line of those that wait.

    Attributes:
        turn: for which it is waited.
        called: is released when the turn is passed on.
    """

    def __init__(self, turn: Turn) -> None:
        self.turn, self.called = turn, threading.Lock()
        self.called.acquire()


class Turns:
    """The turns of the searches of a process, in the order in which they come.

    Attributes:
        threads: how many threads have a turn, had one, or wait for it.
    """

    def __init__(self) -> None:
        self._holder: Turn | None = None
        self._keeper: int | None = None
        self._forget()
        _HELD.add(self)

    @contextmanager
    def take(self, timeout: float | None = None) -> Iterator[Turn]:
        """A turn for what the block does; the thread waits for it for so many seconds at most."""
        turn, is_again = Turn(self), time.monotonic() - getattr(self._last, "end", 0.0) < _SOON
        with self._guard:
            self.threads += 1
        try:
            turn.take(timeout)
            yield turn
        finally:
            self._pass_on(turn, may_keep=is_again)
            with self._guard:
                self.threads -= 1
            self._last.end = time.monotonic()

    def _wait(self, turn: Turn, timeout: float) -> None:
        with self._guard:
            if self._holder is turn or self._can_begin():
                self._begin(turn)
                return
            place = _Place(turn)
            self._waiting.append(place)
        try:
            self._wait_in_line(place, time.monotonic() + timeout)
        finally:
            with self._guard:
                if place in self._waiting:
                    self._waiting.remove(place)
                self._begin(turn)

    def _can_begin(self) -> bool:
        """Whether nobody has the turn, and it was not kept for another thread."""
        return self._holder is None and (not self._waiting or self._keeper == threading.get_ident())

    def _begin(self, turn: Turn) -> None:
        if self._keeper != threading.get_ident():
            self._keeper, self._begun = threading.get_ident(), time.monotonic()
        self._holder = turn

    def _wait_in_line(self, place: "_Place", end: float) -> None:
        """Wait until the turn is passed on to this thread, or was kept for another that did not come for it."""
        before = len(self._waiting)
        while (left := end - time.monotonic()) > 0.0:
            if place.called.acquire(timeout=min(left, _SLICE / 2 * max(1, before))):
                return
            with self._guard:
                before = self._waiting.index(place) if place in self._waiting else 0
                if before == 0 and self._holder in (None, place.turn):
                    return

    def _pass_on(self, turn: Turn, *, may_keep: bool = False) -> None:
        with self._guard:
            if self._holder is not turn:
                return
            self._holder = None
            if self._waiting and not (may_keep and time.monotonic() - self._begun < _SLICE):
                place = self._waiting.popleft()
                self._holder, self._keeper = place.turn, None
                place.called.release()

    def _forget(self) -> None:
        """Begin anew: in a process that was forked, the thread that had the turn is missing."""
        self._guard, self._last, self.threads = threading.Lock(), threading.local(), 0
        self._holder = self._keeper = None
        self._begun = 0.0
        self._waiting: deque[_Place] = deque()


_HELD: "WeakSet[Turns]" = WeakSet()


def _forget_turns() -> None:
    for turns in list(_HELD):
        turns._forget()


os.register_at_fork(after_in_child=_forget_turns)

TURNS = Turns()
"""The turns of this process: Python's lock is one for all of its indexes."""
