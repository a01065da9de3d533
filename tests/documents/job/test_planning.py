"""A deduplication is planned in ranges that memory holds, and what makes no sense is refused."""

import pytest

from ibidem.documents.job.planning import plan_dedup
from ibidem.errors import CorpusError, PlanError
from ibidem.jobs.plan import read_plan
from ibidem.jobs.run import run_rank

from ...jobs.samples import deduplicate_plainly, digest


def plan_and_run(inputs, tmp_path, **settings):
    plan_dedup([str(inputs)], tmp_path / "made", tmp_path / "plan", **{"memory": "64M", **settings})
    run_rank(tmp_path / "plan")
    return digest(tmp_path / "made")


def test_more_ranges_of_hash_values_change_nothing(inputs, tmp_path, monkeypatch):
    from ibidem.documents.job import planning

    monkeypatch.setattr(planning, "_SORTED", 1 << 18)
    expected = deduplicate_plainly(inputs, tmp_path / "plain", threshold=0.5)
    assert plan_and_run(inputs, tmp_path, parts=2, threshold=0.5) == expected
    assert read_plan(tmp_path / "plan").settings["ranges"] > 4


def test_what_stands_at_the_output_and_what_makes_no_sense_is_refused_when_planned(inputs, tmp_path):
    (tmp_path / "made").mkdir()
    with pytest.raises(CorpusError, match="it exists already"):
        plan_dedup([str(inputs)], tmp_path / "made", tmp_path / "plan")
    with pytest.raises(ValueError, match="keep policy"):
        plan_dedup([str(inputs)], tmp_path / "other", tmp_path / "plan", keep="best")
    with pytest.raises(ValueError, match="threshold"):
        plan_dedup([str(inputs)], tmp_path / "other", tmp_path / "plan", threshold=2)
    with pytest.raises(PlanError, match="name a tokenizer"):
        plan_dedup([str(inputs)], tmp_path / "other", tmp_path / "plan", shingle=str.split)
    assert not (tmp_path / "plan").exists()
