"""Files that parts write take their names in the result, and the pieces of one file are joined."""

import json
from pathlib import Path

import pytest

from ibidem import CorpusError
from ibidem.jobs.kept import join_kept, place_kept
from ibidem.jobs.plan import Plan
from ibidem.plans import plan_dedup


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    (tmp_path / "in").mkdir()
    lines = [json.dumps({"id": str(number), "text": "one two"}) + "\n" for number in range(400)]
    (tmp_path / "in/a.jsonl").write_text("".join(lines))
    (tmp_path / "in/b.txt").write_text("one two")
    return plan_dedup([str(tmp_path / "in")], tmp_path / "made", tmp_path / "plan", parts=3)


def write_parts(plan: Plan, folder: Path) -> list[Path]:
    """The name of each file as its content."""
    folders = [folder / str(part) for part in range(len(plan.parts))]
    for part, kept in enumerate(folders):
        for place in place_kept(plan, part, kept):
            place.parent.mkdir(parents=True)
            place.write_text(f"{place.name} ")
    return folders


def test_pieces_are_joined(plan: Plan, tmp_path: Path) -> None:
    pieces = sum(shard.piece is not None for shard in plan.shards)
    assert pieces > 1
    join_kept(plan, write_parts(plan, tmp_path / "parts"), tmp_path / "kept")
    assert (tmp_path / "kept/a.jsonl").read_text() == "a.jsonl " * pieces
    assert (tmp_path / "kept/b.txt").read_text() == "b.txt "


def test_what_is_written_beside_a_file_stays_and_may_not_have_the_name_of_another(plan: Plan, tmp_path: Path) -> None:
    folders = write_parts(plan, tmp_path / "parts")
    written = next((tmp_path / "parts").rglob("b.txt"))
    written.rename(written.with_name("b.txt.txt"))
    join_kept(plan, folders, tmp_path / "kept")
    assert (tmp_path / "kept/b.txt.txt").read_text() == "b.txt "
    with pytest.raises(CorpusError, match=r"b\.txt\.txt: two inputs have this name"):
        join_kept(plan, folders, tmp_path / "kept")
