"""No command writes over what it reads, or into what ibidem wrote."""

from pathlib import Path

import click
import pytest

from ibidem.cli.group import COMMANDS
from ibidem.cli.options import InputPath, OutputPath

from .samples import Run, list_commands

PATHS = {"FILE", "[FILE]...", "FOLDER", "INDEX", "INDEX...", "INPUT", "INPUT...", "OUT", "OTHER", "RUN", "PLAN"}
PATHS |= {"RESULTS...", "[A B | DOCUMENT...]"}


def test_every_parameter_that_is_a_path_says_whether_it_is_read_or_written() -> None:
    unclear = [
        (each.name, parameter.name)
        for each in list_commands()
        for parameter in each.params
        if not isinstance(parameter.type, InputPath | OutputPath | click.File)
        and (parameter.metavar in PATHS or isinstance(parameter.type, click.Path))
    ]
    assert not unclear
    assert len(COMMANDS) <= len(list(list_commands()))


def test_every_output_is_declared_as_one() -> None:
    outputs = {
        (each.name, parameter.name)
        for each in list_commands()
        for parameter in each.params
        if isinstance(parameter.type, OutputPath)
    }
    assert outputs == {
        *((name, "html") for name in ("search", "align", "dedup", "reuse", "decontaminate", "trace")),
        *((name, "output") for name in ("index", "dedup", "reuse", "decontaminate", "trace", "report")),
        *((name, "work") for name in ("index", "dedup", "reuse", "decontaminate")),
        ("warmup", "cache"),
        ("app", "folder"),
        ("demo", "lesson"),
        ("report", "key"),
        ("align", "table"),
        ("align", "apparatus"),
    }


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("report notes.jsonl -o notes.jsonl", "the output is an input"),
        ("report notes.jsonl --documents books -o books/bees.txt", "a file of the input books"),
        ("report notes.jsonl --documents poems.jsonl -o poems.jsonl", "the output is an input"),
        ("report notes.jsonl -o books.ibidem/manifest.json", "lies inside an index"),
        ("search books.ibidem notes.jsonl --html books.ibidem/manifest.json", "lies inside an index"),
        ("search books.ibidem letter.txt --html ./letter.txt", "the output is an input"),
        ("align letter.txt books/bees.txt --html letter.txt", "the output is an input"),
        ("align --documents notes.jsonl --pairs pairs.jsonl --html pairs.jsonl", "the output is an input"),
        ("align letter.txt books/bees.txt --table books/bees.txt", "the output is an input"),
        ("align letter.txt books/bees.txt --table out --apparatus out", "another output"),
        ("index books -o books", "the output is an input"),
        ("index books -o books.ibidem/segments/new", "lies inside an index"),
        ("reuse books -o out --html out/report.html", "another output"),
        ("reuse books -o books.ibidem/new", "lies inside an index"),
        ("decontaminate books --evals notes.jsonl -o notes.jsonl", "the output is an input"),
        ("reuse books -o out --html books/bees.txt", "a file of the input books"),
        ("dedup notes.jsonl -o out --html notes.jsonl", "the output is an input"),
        ("dedup notes.jsonl --against books.ibidem -o books.ibidem/out", "lies inside an index"),
        ("index books -o out --work out", "another output"),
        ("reuse books -o out --work books.ibidem/work", "lies inside an index"),
        ("warmup --cache books.ibidem/cache", "lies inside an index"),
    ],
)
def test_an_output_that_would_destroy_something_is_refused_before_any_work(run: Run, line: str, cause: str) -> None:
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    result = run(*line.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert cause in result.stderr
    assert result.stderr.count("\n") == 1
    assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == before
