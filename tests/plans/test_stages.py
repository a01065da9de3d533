"""The stages of each kind of plan, and their tasks."""

from ibidem.plans.rank import run_rank
from ibidem.plans.stages import stages_of, tasks_of
from ibidem.plans.workspace import Task, Workspace


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
