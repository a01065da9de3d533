"""What a terminal gets: bars on standard error, colours, and nothing that steers it."""

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from ibidem.cli.terminal import (
    console,
    fold_command,
    fold_lines,
    how_far,
    is_terminal,
    printable,
    progress,
    shorten_text,
    wrap_message,
)
from ibidem.corpus import ReadingProgress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_stream_that_is_missing_or_a_file_is_no_terminal() -> None:
    assert not is_terminal(None)
    assert not is_terminal(io.StringIO())
    assert is_terminal(Terminal())


def test_progress_is_not_shown_on_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress() as shown:
        assert shown is None


def test_progress_is_shown_for_each_phase_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress() as shown:
        assert shown is not None
        shown("reading", 5, None)
        shown("indexing", 3, 7)
        shown("indexing", 7, 7)
    assert "reading" in sys.stderr.getvalue()
    assert "7 of 7" in sys.stderr.getvalue()


def test_no_bars_are_drawn_over_results_at_the_same_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(sys, "stdout", Terminal())
    with progress(with_results=True) as shown:
        assert shown is None
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    with progress(with_results=True) as shown:
        assert shown is not None


def test_a_message_is_wrapped_between_words_for_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    message = "some passages stand in/a-very-long/path/of-files\n\nand more"
    assert wrap_message(message) == "some passages stand\nin/a-very-long/path/of-files\n\nand more"


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_a_folded_command_is_the_same_to_a_shell(width: int) -> None:
    line = '    echo a "b  c d e f g h i j k l m n o p q r s" --some option --other option > /dev/stdout'
    folded = fold_command(line, width)
    run = [subprocess.run(["sh", "-c", text], capture_output=True, check=True).stdout for text in (line, folded)]
    assert run[0] == run[1]
    assert all(len(each) <= max(width, 60) for each in folded.split("\n"))


def test_the_time_that_is_left_is_told_where_the_whole_is_known() -> None:
    assert how_far(0, 100, 5) == "0 of 100 in 0:05"
    assert how_far(25, 100, 3600) == "25 of 100 in 1:00:00, 3:00:00 left"
    assert how_far(100, 100, 59.6) == "100 of 100 in 1:00"


def test_a_reading_whose_whole_is_known_in_bytes_says_how_much_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    class Half(ReadingProgress):
        def done(self) -> int:
            return 50

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", Terminal())
    half = Half()
    half.total = 100
    with progress(half) as shown:
        assert shown is not None
        shown("reading", 1234, None)
    assert "1,234 in 0:00, 0:00 left" in sys.stderr.getvalue()


@pytest.mark.parametrize("text", ["plain", "two\nlines\tand a tab", "Ünïcödé 十二 🙂"])
def test_printable_text_is_left_alone(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize("sign", ["\x1b", "\x07", "\x00", "\x9b", "\ud800", "\u202e"])
def test_signs_that_steer_a_terminal_are_replaced(sign: str) -> None:
    assert printable(f"a{sign}b") == "a\N{REPLACEMENT CHARACTER}b"


def test_a_text_is_put_on_one_line() -> None:
    assert fold_lines("a\r\n\n b\u3000c") == "a b c"


def test_the_middle_of_a_long_text_is_left_out() -> None:
    assert shorten_text("x" * 10, 10) == "x" * 10
    assert shorten_text("a" * 50 + "z" * 50, 10) == "aaaaa ... zzzzz"


def test_texts_are_never_taken_for_markup(capsys: pytest.CaptureFixture[str]) -> None:
    console().print("[bold]12[/bold] :smile:")
    assert capsys.readouterr().out == "[bold]12[/bold] :smile:\n"


def test_a_search_at_a_real_terminal_shows_colours(folder: Path, environment: dict[str, str]) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "ibidem.cli", "search", "books.ibidem", "letter.txt"]
    with subprocess.Popen(
        command,
        cwd=folder,
        env={**environment, "TERM": "xterm", "COLUMNS": "100"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ) as running:
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 4096):
                shown += part
        except OSError:  # the system's way to say that the other side is closed
            pass
        finally:
            os.close(ours)
    assert running.returncode == 0
    assert b"\x1b[1mletter.txt\x1b[0m" in shown
    assert b"\x1b[1;33m" in shown
    assert b'{"query"' not in shown
