"""The help: every command has one, it costs nothing to read, and its examples work."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from ibidem.cli.group import COMMANDS

from .samples import Run

HEAVY = {"msgspec", "numba", "numpy", "pyarrow", "rich", "xxhash"}


def examples(command: str) -> list[str]:
    docstring = import_module(f"ibidem.cli.{command}").__doc__
    return re.findall(r"^    (.*\bibidem .*)$", docstring, re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_shows_an_example_that_works(
    command: str,
    folder: Path,
    warm_shell: Callable[[str], subprocess.CompletedProcess[str]],
) -> None:
    shell = warm_shell
    if command == "index":
        shutil.rmtree(folder / "books.ibidem")
    assert examples(command)
    if command in ("app", "serve", "mcp"):
        pytest.skip("a service does not end; its own test starts one")
    for example in examples(command):
        done = shell(example)
        assert done.returncode == 0, f"{example}\n{done.stdout}{done.stderr}"
        assert "warning" not in done.stderr, f"{example}\n{done.stderr}"


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_the_examples_as_they_are_to_be_typed(run: Run, command: str) -> None:
    shown = run(command, "--help").stdout
    typed = re.sub(r" \\\n +", " ", shown)  # a shell reads a line that ends with a backslash and the next as one
    assert all(f"    {example}\n" in typed for example in examples(command))


HELP = """
import sys
from ibidem.cli import main

for line in sys.argv[1:]:
    try:
        main(line.split())
    except SystemExit:
        pass
    print(line, *sys.modules, sep=",", file=sys.stderr)
"""


@pytest.fixture(scope="module")
def loaded() -> dict[str, set[str]]:
    """The modules of a process after each help that it has shown, beginning with that of all commands."""
    lines = ["--help", *(f"{command} --help" for command in COMMANDS)]
    done = subprocess.run([sys.executable, "-c", HELP, *lines], capture_output=True, text=True, check=True)
    shown = [line.split(",") for line in done.stderr.splitlines()]
    return {line: set(modules) for line, *modules in shown}


@pytest.mark.parametrize("arguments", [("--help",), *((command, "--help") for command in COMMANDS)])
def test_help_loads_nothing_heavy(arguments: tuple[str, ...], loaded: dict[str, set[str]]) -> None:
    modules = loaded[" ".join(arguments)]
    assert "ibidem.cli" in modules
    assert not HEAVY & modules
