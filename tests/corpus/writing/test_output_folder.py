"""Where output goes: outside of all inputs, with a name for each of them."""

from pathlib import Path

import pytest

from ibidem.corpus.listing import list_sources
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.output_folder import names_below, require_absent, require_room
from ibidem.errors import CorpusError
from tests.corpus.readers.samples import pack


def test_names_are_those_below_the_folder_that_holds_all_files() -> None:
    files = [Source(path, path) for path in ("/data/in/a.jsonl", "/data/in/more/b.csv")]
    assert names_below(files) == ["a.jsonl", "more/b.csv"]
    assert names_below(files[:1]) == ["a.jsonl"]
    assert names_below([*files, Source("s3://box/c.csv", "c")]) == [
        "data/in/a.jsonl",
        "data/in/more/b.csv",
        "s3/box/c.csv",
    ]


@pytest.mark.parametrize(("output", "message"), [("in", "the output is an input"), ("in/new", "would be inside of")])
def test_an_output_that_meets_an_input_is_refused(tmp_path: Path, output: str, message: str) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.txt").write_text("a")
    given = [tmp_path / "in"]
    with pytest.raises(CorpusError, match=message):
        require_room(tmp_path / output, list_sources(given), list(given))
    require_room(tmp_path / "new", list_sources(given), list(given))


@pytest.mark.parametrize(("output", "message"), [("other", "it exists already"), ("no/new", "there is no folder")])
def test_an_output_that_cannot_be_made_is_refused(tmp_path: Path, output: str, message: str) -> None:
    (tmp_path / "other").mkdir()
    with pytest.raises(CorpusError, match=message):
        require_absent(tmp_path / output)
    require_absent(tmp_path / "new")


def test_a_pipe_cannot_be_read_twice(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="it can be read only once"):
        require_room(tmp_path / "new", [Source("standard input", "stdin", is_pipe=True)], ["-"])


@pytest.mark.parametrize("name", ["notes.zip", "notes.dat"])
def test_an_archive_is_refused_before_any_work(tmp_path, name):
    (tmp_path / name).write_bytes(pack({"a.txt": b"one", "b.txt": b"two"}))
    with pytest.raises(CorpusError, match=rf"{name}: an archive, of which no part can be written: unpack it"):
        require_room(tmp_path / "out", list_sources(tmp_path / name), [tmp_path / name])
