"""Faults, warnings and interruptions: one line on standard error, and the right exit status."""

import errno
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from ibidem.cli.command import Command, command, name_options
from ibidem.errors import CorpusError
from ibidem.text import Document, Documents

from .samples import OTHER, Run, list_commands


def failing(fault: BaseException, *, interrupted: str = "") -> Command:
    @command("Fail.", interrupted=interrupted)
    @click.argument("index", default="some.ibidem")
    def fail(index: str) -> None:
        raise fault

    return fail


def told(monkeypatch: pytest.MonkeyPatch, made: Command) -> tuple[int, str]:
    """Exit status and standard error of a command of the group."""
    from ibidem.cli import main

    monkeypatch.setattr(type(main), "get_command", lambda *_: made)
    result = CliRunner().invoke(main, ["fail"])
    assert not result.stdout
    return result.exit_code, result.stderr


@pytest.mark.parametrize(
    ("fault", "line"),
    [
        (CorpusError("a.jsonl, line 3: not JSON"), "a.jsonl, line 3: not JSON"),
        (CorpusError("two\n  lines"), "two lines"),
        (ValueError("k is 0"), "k is 0"),
        (OSError(errno.ENOENT, "No such file or directory", "x.txt"), "x.txt: No such file or directory"),
        (OSError(errno.ENOSPC, "No space left on device"), "standard output: No space left on device"),
    ],
)
def test_a_fault_is_one_line_and_status_2(monkeypatch: pytest.MonkeyPatch, fault: Exception, line: str) -> None:
    assert told(monkeypatch, failing(fault)) == (2, f"ibidem: error: {line}\n")


def test_a_full_disk_under_an_index_names_the_index(monkeypatch: pytest.MonkeyPatch) -> None:
    full = failing(OSError(errno.ENOSPC, "No space left on device"), interrupted="nothing is lost")
    assert told(monkeypatch, full) == (2, "ibidem: error: some.ibidem: No space left on device\n")


def test_an_argument_of_python_is_named_by_the_option_of_the_command() -> None:
    def check(flags: list[str], message: str) -> str:
        return name_options([click.Option(flags)], message)

    assert check(["-k", "--num-hashes"], "num_hashes is 0") == "--num-hashes is 0"
    assert check(["--max-line"], "no max_line: max_line=0") == "no --max-line: --max-line=0"
    assert check(["--json", "as_json"], "as_json is for a terminal") == "--json is for a terminal"
    for message in ("max_line: not a file", "x/max_line.txt: empty", "no key 'max_line'", "max_lines is 0"):
        assert check(["--max-line"], message) == message
    assert check(["--threshold"], "a threshold is 0 to 1") == "a threshold is 0 to 1"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ("--sketch minhash -k 100000", "--num-hashes is between 1 and 65535, not 100000"),
        ("-k 5", "--num-hashes is for an index of sketches"),
        ("--min-length 9 --max-length 3", "1 <= --min-length <= --max-length <= 65535"),
        ("--max-line 0", "--max-line is a size"),
        ("--sketch minhash --weight-units 3", "--weight-units are for"),
    ],
)
def test_errors_of_arguments_name_options(run: Run, tmp_path: Path, arguments: str, error: str) -> None:
    text = tmp_path / "a.txt"
    text.write_text("one two three four\n")
    assert error in run("index", text, "-o", tmp_path / "index", *arguments.split()).stderr


def test_every_argument_with_an_option_is_named_by_it() -> None:
    for subcommand in list_commands():
        for option in subcommand.params:
            if isinstance(option, click.Option) and "_" in str(option.name):
                flag = max(option.opts, key=len)
                assert flag.startswith("--")
                assert name_options(subcommand.params, f"{option.name} is wrong") == f"{flag} is wrong"


def test_ctrl_c_says_what_it_leaves_and_exits_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted = failing(KeyboardInterrupt(), interrupted="nothing is lost")
    assert told(monkeypatch, interrupted) == (130, "ibidem: interrupted: nothing is lost\n")
    assert told(monkeypatch, failing(KeyboardInterrupt())) == (130, "ibidem: interrupted\n")


def test_ctrl_c_inside_of_a_kernel_is_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    error = SystemError("CPUDispatcher returned a result with an exception set")
    error.__cause__ = KeyboardInterrupt()
    assert told(monkeypatch, failing(error)) == (130, "ibidem: interrupted\n")


def test_another_fault_of_the_system_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    from ibidem.cli import main

    monkeypatch.setattr(type(main), "get_command", lambda *_: failing(SystemError("out of order")))
    with pytest.raises(SystemError, match="out of order"):
        CliRunner().invoke(main, ["fail"], catch_exceptions=False)


def test_a_closed_pipe_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(monkeypatch, failing(BrokenPipeError(errno.EPIPE, "Broken pipe"))) == (141, "")


def test_a_defect_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    from ibidem.cli import main

    monkeypatch.setattr(type(main), "get_command", lambda *_: failing(TypeError("a defect")))
    assert isinstance(CliRunner().invoke(main, ["fail"]).exception, TypeError)


def test_a_warning_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    @command("Warn.")
    def fail() -> None:
        for _ in range(2):
            warnings.warn("mind\nthe step", stacklevel=1)

    assert told(monkeypatch, fail) == (0, "ibidem: warning: mind the step\n" * 2)


def test_head_ends_a_search_quietly(shell: Callable[[str], subprocess.CompletedProcess[str]]) -> None:
    # More than a pipe holds, so that the search cannot have ended before its reader.
    many = " ".join(["letter.txt"] * 400)
    done = shell(f"(ibidem search books.ibidem {many}; echo $? >&2) | head -c 1")
    assert done.stdout == "{"
    assert done.stderr == "141\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_under_the_results_is_one_line(shell: Callable[[str], subprocess.CompletedProcess[str]]) -> None:
    done = shell("ibidem search books.ibidem letter.txt > /dev/full")
    assert done.returncode == 2
    assert done.stderr == "ibidem: error: standard output: No space left on device\n"


def test_a_closed_standard_output_is_one_line(shell: Callable[[str], subprocess.CompletedProcess[str]]) -> None:
    done = shell("ibidem search books.ibidem letter.txt >&-")
    assert (done.returncode, done.stderr) == (2, "ibidem: error: standard output: it is closed\n")


def interrupt_after_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object, **__: object) -> Iterator[Documents]:
        yield Documents.of([Document("new", OTHER)])
        raise KeyboardInterrupt

    monkeypatch.setattr("ibidem.corpus.read", read)


def test_ctrl_c_while_indexing_leaves_nothing(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_after_a_batch(monkeypatch)
    result = run("index", "books", "-o", "new.ibidem")
    assert (result.exit_code, result.stderr) == (130, "ibidem: interrupted: no index was made\n")
    assert not (folder / "new.ibidem").exists()


def test_ctrl_c_while_adding_leaves_the_last_commit(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = run("info", "books.ibidem").stdout
    interrupt_after_a_batch(monkeypatch)
    result = run("add", "books.ibidem", "more")
    assert result.exit_code == 130
    assert result.stderr.startswith("ibidem: interrupted: nothing is half written")
    assert run("info", "books.ibidem").stdout == before
    assert run("check", "books.ibidem").exit_code == 0


def test_a_signal_ends_a_command_with_130() -> None:
    reading = [sys.executable, "-m", "ibidem.cli", "align", "-", "-"]
    with subprocess.Popen(reading, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdin is not None
        # More than a pipe holds: when it is written, the command is reading.
        running.stdin.write(b"x" * (1 << 20))
        running.stdin.flush()
        running.send_signal(signal.SIGINT)
        _, error = running.communicate()
    assert (running.returncode, error.decode()) == (130, "ibidem: interrupted\n")


def test_examples_in_the_help_fit_on_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    from ibidem.cli import main

    monkeypatch.setenv("COLUMNS", "80")
    for name in main.list_commands(click.Context(main)):
        shown = CliRunner().invoke(main, [name, "--help"]).stdout
        assert [line for line in shown.split("\n") if len(line) > 80] == []
