"""Planning to remove repeated passages: what cannot be done is refused before anything is written."""

from pathlib import Path

import pytest

from ibidem import CorpusError, IbidemError
from ibidem.plans import plan_passage_dedup

from ...jobs.samples import count_words, write_collection


def test_what_cannot_be_planned_is_refused(tmp_path: Path) -> None:
    inputs = write_collection(tmp_path / "inputs")
    for options, error in (
        ({"action": "delete"}, ValueError),
        ({"boundary": "pages"}, ValueError),
        ({"keep": "best"}, ValueError),
        ({"tokenizer": str.split}, IbidemError),
    ):
        with pytest.raises(error):
            plan_passage_dedup([str(inputs)], tmp_path / "made", tmp_path / "plan", **options)
    with pytest.raises(CorpusError):
        plan_passage_dedup([str(inputs)], inputs / "made", tmp_path / "plan")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["inputs"]


def test_the_plan_counts_the_input(tmp_path: Path) -> None:
    inputs = write_collection(tmp_path / "inputs")
    plan = plan_passage_dedup([str(inputs)], tmp_path / "made", tmp_path / "plan")
    assert (plan.prediction.documents, plan.prediction.tokens) == count_words(inputs)
    assert plan.prediction.seconds > 0
