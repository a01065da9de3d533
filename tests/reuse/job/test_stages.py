"""A plan finds the reuse that one process finds, to the byte, whatever the parts and the tasks."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.errors import ConfigurationError, CorpusError, PlanError
from ibidem.jobs.run import run_rank
from ibidem.jobs.status import read_status
from ibidem.reuse.job import stages
from ibidem.reuse.job.planning import plan_reuse
from ibidem.reuse.records.records import Records
from ibidem.reuse.windows import select_range

from ...jobs.samples import digest, find_reuse_plainly

QUESTIONS = [
    {},
    {"recall": 1.0, "within": True},
    {"date": "year", "texts": True, "keep_boilerplate": True},
    {"series": "year", "threshold": 0.5},
    {"tokenizer": "characters:3", "min_pair_length": 12, "seed": 3},
    {"tokenizer": "characters"},  # letters are compared in runs
]


def plan_and_run(inputs, tmp_path, **settings):
    chosen = {"memory": "64M", "format": "jsonl", **settings}
    plan_reuse([str(inputs)], tmp_path / "made", tmp_path / "plan", **chosen)
    run_rank(tmp_path / "plan")
    return digest(tmp_path / "made")


@pytest.mark.parametrize("parts", [1, 3, None])
@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_a_plan_writes_the_bytes_of_a_search_for_reuse(inputs, tmp_path, question, parts):
    expected = find_reuse_plainly(inputs, tmp_path / "plain", **question)
    assert plan_and_run(inputs, tmp_path, parts=parts, **question) == expected
    assert json.loads((tmp_path / "made" / "summary.json").read_text())["documents"] == 52


def test_passages_are_found(inputs, tmp_path):
    plan_and_run(inputs, tmp_path)
    summary = json.loads((tmp_path / "made" / "summary.json").read_text())
    assert summary["pairs"] > 5
    assert summary["bands"]["bands"] > 1


def test_more_and_smaller_tasks_change_nothing(inputs, tmp_path, monkeypatch):
    from ibidem.reuse import windows

    monkeypatch.setattr(windows, "_RANGE", 100)
    expected = find_reuse_plainly(inputs, tmp_path / "plain")
    monkeypatch.setattr(stages, "_RECORDS_OF_TASK", 64)
    monkeypatch.setattr(stages, "_PAIRS_OF_TASK", 2)
    assert plan_and_run(inputs, tmp_path, parts=2) == expected
    tasks = {stage.stage: stage.tasks for stage in read_status(tmp_path / "plan").stages}
    bands = json.loads((tmp_path / "made" / "summary.json").read_text())["bands"]["bands"]
    assert tasks["join"] > 2 * bands
    assert tasks["align"] > 3


def test_two_collections_are_compared_with_each_other(inputs, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    for path in inputs.iterdir():
        lines = [{**json.loads(line), "id": f"other-{line[8:14]}"} for line in path.read_text().splitlines()]
        (other / path.name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    also = ("graphml", "web-annotation")
    expected = find_reuse_plainly(inputs, tmp_path / "plain", against=other, also=also)
    assert plan_and_run(inputs, tmp_path, against=[str(other)], parts=2, also=also) == expected
    assert "documents.graphml" in expected
    pairs = [json.loads(line) for line in (tmp_path / "made" / "pairs.jsonl").read_text().splitlines()]
    assert pairs
    assert all(pair["a"].startswith("other") != pair["b"].startswith("other") for pair in pairs)


def test_a_collection_without_a_document_has_no_reuse(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "empty.jsonl").touch()
    expected = find_reuse_plainly(tmp_path / "in", tmp_path / "plain")
    assert plan_and_run(tmp_path / "in", tmp_path) == expected


def test_an_id_that_occurs_in_two_parts_is_an_error(inputs, tmp_path):
    (inputs / "5.jsonl").write_text('{"id": "1-7", "text": "again"}\n')
    with pytest.raises(CorpusError, match="document id '1-7' occurs twice: documents 8 and 50"):
        plan_and_run(inputs, tmp_path, parts=6)


def test_a_plan_that_is_done_leaves_little_and_does_nothing_again(inputs, tmp_path):
    made = plan_and_run(inputs, tmp_path, parts=3)
    left = [path for path in (tmp_path / "plan" / "work").rglob("*") if path.is_file()]
    assert {path.name for path in left} == {"task.json", "facts.json", "counts.json", "cleared"}
    assert read_status(tmp_path / "plan").is_done
    assert run_rank(tmp_path / "plan").tasks == 0
    assert digest(tmp_path / "made") == made


keys = st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 9), max_size=30)


@given(keys, st.integers(1, 5))
def test_a_key_is_in_one_range_with_all_of_its_records(values, ranges):
    places = np.arange(len(values))
    records = Records(np.array(values, np.uint64), places, places + 5)
    found = [select_range(records, number, ranges) for number in range(ranges)]
    starts = np.concatenate([each.starts for each in found])
    assert sorted(starts.tolist()) == places.tolist()
    assert all((each.ends == each.starts + 5).all() for each in found)
    assert all((each.keys == records.keys[each.starts]).all() for each in found)
    assert sum(len(set(each.keys.tolist())) for each in found) == len(set(values))


def write_split(inputs, tmp_path):
    """A run on some of the documents, and a folder with all of them, one of which has changed."""
    (tmp_path / "old").mkdir()
    for path in sorted(inputs.iterdir())[:3]:
        (tmp_path / "old" / path.name).write_bytes(path.read_bytes())
    find_reuse_plainly(tmp_path / "old", tmp_path / "run")
    changed = sorted(inputs.iterdir())[1]
    first, *others = changed.read_text().splitlines()
    row = json.loads(first)
    changed.write_text("\n".join([json.dumps(row | {"text": row["text"] + " and more"}), *others]) + "\n")
    return tmp_path / "run"


@pytest.mark.parametrize("parts", [1, 4])
def test_a_plan_updates_an_earlier_run_as_one_process_does(inputs, tmp_path, parts):
    run = write_split(inputs, tmp_path)
    expected = find_reuse_plainly(inputs, tmp_path / "plain", update=run)
    assert expected != find_reuse_plainly(inputs, tmp_path / "anew")
    assert plan_and_run(inputs, tmp_path, parts=parts, update=run) == expected


def test_a_run_that_changed_or_asked_something_else_is_not_updated(inputs, tmp_path):
    run = write_split(inputs, tmp_path)
    places = [str(inputs)], tmp_path / "made", tmp_path / "plan"
    with pytest.raises(ConfigurationError, match=r"was made with threshold 0\.3, not 0\.5"):
        plan_reuse(*places, update=run, threshold=0.5)
    with pytest.raises(ValueError, match="only a run on one collection can be updated"):
        plan_reuse(*places, update=run, against=[str(tmp_path / "old")])
    plan_reuse(*places, update=run, memory="64M")
    np.save(run / "state" / "frequent.npy", np.array([7], np.uint64))
    with pytest.raises(PlanError, match="run: changed since the plan was made"):
        run_rank(tmp_path / "plan")
    assert not (tmp_path / "made").exists()
