"""A plan in the making: its paths are checked, its input is read once, and what was read is what is written."""

from pathlib import Path

import pytest

from ibidem.errors import CorpusError
from ibidem.jobs.plan import Prediction, read_plan
from ibidem.jobs.planning import Draft
from ibidem.options import PlanFiles

from .samples import count_words, write_collection


def test_a_draft_becomes_the_plan_of_all_that_it_has_read(inputs: Path, tmp_path: Path) -> None:
    others = write_collection(tmp_path / "others")
    draft = Draft(PlanFiles([str(inputs)], tmp_path / "made", tmp_path / "plan", parts=2), [str(others)])
    own = draft.read(draft.inputs)
    compared = draft.read(draft.others, lambda shards: shards[::-1])
    assert [shard.name for shard in compared] == [shard.name for shard in reversed(own)]
    assert len(own) in {low for low, _ in draft.parts}
    assert sum(len(batch.ids) for batch in draft.sample()) == 2 * count_words(inputs)[0]
    prediction = Prediction(1, 2, 3.0, 4, 5, "none")
    plan = draft.write("reuse", draft.reading, prediction, {"beside.txt": lambda path: path.write_text("beside")})
    assert read_plan(tmp_path / "plan").checksum == plan.checksum
    assert (plan.shards, plan.prediction, plan.output) == ([*own, *compared], prediction, str(tmp_path / "made"))
    assert (tmp_path / "plan" / "beside.txt").read_text() == "beside"


@pytest.mark.parametrize("rewrites", [False, True])
def test_an_output_that_exists_is_refused(inputs: Path, tmp_path: Path, rewrites: bool) -> None:
    (tmp_path / "made").mkdir()
    with pytest.raises(CorpusError, match="made"):
        Draft(PlanFiles([str(inputs)], tmp_path / "made", tmp_path / "plan")).require_room(rewrites=rewrites)


def test_an_archive_is_refused_where_files_are_written_again_and_read_elsewhere(tmp_path: Path) -> None:
    archive = tmp_path / "texts.zip"
    archive.write_bytes(b"PK\x05\x06" + bytes(18))
    draft = Draft(PlanFiles([str(archive)], tmp_path / "made", tmp_path / "plan"))
    draft.require_room(rewrites=False)
    with pytest.raises(CorpusError, match="archive"):
        draft.require_room(rewrites=True)
