"""Ctrl-C and other signals come at once, but in the compiler, and commands that they end leave nothing behind."""

import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ibidem.cli.interrupts import Ended, handle_interrupts
from ibidem.corpus.readers.isolation import environment

ENDING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


@pytest.fixture(autouse=True)
def restored_signals() -> Iterator[None]:
    """Give this process back the handlers that it had."""
    before = {number: signal.getsignal(number) for number in (*ENDING, signal.SIGALRM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


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
        with handle_interrupts():
            results.append(work())
            threading.Event().wait(LONG)
            results.append("never interrupted")
    except KeyboardInterrupt:
        results.append("interrupted")
    assert results == ["done", "interrupted"]


def test_an_interrupt_outside_of_the_compiler_comes_at_once() -> None:
    results = []
    with pytest.raises(KeyboardInterrupt), handle_interrupts():
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
    with pytest.raises(KeyboardInterrupt), handle_interrupts():
        work()
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


@pytest.mark.parametrize("number", ENDING, ids=lambda number: signal.Signals(number).name)
def test_a_signal_comes_as_an_interrupt_and_the_next_one_is_not_handled(number: int) -> None:
    with pytest.raises(Ended) as raised, handle_interrupts():
        signal.raise_signal(number)
    assert raised.value.number == number
    assert [signal.getsignal(each) for each in ENDING] == [signal.SIG_DFL] * len(ENDING)


def test_a_signal_that_is_ignored_does_not_keep_another_one_from_being_handled() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # as of a command that a script runs in the background

    def get_both() -> None:
        with handle_interrupts():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGTERM)

    with pytest.raises(Ended):
        get_both()


WAITING = """
import sys, tempfile
import ibidem.corpus
from ibidem.cli.group import main

def wait(*arguments, **options):
    with tempfile.TemporaryDirectory():
        try:
            print("waits", flush=True)
            sys.stdin.read()
        finally:
            {at_the_end}

ibidem.corpus.read = wait
main(["index", "books", "-o", "books.ibidem"])
"""


def run_until_signals(folder: Path, at_the_end: str, *numbers: int) -> tuple[int | None, str]:
    """Run a command that waits, and end it. Returns its status, and what it writes to standard error."""
    program = [sys.executable, "-c", WAITING.format(at_the_end=at_the_end)]
    variables = {**environment(), "TMPDIR": str(folder)}
    pipe = subprocess.PIPE
    with subprocess.Popen(program, stdin=pipe, stdout=pipe, stderr=pipe, env=variables, cwd=folder, text=True) as ran:
        assert ran.stdout is not None
        for number in numbers:
            assert ran.stdout.readline() == "waits\n"
            ran.send_signal(number)
        _, error = ran.communicate()
    return ran.returncode, error


@pytest.mark.parametrize(
    ("number", "status", "message"),
    [
        (signal.SIGINT, 130, "interrupted"),
        (signal.SIGTERM, -signal.SIGTERM, "ended by SIGTERM"),
        (signal.SIGHUP, -signal.SIGHUP, "ended by SIGHUP"),
    ],
)
def test_a_command_that_is_ended_removes_its_temporary_files(
    number: int, status: int, message: str, tmp_path: Path
) -> None:
    assert run_until_signals(tmp_path, "pass", number) == (status, f"ibidem: {message}: no index was made\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", ENDING, ids=lambda number: signal.Signals(number).name)
def test_a_second_signal_ends_a_command_without_a_trace(number: int, tmp_path: Path) -> None:
    waits_again = 'print("waits", flush=True); sys.stdin.read()'
    assert run_until_signals(tmp_path, waits_again, signal.SIGINT, number) == (-number, "")


def test_signals_are_as_before_when_the_block_ends() -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGALRM)
    with handle_interrupts():
        assert signal.getsignal(signal.SIGINT) is not before[0]
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGALRM)) == before


def test_another_use_of_the_signals_is_left_alone() -> None:
    used = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with handle_interrupts():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, used)


def test_other_threads_change_no_signals() -> None:
    seen = []

    def run() -> None:
        with handle_interrupts():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]
