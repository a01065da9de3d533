"""An index of either kind is opened, and what is none is told."""

from pathlib import Path

import pytest

from ibidem import DocumentIndex, PassageIndex
from ibidem.cli.indexes import open_index

from .samples import Run


@pytest.mark.parametrize("command", ["add", "remove", "search", "info", "check", "merge"])
def test_what_is_not_an_index_is_told(run: Run, folder: Path, command: str) -> None:
    rest = {"add": ["more"], "remove": ["x"], "search": ["letter.txt"]}.get(command, [])
    result = run(command, "books", *rest)
    assert result.exit_code == 2
    assert result.stderr.startswith("ibidem: error: books: ")


def test_an_index_of_either_kind_is_opened_as_what_it_is(folder: Path) -> None:
    DocumentIndex.build("letters", ["one two three four", "one two three five"]).close()
    for path, kind in (("books.ibidem", PassageIndex), ("letters", DocumentIndex)):
        with open_index(path) as opened:
            assert type(opened) is kind
