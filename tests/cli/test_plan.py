"""Plan, run and status, as they are typed."""

import json


def test_a_plan_is_made_run_and_asked_for_its_state(folder, run):
    made = run("plan", "index", "books", "--to", "planned.ibidem", "-o", "books.plan", "--parts", "2")
    assert made.exit_code == 0, made.output
    assert "3 files" in made.stderr
    assert "next: ibidem run books.plan" in made.stderr
    state = run("status", "books.plan")
    assert state.exit_code == 1
    assert [stage["tasks"] for stage in json.loads(state.stdout)["stages"]] == [2, None, None, None]
    done = run("run", "books.plan")
    assert done.exit_code == 0, done.output
    assert "5 tasks" in done.stderr
    state = run("status", "books.plan")
    assert state.exit_code == 0
    assert [(stage["tasks"], stage["done"]) for stage in json.loads(state.stdout)["stages"]] == [(2, 2), *[(1, 1)] * 3]
    assert json.loads(run("info", "planned.ibidem", "--json").stdout)["documents"] == 3


def test_a_rank_is_told_of_how_many_it_is(folder, run):
    result = run("run", "books.plan", "--rank", "0")
    assert result.exit_code == 2
    assert "--rank and --of go together" in result.stderr


def test_the_ways_to_run_exclude_each_other(folder, run):
    result = run("run", "books.plan", "--processes", "2", "--ray", "local")
    assert result.exit_code == 2
    assert "choose one" in result.stderr


def test_a_failed_task_is_in_the_state(folder, run):
    run("plan", "index", "notes.jsonl", "--to", "notes.ibidem", "-o", "notes.plan")
    (folder / "notes.jsonl").write_text("{}\n")
    failed = run("run", "notes.plan")
    assert failed.exit_code == 2
    assert "notes.jsonl: changed since the plan was made" in failed.stderr
    state = run("status", "notes.plan")
    assert state.exit_code == 2
    assert "task read-00000 failed" in state.stderr


def test_a_plan_that_is_not_there_is_told_in_one_line(folder, run):
    for command in ("run", "status"):
        result = run(command, "books")
        assert result.exit_code == 2
        assert "there is no plan.json" in result.stderr
