"""Texts of which one occurs in another, the commands of the program, and readers of their results."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
from click.testing import Result

from ibidem import PassageIndex
from ibidem.cli.group import main

Run = Callable[..., Result]

PASSAGE = (
    "When the ferry came in at last, the whole street ran down to the harbour with lanterns and blankets, "
    "for everybody had a brother or a cousin on board, and nobody had slept since the storm began. The "
    "captain stood at the rail and called out the names one after the other, so that those who waited "
    "should know it before the ropes were made fast."
)
CHANGED = PASSAGE.replace("lanterns", "torches").replace("at last", "in the end").replace("a cousin", "an uncle")
OTHER = (
    "A beekeeper needs patience more than courage. In spring the hives are opened on the first warm day, "
    "the frames are lifted out one by one, and what the winter has left is counted. Weak swarms are "
    "joined to strong ones; sugar is boiled and cooled and set out at dusk. Then there is nothing to be "
    "done for weeks but to watch the gate and wait."
)


PAIRED_TEXTS = {"changed": CHANGED, "passage": PASSAGE, "other": OTHER, "7": f"{OTHER} {PASSAGE}"}
ALIGN_PAIRS = ("align", "--documents", "texts.jsonl", "--pairs", "some.jsonl")
"""Documents, and the command that aligns pairs of them; the fixture ``paired_texts`` writes the files."""


def list_commands(group: click.Group = main) -> Iterator[click.Command]:
    """All commands of the program, those of groups too."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield from list_commands(command) if isinstance(command, click.Group) else [command]


def write_lines(name: str, *rows: dict[str, Any]) -> str:
    """Write a file of JSON lines.

    Returns its name.
    """
    Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return name


def lines_of(result: Result) -> list[dict[str, Any]]:
    """The JSON lines on standard output."""
    return [json.loads(line) for line in result.stdout.splitlines()]


def documents_with_passage(index: str) -> set[str]:
    """The documents of an index in which ``PASSAGE`` is found."""
    with PassageIndex.open(index) as opened:
        return {match.document for match in opened.search(PASSAGE)}


def data_of_report(path: str, name: str = "report") -> Any:
    """A piece of JSON that a report holds."""
    page = Path(path).read_text("utf-8")
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1].splitlines()[0])


def documents_in_report(path: str) -> set[str]:
    """The names of the documents of a report."""
    return {document["name"] for document in data_of_report(path)["documents"]}
