"""A folder of small collections, an index of one of them, and a way to run commands on them."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ibidem.cli import main
from ibidem.evaluation import Case, write_pan
from ibidem.kernels import compiler

from .samples import CHANGED, OTHER, PAIRED_TEXTS, PASSAGE, Run, write_lines


@pytest.fixture
def run() -> Run:
    """Runs ``ibidem`` with arguments in this process; a fault that is not told in one line fails the test."""

    def invoke(*arguments: str, input: str | bytes | None = None) -> Result:
        result = CliRunner().invoke(main, [str(argument) for argument in arguments], input=input)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return invoke


@pytest.fixture(scope="session", autouse=True)
def said_that_kernels_compile() -> None:
    """Nothing is said of compilation in the tests of commands: it depends on the state of the caches."""
    compiler._notice.told = True


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("collections")
    for name in ("books", "more"):
        (folder / name).mkdir()
    (folder / "books/ferry.txt").write_text(f"{OTHER[:80]}\n\n{PASSAGE}\n\nAnd so it was.", "utf-8")
    (folder / "books/bees.txt").write_text(OTHER, "utf-8")
    (folder / "books/note.txt").write_text("Far too short.", "utf-8")
    (folder / "more/again.txt").write_text(CHANGED, "utf-8")
    (folder / "letter.txt").write_text(f"Dear L.,\n\n{CHANGED}\n\nYours, R.\n", "utf-8")
    (folder / "withdrawn.txt").write_text("bees.txt\nnote.txt\n", "utf-8")
    poems = [{"title": "harbour", "verse": PASSAGE, "year": 1903}, {"title": "hives", "verse": OTHER, "year": 1911}]
    (folder / "quiz.jsonl").write_text(
        json.dumps({"question": "Who stood at the rail and called out the names?"}) + "\n"
    )
    (folder / "poems.jsonl").write_text("".join(json.dumps(poem) + "\n" for poem in poems), "utf-8")
    notes = [{"id": "first", "text": CHANGED}, {"id": "second", "text": OTHER.upper()}]
    (folder / "notes.jsonl").write_text("".join(json.dumps(note) + "\n" for note in notes), "utf-8")
    items = [
        {
            "question": "Which glacier feeds the turquoise lake above the old monastery of Saint Verena?",
            "answer": "Ferpecle",
        },
        {
            "question": "How many copper kettles did the tinker of Ravensburg mend before Michaelmas?",
            "answer": "Seventeen",
        },
    ]
    (folder / "items.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items), "utf-8")
    pairs = [{"suspicious": "first", "source": "second"}, {"a": "second", "b": "second"}]
    (folder / "pairs.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in pairs), "utf-8")
    case = {
        "suspicious": "x",
        "source": "y",
        "this_offset": 0,
        "this_length": 10,
        "source_offset": 5,
        "source_length": 10,
    }
    (folder / "truth.jsonl").write_text(json.dumps(case) + "\n", "utf-8")
    found = {"suspicious": "x", "source": "y", "a_start": 5, "a_end": 15, "b_start": 10, "b_end": 15, "similarity": 0.5}
    (folder / "found.jsonl").write_text(json.dumps(found) + "\n", "utf-8")
    write_pan(folder / "detections", [Case.of(found)])
    write_pan(folder / "corpus" / "02-no-obfuscation", [Case.of(case)], name="plagiarism")
    result = CliRunner().invoke(main, ["index", str(folder / "books"), "-o", str(folder / "books.ibidem")])
    assert result.exit_code == 0, result.output
    # The commands that tests start in processes of their own find their kernels compiled, and say nothing of it.
    CliRunner().invoke(main, ["search", str(folder / "books.ibidem"), str(folder / "letter.txt")])
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The collections and the index ``books.ibidem``, in a working folder of the test's own."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def environment() -> dict[str, str]:
    """The environment of a shell in which ``ibidem`` is installed."""
    scripts = str(Path(sys.executable).parent)
    return {**os.environ, "PATH": os.pathsep.join([scripts, os.environ.get("PATH", os.defpath)])}


@pytest.fixture
def shell(folder: Path, environment: dict[str, str]) -> Callable[[str], subprocess.CompletedProcess[str]]:
    """Runs a line of shell in the working folder."""
    return partial(_run_line, folder, environment)


@pytest.fixture
def warm_environment(environment: dict[str, str], warm_commands: Path) -> dict[str, str]:
    """The environment of a shell whose ``ibidem`` is a copy of one process and so starts at once."""
    return {**environment, "PATH": os.pathsep.join([str(warm_commands), environment["PATH"]])}


@pytest.fixture
def warm_shell(folder: Path, warm_environment: dict[str, str]) -> Callable[[str], subprocess.CompletedProcess[str]]:
    """Runs a line of shell in the working folder, with commands that start at once."""
    return partial(_run_line, folder, warm_environment)


def _run_line(folder: Path, environment: dict[str, str], line: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", line],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search and align write for a reader."""
    for command in ("search", "align"):
        monkeypatch.setattr(f"ibidem.cli.{command}.is_terminal", lambda _: True)


@pytest.fixture
def paired_texts(folder: Path) -> None:
    """Documents and pairs of them, in files of the working folder."""
    documents = [{"id": int(id) if id.isdigit() else id, "text": text} for id, text in PAIRED_TEXTS.items()]
    write_lines("texts.jsonl", *documents)
    write_lines(
        "some.jsonl",
        {"suspicious": "changed", "source": "7", "category": "none"},
        {"a": "other", "b": "passage"},
        {"source": "other", "suspicious": 7},
        {"a": "passage", "b": "changed"},
    )
