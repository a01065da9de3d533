"""Files that parts write take their names in the result, and the pieces of one file are joined."""

import json
from pathlib import Path

import pytest

from ibidem import CorpusError
from ibidem.corpus.inputs import InputPart, Inputs
from ibidem.corpus.rows import Columns
from ibidem.corpus.writing.kept import append_file, join_files, join_lists, link_tree, place_files


@pytest.fixture
def parts(tmp_path: Path) -> list[InputPart]:
    (tmp_path / "in").mkdir()
    lines = [json.dumps({"id": str(number), "text": "one two"}) + "\n" for number in range(400)]
    (tmp_path / "in/a.jsonl").write_text("".join(lines))
    (tmp_path / "in/b.txt").write_text("one two")
    return Inputs([tmp_path / "in"], Columns.of("text", "id")).cut(4000)


def write_parts(parts: list[InputPart], folder: Path) -> list[Path]:
    """The name of each file as its content."""
    folders = [folder / str(number) for number in range(len(parts))]
    for part, kept in zip(parts, folders, strict=True):
        for place in place_files(part, kept):
            place.parent.mkdir(parents=True)
            place.write_text(f"{place.name} ")
    return folders


def test_pieces_are_joined(parts: list[InputPart], tmp_path: Path) -> None:
    pieces = sum(source.piece is not None for part in parts for source in part.sources)
    assert pieces > 1
    join_files(parts, write_parts(parts, tmp_path / "parts"), tmp_path / "kept")
    assert (tmp_path / "kept/a.jsonl").read_text() == "a.jsonl " * pieces
    assert (tmp_path / "kept/b.txt").read_text() == "b.txt "


def test_what_is_written_beside_a_file_stays_and_may_not_have_the_name_of_another(
    parts: list[InputPart], tmp_path: Path
) -> None:
    folders = write_parts(parts, tmp_path / "parts")
    written = next((tmp_path / "parts").rglob("b.txt"))
    written.rename(written.with_name("b.txt.txt"))
    join_files(parts, folders, tmp_path / "kept")
    assert (tmp_path / "kept/b.txt.txt").read_text() == "b.txt "
    with pytest.raises(CorpusError, match=r"b\.txt\.txt: two inputs have this name"):
        join_files(parts, folders, tmp_path / "kept")


@pytest.mark.parametrize("count", [1, 3])
def test_lists_of_parts_are_joined(count: int, tmp_path: Path) -> None:
    lists = [tmp_path / str(number) for number in range(count)]
    for number, each in enumerate(lists):
        each.write_text(f"{number}\n")
    join_lists(lists, tmp_path / "all")
    assert (tmp_path / "all").read_text() == "".join(f"{number}\n" for number in range(count))


def test_a_tree_is_put_into_a_folder_that_has_files(tmp_path: Path) -> None:
    (tmp_path / "from/below").mkdir(parents=True)
    (tmp_path / "from/below/a").write_text("a")
    (tmp_path / "to").mkdir()
    append_file(tmp_path / "from/below/a", tmp_path / "to/b")
    link_tree(tmp_path / "from", tmp_path / "to")
    assert {path.name: path.read_text() for path in (tmp_path / "to").rglob("*") if path.is_file()} == {
        "a": "a",
        "b": "a",
    }
