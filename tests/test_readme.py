"""The commands and examples of the README and the guide give what they show.

A ``console`` block holds commands, each after ``$ `` (its further lines after ``> ``), and what they write to both
outputs. A command without output under it may write anything, but must succeed. A ``python`` block with ``>>>`` is run
as doctests are. ``...`` stands for anything. The blocks of a page run in order, in one folder that is empty at first.
"""

import doctest
import importlib.util
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from .warm_commands import CAN_FORK

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "docs" / "beside.md", *sorted((ROOT / "docs" / "guide").glob("*.md"))]

COMPILATION = re.compile(r"^compiling kernels .*\n", re.MULTILINE)
"""What a command says if its kernels are in no cache, which no page shows."""

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Block(NamedTuple):
    """A fenced block of a page: ``line`` is that of its first line of text, from 1."""

    language: str
    text: str
    line: int


class Step(NamedTuple):
    """A command, and what it writes according to the page."""

    command: str
    output: str


def blocks(page: str) -> list[Block]:
    found = re.finditer(r"^```(\w+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    return [Block(fence[1], fence[2], page.count("\n", 0, fence.start(2)) + 1) for fence in found]


def steps(console: str) -> list[Step]:
    found: list[Step] = []
    for line in console.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append(Step(line[2:], ""))
        elif line.startswith("> ") or line == ">\n":
            found[-1] = Step(found[-1].command + line[2:].rstrip("\n") + "\n", found[-1].output)
        else:
            found[-1] = Step(found[-1].command, found[-1].output + line)
    return found


def run(step: Step, folder: Path, commands: Path = Path(sys.executable).parent) -> None:
    """Run a step, with the programs of the folder ``commands`` first."""
    scripts = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": os.pathsep.join([str(commands), scripts, os.environ.get("PATH", os.defpath)])}
    done = subprocess.run(
        ["sh", "-c", step.command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, f"$ {step.command}{done.stdout}"
    shown = COMPILATION.sub("", done.stdout)
    matches = not step.output or doctest.OutputChecker().check_output(step.output, shown, FLAGS)
    assert matches, f"$ {step.command}{done.stdout}--- but the page says:\n{step.output}"


def run_examples(block: Block, page: str, names: dict[str, Any]) -> None:
    parsed = doctest.DocTestParser().get_doctest(block.text, names, page, page, block.line - 1)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(parsed, out=said.append, clear_globs=False)
    names.update(parsed.globs)
    assert runner.summarize(verbose=False).failed == 0, "".join(said)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_shows_what_happens(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, warm_commands: Path
) -> None:
    """The commands of the README are processes of their own; those of the guide are copies of one."""
    commands = Path(sys.executable).parent if page == PAGES[0] else warm_commands
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IBIDEM_CACHE", str(tmp_path / ".cache"))
    names: dict[str, Any] = {}
    for block in blocks(page.read_text("utf-8")):
        if block.language == "console":
            for step in steps(block.text):
                run(step, tmp_path, commands)
        elif block.language == "python" and ">>> " in block.text:
            run_examples(block, page.name, names)


def test_the_readme_has_something_to_run() -> None:
    languages = [block.language for block in blocks(PAGES[0].read_text("utf-8"))]
    assert "console" in languages
    assert "python" in languages


def test_commands_and_their_output_are_told_apart() -> None:
    assert steps("$ cat <<END >a\n> one\n>\n> two\n> END\n$ cat a\none\n") == [
        Step("cat <<END >a\none\n\ntwo\nEND\n", ""),
        Step("cat a\n", "one\n"),
    ]


@pytest.mark.parametrize("step", [Step("echo two\n", "one\n"), Step("exit 3\n", ""), Step("no-such-command\n", "")])
def test_a_command_that_does_not_do_what_the_page_says_is_caught(step: Step, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=re.escape(step.command)):
        run(step, tmp_path)


def test_an_example_that_does_not_give_what_the_page_says_is_caught() -> None:
    with pytest.raises(AssertionError, match=r"Expected:\n\s+3"):
        run_examples(Block("python", ">>> 1 + 1\n3\n", 1), "page.md", {})


def test_the_pages_of_the_site_are_all_in_its_contents() -> None:
    contents = (ROOT / "mkdocs.yml").read_text("utf-8")
    named = set(re.findall(r"([\w/-]+\.md)", contents))
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert named == {
        page for page in pages if not page.startswith("decisions/0")
    }  # these are listed by their own index


def test_the_page_for_language_models_names_pages_that_exist() -> None:
    targets = re.findall(r"\]\(([^)]+)\)", (ROOT / "docs" / "llms.txt").read_text("utf-8"))
    assert len(targets) > 10
    assert [target for target in targets if not (ROOT / "docs" / target).exists()] == []


def test_docstrings_become_markdown() -> None:
    spec = importlib.util.spec_from_file_location("docstrings", ROOT / "docs" / "docstrings.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    text = "Count, as :func:`len` does.\n\n>>> count([1])\n1\n\nMore."
    assert module.rewrite(text) == "Count, as `len` does.\n\n\n```pycon\n>>> count([1])\n1\n```\n\nMore."


def test_no_link_between_the_pages_is_broken() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8"))
        if not (page.parent / target).exists()
    ]
    assert not broken


@pytest.mark.skipif(not CAN_FORK, reason="commands are copied on Linux alone")
def test_a_copied_command_has_the_streams_the_folder_and_the_status_of_one_that_is_started(
    warm_commands: Path, tmp_path: Path
) -> None:
    (tmp_path / "one.txt").write_text("the same place once more", "utf-8")
    environment = {**os.environ, "COLUMNS": "50"}
    for arguments in (["index", "none.txt", "-o", "x"], ["align", "one.txt", "-"], ["nonsense"], ["align", "--help"]):
        started, copied = (
            subprocess.run(
                [str(folder / "ibidem"), *arguments],
                cwd=tmp_path,
                env=environment,
                input="the same place once more and again",
                capture_output=True,
                encoding="utf-8",
                check=False,
            )
            for folder in (Path(sys.executable).parent, warm_commands)
        )
        assert (copied.returncode, copied.stdout) == (started.returncode, started.stdout)
        assert copied.stderr == COMPILATION.sub("", started.stderr)


@pytest.mark.skipif(not CAN_FORK, reason="programs are copied on Linux alone")
def test_a_copied_program_runs_and_ends_as_one_that_is_started(warm_commands: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import sys, beside; print(sys.argv, __name__, __file__, beside.NAME); sys.exit('no')", "utf-8")
    (tmp_path / "beside.py").write_text("NAME = __name__", "utf-8")
    for arguments in (
        ["-c", "import sys; print(sys.argv, __name__, input()); sys.exit(7)", "a"],
        ["-c", "import os; os.kill(os.getpid(), 9)"],
        ["-c", "from __future__ import annotations; 1/0"],
        ["-m", "ibidem.cli", "--version"],
        ["-m", "beside"],
        ["-I", "-c", "import sys; print('ibidem' in sys.modules)"],
        [str(script), "b"],
    ):
        started, copied = (
            subprocess.run(
                [str(python), *arguments], cwd=tmp_path, input="c", capture_output=True, encoding="utf-8", check=False
            )
            for python in (sys.executable, warm_commands / "python")
        )
        assert (copied.returncode, copied.stdout) == (started.returncode, started.stdout)
        assert copied.stderr.splitlines()[-1:] == started.stderr.splitlines()[-1:]


@pytest.mark.skipif(not CAN_FORK, reason="programs are copied on Linux alone")
def test_a_copied_program_gets_the_signals_of_its_caller(warm_commands: Path) -> None:
    program = """
import signal
signal.signal(signal.SIGINT, lambda *_: print("interrupted", flush=True))
print("waits", flush=True)
while True:
    signal.pause()
"""
    command = [str(warm_commands / "python"), "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        try:
            assert running.stdout.readline() == "waits\n"
            running.send_signal(signal.SIGINT)
            assert running.stdout.readline() == "interrupted\n"
        finally:
            running.terminate()
    assert running.returncode == -signal.SIGTERM
