"""The stages of each kind of plan, and their tasks."""

from hashlib import sha256

import pytest

from ibidem import PassageIndex
from ibidem.errors import PlanError
from ibidem.jobs import shards
from ibidem.jobs.engines.processes import run_processes
from ibidem.jobs.run import run_rank
from ibidem.jobs.stage import stages_of, tasks_of
from ibidem.jobs.workspace import Task, Workspace
from ibidem.remote.storage import Storage

from .samples import JOBS, digest


def test_a_plan_begins_with_a_task_for_each_part_and_ends_with_one_that_commits(planned, tmp_path):
    workspace = Workspace(tmp_path / "plan")
    first, *_, last = stages_of(workspace)
    assert tasks_of(workspace, first) == [Task("read", number) for number in range(3)]
    assert tasks_of(workspace, last) == [Task("commit", 0)]


def test_stages_have_names_of_their_own_and_all_tasks_leave_their_folders(job, planned, tmp_path):
    run_rank(tmp_path / "plan")
    workspace = Workspace(tmp_path / "plan")
    stages = stages_of(workspace)
    assert len({stage.name for stage in stages}) == len(stages)
    tasks = [task for stage in stages for task in tasks_of(workspace, stage)]
    assert len(tasks) == job.tasks
    assert all(workspace.is_done(task) for task in tasks)


def test_what_says_how_many_tasks_there_are_stays_when_the_rest_goes(planned, tmp_path):
    run_rank(tmp_path / "plan")
    workspace = Workspace(tmp_path / "plan")
    for stage in stages_of(workspace):
        if stage.bulky:
            for task in tasks_of(workspace, stage):
                left = {path.name for path in workspace.output(*task).iterdir()}
                assert left == {"task.json", *stage.kept}


def copy_to_store(folder, url):
    for path in folder.iterdir():
        Storage(url).upload(path, path.name)


def test_input_and_output_may_stand_in_an_object_store(job, inputs, tmp_path, object_store):
    expected = job.run(inputs, tmp_path / "plain")
    copy_to_store(inputs, f"{object_store}/inputs")
    job.plan(f"{object_store}/inputs", f"{object_store}/made", tmp_path / "plan", 3)
    assert run_rank(tmp_path / "plan").tasks == job.tasks
    if "manifest.json" in expected:
        with PassageIndex.open(f"{object_store}/made") as index:
            assert digest(index.path) == expected
    else:
        storage = Storage(f"{object_store}/made")
        assert {name: sha256(storage.read(name)).hexdigest() for name in storage.list()} == expected


def test_an_input_that_changed_in_its_store_is_refused(inputs, tmp_path, object_store):
    copy_to_store(inputs, f"{object_store}/inputs")
    JOBS["index"].plan(f"{object_store}/inputs", tmp_path / "made", tmp_path / "plan", 3)
    Storage(f"{object_store}/inputs").upload(inputs / "2.jsonl", "3.jsonl")
    with pytest.raises(PlanError, match=r"inputs/3\.jsonl: changed since the plan was made"):
        run_rank(tmp_path / "plan")


@pytest.mark.usefixtures("warm_python")
def test_processes_share_the_work_on_an_object_store(inputs, tmp_path, s3_folder, monkeypatch):
    monkeypatch.setenv("IBIDEM_CACHE", str(tmp_path / "cache"))
    expected = JOBS["index"].run(inputs, tmp_path / "plain")
    copy_to_store(inputs, f"{s3_folder}/inputs")
    JOBS["index"].plan(f"{s3_folder}/inputs", f"{s3_folder}/made", tmp_path / "plan", 3)
    assert run_processes(tmp_path / "plan", 2).tasks == JOBS["index"].tasks
    with PassageIndex.open(f"{s3_folder}/made") as index:
        assert digest(index.path) == expected


@pytest.fixture
def giant(inputs, tmp_path):
    """All documents in one file: a byte order mark, blank lines, no ids, and no end of the last line."""
    lines = [
        line.replace(b'"id"', b'"name"') for path in sorted(inputs.iterdir()) for line in path.read_bytes().splitlines()
    ]
    path = tmp_path / "giant.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + b"\n\n".join(lines))
    return path


def test_a_giant_file_is_read_by_many_tasks(job, giant, tmp_path):
    expected = job.run(giant, tmp_path / "plain")
    plan = job.plan(giant, tmp_path / "made", tmp_path / "plan", 4)
    assert (plan.num_files, len(plan.shards), len(plan.parts)) == (1, 4, 4)
    run_rank(tmp_path / "plan")
    assert digest(tmp_path / "made") == expected


def test_pieces_of_one_part_are_read_one_after_the_other(job, giant, tmp_path, monkeypatch):
    expected = job.run(giant, tmp_path / "plain")
    monkeypatch.setattr(shards, "_part_bytes", lambda sizes, parts: 1000)
    plan = job.plan(giant, tmp_path / "made", tmp_path / "plan", 2)
    assert len(plan.shards) > len(plan.parts) == 2
    run_rank(tmp_path / "plan")
    assert digest(tmp_path / "made") == expected


def test_a_giant_file_in_an_object_store_is_cut_too(job, giant, tmp_path, object_store, monkeypatch):
    (tmp_path / "folder").mkdir()
    giant = giant.rename(tmp_path / "folder" / giant.name)
    expected = job.run(giant.parent, tmp_path / "plain")
    Storage(f"{object_store}/inputs").upload(giant, giant.name)
    monkeypatch.setattr(shards, "PART_BYTES", 2000)
    plan = job.plan(f"{object_store}/inputs", tmp_path / "made", tmp_path / "plan", 3)
    assert len(plan.shards) > len(plan.parts) == 3
    run_rank(tmp_path / "plan")
    assert digest(tmp_path / "made") == expected
