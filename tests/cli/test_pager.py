"""What does not fit on a terminal goes through the pager that the user has."""

import os
import pty
import subprocess
from pathlib import Path

import click
import pytest

from ibidem.cli.terminal import hold_messages, tell


def run_on_terminal(command: str, folder: Path, environment: dict[str, str]) -> str:
    """What a terminal of 80 columns shows of a command."""
    reader, terminal = pty.openpty()
    settings = environment | {"COLUMNS": "80", "LINES": "24", "TERM": "xterm"}
    with subprocess.Popen(
        ["sh", "-c", command], cwd=folder, env=settings, stdin=terminal, stdout=terminal, stderr=terminal
    ) as process:
        os.close(terminal)
        shown = b""
        while True:
            try:
                data = os.read(reader, 65536)
            except OSError:  # the terminal of a process that has ended
                break
            if not data:
                break
            shown += data
        process.wait()
    os.close(reader)
    return click.unstyle(shown.decode())


COMMANDS = [
    "ibidem search books.ibidem letter.txt",
    "ibidem align letter.txt books/ferry.txt",
    "ibidem align --index books.ibidem letter.txt",
    "ibidem align --documents notes.jsonl --pairs pairs.jsonl",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_terminal_reads_through_the_pager_that_is_named(
    folder: Path, warm_environment: dict[str, str], command: str
) -> None:
    assert "paged:" in run_on_terminal(command, folder, warm_environment | {"PAGER": "sed s/^/paged:/"})


@pytest.mark.parametrize("command", COMMANDS[:2])
def test_without_the_pager_lines_fit_on_a_terminal(
    folder: Path, warm_environment: dict[str, str], command: str
) -> None:
    named = warm_environment | {"PAGER": "sed s/^/paged:/", "NO_COLOR": "1"}
    shown = run_on_terminal(f"{command} --no-pager", folder, named | {"TERM": "dumb"})
    assert "paged:" not in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert "paged:" not in run_on_terminal(f"{command} | cat", folder, named)


def test_what_is_told_while_the_pager_has_the_screen_is_told_after_it(capsys: pytest.CaptureFixture[str]) -> None:
    with hold_messages():
        tell("one of 254 matches")
        assert capsys.readouterr().err == ""
    assert capsys.readouterr().err == "one of 254 matches\n"
