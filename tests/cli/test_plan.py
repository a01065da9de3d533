"""plan: a plan is made, run and asked for its state, as it is typed."""

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
