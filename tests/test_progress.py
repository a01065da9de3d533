"""How far work is, in lines of a log and in a line that changes."""

import io

import pytest

from ibidem import progress
from ibidem.progress import ProgressLine, ProgressLog, show_progress
from ibidem.resources import Resources


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which a test sets."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_a_log_has_a_line_every_half_minute(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    log = ProgressLog()
    for seconds in (0, 10, 29, 31, 45, 62):
        clock[0] = 100.0 + seconds
        log("reading", seconds, 124)
    assert capsys.readouterr().err.splitlines() == [
        "ibidem: reading: 31 of 124 in 0:31, 1:33 left",
        "ibidem: reading: 62 of 124 in 1:02, 1:02 left",
    ]


def test_a_phase_begins_where_the_one_before_was_heard_of_last(
    clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    log = ProgressLog()
    for seconds, phase, done in ((40, "reading", 1), (80, "reading", 2), (140, "writing", 1)):  # each is a task's end
        clock[0] = 100.0 + seconds
        log(phase, done, 2)
    assert capsys.readouterr().err.splitlines() == [
        "ibidem: reading: 1 of 2 in 0:40, 0:40 left",
        "ibidem: reading: 2 of 2 in 1:20",
        "ibidem: writing: 1 of 2 in 1:00, 1:00 left",
    ]


def test_a_line_changes_and_stays_when_all_is_done(clock: list[float]) -> None:
    stream = Terminal()
    line = ProgressLine(stream)
    for seconds in (0.0, 0.05, 1.0):
        clock[0] = 100.0 + seconds
        line("reading", int(seconds * 10), 10)
    assert [each.strip() for each in stream.getvalue().split("\r") if each] == [
        "reading: 0 of 10 in 0:00",
        "reading: 10 of 10 in 0:01",
    ]
    assert stream.getvalue().endswith("\n")


def test_true_shows_progress_where_standard_error_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress.sys, "stderr", Terminal())
    assert isinstance(show_progress(), ProgressLine)
    monkeypatch.setattr(progress.sys, "stderr", io.StringIO())
    assert isinstance(Resources.of("64M", 1, True).tell, ProgressLog)
