"""Files that parts write take their names in the result, and the pieces of one file are joined."""

import json
from pathlib import Path

import pytest

from ibidem import CorpusError
from ibidem.jobs.kept import FileJob
from ibidem.jobs.workspace import Workspace
from ibidem.plans import plan_dedup


@pytest.fixture
def job(tmp_path: Path) -> FileJob:
    (tmp_path / "in").mkdir()
    lines = [json.dumps({"id": str(number), "text": "one two"}) + "\n" for number in range(400)]
    (tmp_path / "in/a.jsonl").write_text("".join(lines))
    (tmp_path / "in/b.txt").write_text("one two")
    plan_dedup([str(tmp_path / "in")], tmp_path / "made", tmp_path / "plan", parts=3)
    planned: FileJob = Workspace(tmp_path / "plan").job
    return planned


def write_parts(job: FileJob, folder: Path) -> list[Path]:
    """The name of each file as its content."""
    folders = [folder / str(part) for part in range(job.parts)]
    for part, kept in enumerate(folders):
        for place in job.place_kept(part, kept):
            place.parent.mkdir(parents=True)
            place.write_text(f"{place.name} ")
    return folders


def test_pieces_are_joined(job: FileJob, tmp_path: Path) -> None:
    pieces = sum(shard.piece is not None for shard in job.sources)
    assert pieces > 1
    job.join_kept(write_parts(job, tmp_path / "parts"), tmp_path / "kept")
    assert (tmp_path / "kept/a.jsonl").read_text() == "a.jsonl " * pieces
    assert (tmp_path / "kept/b.txt").read_text() == "b.txt "


def test_what_is_written_beside_a_file_stays_and_may_not_have_the_name_of_another(job: FileJob, tmp_path: Path) -> None:
    folders = write_parts(job, tmp_path / "parts")
    written = next((tmp_path / "parts").rglob("b.txt"))
    written.rename(written.with_name("b.txt.txt"))
    job.join_kept(folders, tmp_path / "kept")
    assert (tmp_path / "kept/b.txt.txt").read_text() == "b.txt "
    with pytest.raises(CorpusError, match=r"b\.txt\.txt: two inputs have this name"):
        job.join_kept(folders, tmp_path / "kept")
