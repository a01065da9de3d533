"""What a terminal gets: bars on standard error, colours, and nothing that steers it."""

import io
import json
import os
import pty
import re
import subprocess
import sys
import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.cli import terminal
from ibidem.cli.terminal import (
    console,
    fold_command,
    fold_lines,
    is_terminal,
    printable,
    progress,
    wrap_message,
    write_json,
)
from ibidem.corpus import ReadingProgress
from ibidem.progress import LOG_SECONDS, how_far

from .samples import CHANGED, OTHER, PASSAGE

BIDI = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
"""Kinds of characters that turn the direction of those around them."""


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_stream_that_is_missing_or_a_file_is_no_terminal() -> None:
    assert not is_terminal(None)
    assert not is_terminal(io.StringIO())
    assert is_terminal(Terminal())


def test_a_log_has_a_line_for_long_work_and_none_for_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    with progress() as shown:
        assert shown is not None
        for done in range(0, 50, 5):
            shown("reading", done, 100)
            now[0] += LOG_SECONDS / 4
    lines = sys.stderr.getvalue().splitlines()
    assert lines == [
        "ibidem: reading: 20 of 100 in 0:30, 2:00 left",
        "ibidem: reading: 40 of 100 in 1:00, 1:30 left",
    ]


def test_where_quiet_is_asked_for_only_faults_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    monkeypatch.setattr(terminal, "_messages", terminal._Messages())
    terminal.be_quiet(True)
    with progress() as shown:
        assert shown is None
    terminal.tell("done")
    terminal.tell("left out: a.txt", is_fault=True)
    assert sys.stderr.getvalue() == "left out: a.txt\n"


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


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "two\nlines\tand a tab",
        "Ünïcödé 十二 🙂",
        "می\u200cخواهم",
        "\U0001f469\u200d\U0001f4bb",
        "a\u00a0b\u3000c",
    ],
)
def test_printable_text_is_left_alone(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize(
    "sign", ["\x1b", "\x07", "\x00", "\r", "\x7f", "\x9b", "\ud800", "\u202e", "\u2066", "\u200b", "\U000e0041"]
)
def test_signs_that_steer_a_terminal_are_replaced(sign: str) -> None:
    assert printable(f"a{sign}b") == "a\N{REPLACEMENT CHARACTER}b"


@given(st.characters(exclude_categories=["Cs", "Co", "Cn"]))
def test_what_python_calls_printable_is_and_no_control_is(sign: str) -> None:
    assert printable(sign) == sign or not sign.isprintable()
    assert printable(sign) != sign or unicodedata.category(sign) not in ("Cc", "Zl", "Zp") or sign in "\n\t"
    assert printable(sign) != sign or unicodedata.bidirectional(sign) not in BIDI


def test_json_on_a_terminal_is_the_same_value_and_steers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    value = {"a\x7f\u202e": "\x1b[31m \x9b \u2066 é 十二 \U000e0041 \ud800"}
    written = {}
    for stream in (Terminal(), io.StringIO()):
        stream.buffer = io.BytesIO()  # type: ignore[misc]
        monkeypatch.setattr(sys, "stdout", stream)
        write_json(value)
        written[type(stream)] = stream.buffer.getvalue()
    shown = written[Terminal].decode()
    assert json.loads(shown) == json.loads(written[io.StringIO]) == value
    assert printable(shown) == shown


def test_a_text_is_put_on_one_line() -> None:
    assert fold_lines("a\r\n\n b\u3000c") == "a b c"


def test_texts_are_never_taken_for_markup(capsys: pytest.CaptureFixture[str]) -> None:
    console().print("[bold]12[/bold] :smile:")
    assert capsys.readouterr().out == "[bold]12[/bold] :smile:\n"


def show_at_terminal(program: list[str], folder: Path, environment: dict[str, str]) -> tuple[int, bytes]:
    """The exit status of a program of Python, and what it wrote to a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, *program],
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
    return running.returncode, shown


HOSTILE = "\x1b]0;b\x07\x9b31m\u202e"

COMMANDS = """
import sys, warnings
from ibidem.kernels import compiler
from ibidem.cli import main

compiler._notice.told = True
name = sys.argv[1]

def run(*arguments):
    try:
        main(list(arguments))
    except SystemExit as ended:
        print(f"{arguments[0]!a} ended with {ended.code}")

file = f"in/a{name}.txt"
index = f"x{name}.ibidem"
run("index", "in", "-o", index, "--min-length", "8")
run("index", "in", "-o", index)
run("add", index, file)
run("search", index, file)
run("search", index, file, "--json", "--explain")
run("search", index, f"none{name}")
run("search", index, "--query", f"nothing of this {name} is anywhere in the collection")
run("align", file, f"in/b{name}.txt")
run("align", "--index", index, file)
run("info", index)
run("check", index)
run("check", f"none{name}")
run("remove", index, f"none{name}")
run("remove", index, f"a{name}.txt")
run("merge", index)
run("dedup", "in", "-o", f"d{name}")
run("dedup", "in", "--passages", "-o", f"p{name}")
run("reuse", "in", "-o", f"r{name}", "--min-pair-length", "8")
run("reuse", "in", "--explain", f"a{name}.txt", f"b{name}.txt")
run("report", f"r{name}", "-o", f"h{name}.html")
run(f"none{name}")
run("search", index, f"--none{name}")
run("evaluate", f"none{name}", f"none{name}")
run("serve", f"none{name}")
"""


@pytest.mark.usefixtures("warm_python")
def test_no_name_of_a_file_steers_the_terminal(tmp_path: Path, environment: dict[str, str]) -> None:
    (tmp_path / "in").mkdir()
    for name, text in (("a", PASSAGE), ("b", CHANGED)):
        (tmp_path / "in" / f"{name}{HOSTILE}.txt").write_text(f"{text} {HOSTILE} {OTHER}", "utf-8")
    _, shown = show_at_terminal(["-c", COMMANDS, HOSTILE], tmp_path, environment)
    text = shown.decode()
    assert "Traceback" not in text
    assert len(re.findall(r"ended with \d", text)) == 24
    steering = re.sub(r"\x1b\[[0-9;]*m|\x1b\[\?25[lh]|\x1b\[[12]?[KA]|\r", "", text)  # of rich: colours and bars
    assert re.findall(r".*[\x1b\x07\x9b\u202e].*", steering) == []
    assert "\x1b[31m" not in text


def test_a_defect_is_shown_without_what_steers_the_terminal(tmp_path: Path, environment: dict[str, str]) -> None:
    program = (
        "import sys\nfrom ibidem.cli import main\n@main.command('fail')\ndef fail(): raise KeyError(sys.argv[1])\n"
        "from ibidem.cli import group\ngroup.COMMANDS += ('fail',)\nmain.get_command = lambda *_: fail\nmain(['fail'])"
    )
    status, shown = show_at_terminal(["-c", program, HOSTILE.replace("'", "")], tmp_path, environment)
    assert status == 1
    assert b"Traceback" in shown
    assert not set(shown.decode()) & set("\x1b\x07\x9b\u202e")


@pytest.mark.usefixtures("warm_python")
def test_a_search_at_a_real_terminal_shows_colours(folder: Path, environment: dict[str, str]) -> None:
    program = ["-m", "ibidem.cli", "search", "books.ibidem", "letter.txt"]
    status, shown = show_at_terminal(program, folder, environment)
    assert status == 0
    assert b"\x1b[1mletter.txt\x1b[0m" in shown
    assert b"\x1b[1;33m" in shown
    assert b'{"query"' not in shown
