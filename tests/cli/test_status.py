"""status: how far a plan is, and what failed."""

import json
import shutil


def test_a_failed_task_is_in_the_state(folder, run):
    run("plan", "index", "notes.jsonl", "-o", "notes.ibidem", "--plan", "notes.plan")
    (folder / "notes.jsonl").write_text("{}\n")
    failed = run("run", "notes.plan")
    assert failed.exit_code == 2
    assert "notes.jsonl: changed since the plan was made" in failed.stderr
    state = run("status", "notes.plan")
    assert state.exit_code == 2
    assert "task read-00000 failed" in state.stderr
    assert "(all that is known: notes.plan/failures/read-00000.json)" in state.stderr
    assert json.loads((folder / "notes.plan/failures/read-00000.json").read_text())["details"].startswith("Traceback")
    assert "notes.plan: next: ibidem run notes.plan" in state.stderr


def test_a_plan_that_is_done_and_whose_result_is_gone_says_so(folder, run):
    run("plan", "index", "notes.jsonl", "-o", "notes.ibidem", "--plan", "notes.plan")
    assert "any more" not in run("run", "notes.plan").stderr
    assert run("status", "notes.plan").stderr == ""
    shutil.rmtree(folder / "notes.ibidem")
    for command in ("run", "status"):
        told = run(command, "notes.plan").stderr
        assert f"its result is no longer at {folder}/notes.ibidem: plan the job again" in told


def test_a_plan_that_is_not_there_is_told_in_one_line(folder, run):
    for command in ("run", "status"):
        result = run(command, "books")
        assert result.exit_code == 2
        assert "there is no plan.json" in result.stderr
