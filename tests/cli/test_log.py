"""The log of a service has a line for each cause and minute, and nothing of it steers a terminal."""

import logging
from collections.abc import Iterator

import pytest

from ibidem.cli import log
from ibidem.cli.log import LogLines


@pytest.fixture
def logger() -> Iterator[logging.Logger]:
    made = logging.getLogger("ibidem.a test")
    made.propagate = False
    lines = LogLines()
    made.addHandler(lines)
    yield made
    made.removeHandler(lines)


def test_a_cause_is_one_line_a_minute_and_the_rest_is_counted(
    logger: logging.Logger, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr(log.time, "monotonic", lambda: now)
    for number in range(500):
        logger.warning("no descriptor is left for %s\nand more of it", number)
    logger.error("another cause: %s", "a\x1b[31mb\u202ec")
    now += 61
    logger.warning("no descriptor is left for %s\nand more of it", "one")
    assert capsys.readouterr().err.splitlines() == [
        "ibidem: warning: no descriptor is left for 0",
        "ibidem: error: another cause: a\N{REPLACEMENT CHARACTER}[31mb\N{REPLACEMENT CHARACTER}c",
        "ibidem: warning: no descriptor is left for one (499 more in the minutes before)",
    ]


def test_a_fault_of_the_world_is_one_line_and_a_defect_has_its_traceback(
    logger: logging.Logger, capsys: pytest.CaptureFixture[str]
) -> None:
    for error in (OSError(24, "Too many open files"), ZeroDivisionError("a defect")):
        try:
            raise error
        except type(error):
            logger.exception("it failed")
    lines = capsys.readouterr().err.splitlines()
    assert lines[:2] == ["ibidem: error: it failed: [Errno 24] Too many open files", "ibidem: error: it failed"]
    assert lines[2] == "Traceback (most recent call last):"
    assert lines[-1] == "ZeroDivisionError: a defect"


def test_causes_without_end_take_no_memory_without_end(logger: logging.Logger) -> None:
    for number in range(3 * log._MOST_CAUSES):
        logger.warning(f"a cause of its own: {number}")
    assert len(logger.handlers[0]._last) <= log._MOST_CAUSES  # type: ignore[attr-defined]
