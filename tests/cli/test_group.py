"""The command ibidem: wrong usage is one line and points to the help."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ibidem.cli.group import COMMANDS

from .samples import Run


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("serch",), r"No such command 'serch'\. Did you mean 'search'.*\? \(see: ibidem --help\)"),
        (("xyzzy",), r"No such command 'xyzzy'\. \(see: ibidem --help\)"),
        (("info",), r"Missing argument 'INDEX'.* \(see: ibidem info --help\)"),
        (("--colour",), r"No such option.*--colour.* \(see: ibidem --help\)"),
        (("search", "x"), r"give one FILE or more, or --query TEXT \(see: ibidem search --help\)"),
    ],
)
def test_wrong_usage_is_one_line_and_points_to_the_help(run: Run, arguments: tuple[str, ...], line: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert re.fullmatch(f"ibidem: error: {line}\n", result.stderr)


@pytest.mark.parametrize("command", COMMANDS)
def test_h_is_help(run: Run, command: str) -> None:
    assert run(command, "-h").stdout == run(command, "--help").stdout


def test_the_list_of_commands_has_a_whole_sentence_for_each(run: Run) -> None:
    shown = run("--help").stdout
    for command in COMMANDS:
        assert re.search(rf"^  {command} +\S.*\w\.$", shown, re.MULTILINE), shown


def test_no_arguments_show_the_help(run: Run) -> None:
    assert run().stdout == run("--help").stdout


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("ibidem se", {"search", "serve"}),
        ("ibidem search --sel", {"--select"}),
        ("ibidem search --select ", {"best", "longest", "maximal", "all", "document"}),
    ],
)
def test_the_shell_completes_commands_options_and_choices(words: str, offered: set[str]) -> None:
    asked = {"_IBIDEM_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    done = subprocess.run(
        [sys.executable, "-c", "import sys; sys.argv[0] = 'ibidem'; from ibidem.cli import main; main()"],
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
        check=False,
    )
    assert {line.removeprefix("plain,") for line in done.stdout.splitlines()} == offered


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_guide_names_the_line_for_each_shell(shell: str) -> None:
    guide = Path(__file__).resolve().parents[2] / "docs" / "guide" / "installation.md"
    assert f"_IBIDEM_COMPLETE={shell}_source ibidem" in guide.read_text("utf-8")


@pytest.mark.parametrize(("argument", "is_frozen"), [("--version", True), ("--no-such-option", False)])
def test_only_the_end_of_a_process_that_succeeded_leaves_unreachable_cycles_alone(
    argument: str, is_frozen: bool
) -> None:
    # What is registered first is called last, when the process has no more to do.
    program = (
        "import atexit, gc\n"
        "from ibidem.cli.group import main\n"
        "atexit.register(lambda: print('at the end', gc.get_freeze_count() > 0))\n"
        "try:\n"
        f"    main([{argument!r}])\n"
        "finally:\n"
        "    print('before', gc.get_freeze_count() > 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-2:] == ["before False", f"at the end {is_frozen}"]
