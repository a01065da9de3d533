"""An index is planned from anywhere, and what cannot be planned is refused before anything is written."""

import os

import pytest

from ibidem.errors import IndexExistsError, PlanError
from ibidem.jobs.run import run_rank
from ibidem.passages.job.planning import plan_index
from ibidem.weights import DocumentFrequencies

from ...jobs.samples import OPTIONS, build_plainly, digest


def test_document_frequencies_that_are_given_go_with_the_plan(inputs, tmp_path):
    given = DocumentFrequencies([3, 7], [2, 1], num_documents=9)
    choices = {"family": "weighted", "idf": "smooth", "frequencies": given}
    expected = build_plainly(inputs, tmp_path / "plain", **choices)
    plan_index([str(inputs)], tmp_path / "made", tmp_path / "plan", **OPTIONS, **choices)
    run_rank(tmp_path / "plan")
    assert digest(tmp_path / "made") == expected


def test_a_plan_runs_from_another_folder(inputs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plan_index(["inputs"], "made", "plan", **OPTIONS)
    os.rename("plan", "moved")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    run_rank("../moved")
    assert digest(tmp_path / "made") == build_plainly(inputs, tmp_path / "plain")


def test_what_stands_at_the_output_or_the_plan_is_left_alone(inputs, tmp_path):
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "mine.txt").touch()
    with pytest.raises(IndexExistsError, match="this path is taken"):
        plan_index([str(inputs)], tmp_path / "made", tmp_path / "plan", **OPTIONS)
    with pytest.raises(PlanError, match="this folder exists already"):
        plan_index([str(inputs)], tmp_path / "other", tmp_path / "made", **OPTIONS)


def test_a_function_cannot_be_planned_with(inputs, tmp_path):
    with pytest.raises(PlanError, match="name a tokenizer"):
        plan_index([str(inputs)], tmp_path / "made", tmp_path / "plan", tokenizer=str.split, **OPTIONS)


def test_a_pipe_cannot_be_planned_with(tmp_path):
    with pytest.raises(PlanError, match="a pipe can be read once only"):
        plan_index(["-"], tmp_path / "made", tmp_path / "plan", **OPTIONS)
