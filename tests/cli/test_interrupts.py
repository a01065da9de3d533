"""Ctrl-C comes at once, but in the compiler."""

import signal
import threading
from collections.abc import Callable

import pytest

from ibidem.cli.interrupts import delay_interrupts

LONG = 60
"""Seconds that a test waits for an interrupt that does not come."""


def make_compiler(module: str) -> Callable[[], str]:
    """A function of ``module`` that is interrupted while it works, and gives its result."""
    names = {"__name__": module, "signal": signal}
    exec("def work():\n    signal.raise_signal(signal.SIGINT)\n    return 'done'", names)
    work: Callable[[], str] = names["work"]  # type: ignore[assignment]
    return work


def work_and_wait(work: Callable[[], str]) -> None:
    """Work to the end, and be interrupted while waiting."""
    results = []
    try:
        with delay_interrupts():
            results.append(work())
            threading.Event().wait(LONG)
            results.append("never interrupted")
    except KeyboardInterrupt:
        results.append("interrupted")
    assert results == ["done", "interrupted"]


def test_an_interrupt_outside_of_the_compiler_comes_at_once() -> None:
    results = []
    with pytest.raises(KeyboardInterrupt), delay_interrupts():
        results.append(make_compiler("numbers")())
    assert results == []


@pytest.mark.parametrize("module", ["numba.core.serialize", "llvmlite.binding"])
def test_an_interrupt_in_the_compiler_comes_when_it_is_done(module: str) -> None:
    work_and_wait(make_compiler(module))


def test_what_the_compiler_calls_is_not_interrupted_either() -> None:
    names = {"__name__": "numba.core.dispatcher", "work": make_compiler("numpy")}
    exec("def compile():\n    return work()", names)
    work_and_wait(names["compile"])  # type: ignore[arg-type]


def test_an_interrupt_that_is_still_delayed_comes_at_the_end() -> None:
    work = make_compiler("numba")
    with pytest.raises(KeyboardInterrupt), delay_interrupts():
        work()
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


def test_signals_are_as_before_when_the_block_ends() -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGALRM)
    with delay_interrupts():
        assert signal.getsignal(signal.SIGINT) is not before[0]
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGALRM)) == before


def test_another_use_of_the_signals_is_left_alone() -> None:
    used = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with delay_interrupts():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, used)


def test_other_threads_change_no_signals() -> None:
    seen = []

    def run() -> None:
        with delay_interrupts():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]
