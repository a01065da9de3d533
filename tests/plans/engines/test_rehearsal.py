"""A plan is rehearsed on a few words, of which nothing is left."""

import pytest

from ibidem.plans import plan_index, plan_reuse
from ibidem.plans.engines import rehearsal
from ibidem.plans.engines.rehearsal import rehearse
from ibidem.plans.rank import run_rank
from ibidem.plans.workspace import Workspace
from ibidem.weights import DocumentFrequencies

from ..samples import JOBS, OPTIONS, WEIGHTED


@pytest.fixture
def rehearsed(monkeypatch, tmp_path):
    """What each rehearsal did."""
    reports = []
    monkeypatch.setattr(rehearsal, "run_rank", lambda *given, **named: reports.append(run_rank(*given, **named)))
    monkeypatch.setattr(rehearsal.tempfile, "tempdir", str(tmp_path / "aside"))
    (tmp_path / "aside").mkdir()
    return reports


def test_every_stage_of_a_plan_is_rehearsed_and_nothing_is_left(job, planned, tmp_path, rehearsed):
    rehearse(Workspace(tmp_path / "plan"))
    [report] = rehearsed
    assert report.tasks > 4
    assert not list((tmp_path / "aside").iterdir())
    assert not (tmp_path / "made").exists()
    assert not (tmp_path / "plan" / "work").exists()


def test_two_collections_are_rehearsed_as_two(inputs, tmp_path, rehearsed):
    plan_reuse([str(inputs / "1.jsonl")], tmp_path / "made", tmp_path / "plan", against=[str(inputs / "2.jsonl")])
    rehearse(Workspace(tmp_path / "plan"))
    assert len(rehearsed) == 1


def test_frequencies_that_were_given_are_there_in_a_rehearsal(inputs, tmp_path, rehearsed):
    frequencies = DocumentFrequencies([3, 7], [1, 2], 5)
    plan_index([str(inputs)], tmp_path / "made", tmp_path / "plan", frequencies=frequencies, **OPTIONS, **WEIGHTED)
    rehearse(Workspace(tmp_path / "plan"))
    assert len(rehearsed) == 1


def test_of_a_plan_that_cannot_be_rehearsed_nothing_is_said_and_nothing_left(inputs, tmp_path, rehearsed):
    JOBS["dedup"].plan(inputs, tmp_path / "made", tmp_path / "plan", 3)
    (inputs / "0.jsonl").unlink()
    rehearse(Workspace(tmp_path / "plan"))
    assert rehearsed == []
    assert not list((tmp_path / "aside").iterdir())
