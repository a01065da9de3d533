"""Outputs that an interrupted call left are opened again, as long as all that they depend on is the same."""

from pathlib import Path

import pytest

from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import list_sources
from ibidem.corpus.writing.filtering import CountedDocuments
from ibidem.jobs.resuming import Resumable, describe_origin

FILE = "words.txt"


def save(words: str, folder: Path) -> None:
    (folder / FILE).write_text(words)


def read(folder: Path) -> str:
    return (folder / FILE).read_text()


def fail(_: Path) -> str:
    raise KeyboardInterrupt


def test_an_output_is_made_once(tmp_path: Path) -> None:
    first = Resumable(tmp_path / "left", b"these files")
    assert first.keep("reading", lambda place: f"made in an empty folder: {not list(place.iterdir())}", save, read) == (
        "made in an empty folder: True"
    )
    assert first.resumed == []
    again = Resumable(tmp_path / "left", b"these files")
    assert again.keep("reading", fail, save, read) == "made in an empty folder: True"
    assert again.keep("comparing", lambda _: "pairs", save, read) == "pairs"
    assert again.resumed == ["reading"]


def test_what_was_made_of_something_else_is_made_anew(tmp_path: Path) -> None:
    Resumable(tmp_path / "left", b"these files").keep("reading", lambda _: "old", save, read)
    other = Resumable(tmp_path / "left", b"other files")
    assert other.keep("reading", lambda _: "new", save, read) == "new"
    assert other.resumed == []


@pytest.mark.parametrize("at", ["make", "save"])
def test_an_output_that_is_not_whole_is_made_anew(tmp_path: Path, at: str) -> None:
    def save_half(words: str, folder: Path) -> None:
        save(words[:1], folder)
        raise KeyboardInterrupt

    left = Resumable(tmp_path / "left", b"")
    with pytest.raises(KeyboardInterrupt):
        left.keep("reading", *((fail, save) if at == "make" else (lambda _: "whole", save_half)), read)
    again = Resumable(tmp_path / "left", b"")
    assert again.keep("reading", lambda _: "whole", save, read) == "whole"
    assert again.resumed == []


def test_the_origin_is_the_files_how_they_are_read_and_the_facts(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("one")
    columns = Columns.of("text", "id")

    def describe(columns: Columns, *facts: object) -> bytes:
        return describe_origin(CountedDocuments(list_sources([path]), columns), *facts)

    before = describe(columns, {"threshold": 0.8})
    assert describe(columns, {"threshold": 0.8}) == before
    assert before not in (
        describe(columns, {"threshold": 0.7}),
        describe(Columns.of("verse", "id"), {"threshold": 0.8}),
    )
    path.write_text("one two")
    assert describe(columns, {"threshold": 0.8}) != before
