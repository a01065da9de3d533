"""Options that several commands share mean the same in each, and offer what the library has."""

import contextlib
import json
from collections import defaultdict
from pathlib import Path

import click
import pytest

from ibidem import PassageIndex
from ibidem.cli.group import COMMANDS, main
from ibidem.options import list_arguments
from ibidem.sketches.families import FAMILIES
from ibidem.weights import IDF, TF

from .samples import Run


def parameters_of(command: str) -> dict[str, click.Option]:
    """The options of a command, by name."""
    with click.Context(main) as context:
        return {each.name: each for each in main.get_command(context, command).params}


@pytest.mark.parametrize(("name", "known"), [("family", FAMILIES), ("tf", TF), ("idf", IDF)])
def test_the_choices_are_those_of_the_library(name: str, known: dict[str, object]) -> None:
    for command in ("index", "search"):
        assert sorted(parameters_of(command)[name].type.choices) == sorted(known)


def test_the_help_has_options_in_the_order_of_the_arguments() -> None:
    names = [name for name in parameters_of("index") if name in list_arguments(PassageIndex.build)]
    assert names == ["family", "tf", "idf", "min_length", "max_length"]


def test_a_default_is_shown_only_where_there_is_one() -> None:
    options = parameters_of("index")
    assert (options["max_length"].default, options["max_length"].show_default) == (1024, True)
    for name in ("min_length", "tf"):
        assert (options[name].default, options[name].show_default) == (None, False)
    assert parameters_of("align")["summaries"].show_default


def test_a_number_that_need_not_be_whole_has_the_range_that_its_declaration_says() -> None:
    threshold, expect = (parameters_of("align")[name].type for name in ("threshold", "expect"))
    assert (threshold.min, threshold.max, expect.min, expect.max) == (0, 1, 0, None)
    assert parameters_of("search")["bounded"].secondary_opts == ["--unbounded"]


@pytest.mark.parametrize("name", ["text", "id", "threads", "memory", "as_json", "with_text"])
def test_an_option_is_the_same_in_every_command_that_has_it(name: str) -> None:
    found = defaultdict(list)
    with click.Context(main) as context:
        for command in COMMANDS:
            for option in main.get_command(context, command).params:
                if option.name == name:
                    found[option.opts[0], option.type.name].append(command)
    assert len(found) == 1, dict(found)


@pytest.mark.parametrize(
    "command",
    [
        "index IN -o OUT --min-length 2",
        "dedup IN -o OUT",
        "dedup IN -o OUT --passages",
        "reuse IN -o OUT",
    ],
)
def test_a_line_has_at_most_the_bytes_that_are_allowed(run: Run, tmp_path: Path, command: str) -> None:
    (tmp_path / "lines.jsonl").write_text(
        "".join(json.dumps({"id": name, "text": f"{name} {'word ' * 300}"}) + "\n" for name in "ab")
    )
    with contextlib.chdir(tmp_path):
        arguments = command.replace("IN", "lines.jsonl").split()
        refused = run(*arguments, "--max-line", "1K")
        assert (refused.exit_code, (tmp_path / "OUT").exists()) == (2, False)
        assert "lines.jsonl, line 1: a line of more than 1,024 bytes" in refused.stderr
        assert run(*arguments, "--max-line", "2K").exit_code == 0


@pytest.mark.parametrize("options", ["", "--passages"])
def test_lines_that_are_longer_than_usual_are_written_again(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: str
) -> None:
    monkeypatch.setattr("ibidem.corpus.json_records.LARGEST_LINE", 100)
    line = json.dumps({"id": "a", "text": "word " * 300}) + "\n"
    (tmp_path / "lines.jsonl").write_text(line)
    with contextlib.chdir(tmp_path):
        assert run("dedup", "lines.jsonl", "-o", "OUT", "--max-line", "2K", *options.split()).exit_code == 0
        assert json.loads((tmp_path / "OUT/kept/lines.jsonl").read_text())["id"] == "a"
