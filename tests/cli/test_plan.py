"""plan: a plan is made, run and asked for its state, as it is typed."""

import json

import pytest

from .samples import OTHER


def test_a_plan_is_made_run_and_asked_for_its_state(folder, run):
    made = run("plan", "index", "books", "-o", "planned.ibidem", "--plan", "books.plan", "--parts", "2")
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


def test_a_deduplication_is_planned_with_the_options_of_dedup(folder, run):
    made = run("plan", "dedup", "books", "-o", "unique", "--plan", "unique.plan", "--keep", "longest", "--parts", "1")
    assert made.exit_code == 0, made.output
    assert "next: ibidem run unique.plan" in made.stderr
    done = run("run", "unique.plan")
    assert done.exit_code == 0, done.output
    assert "6 tasks" in done.stderr
    plain = run("dedup", "books", "-o", "plain", "--keep", "longest")
    assert plain.exit_code == 0, plain.output
    for name in ("removed.jsonl", "clusters.csv", "summary.json"):
        assert (folder / "unique" / name).read_bytes() == (folder / "plain" / name).read_bytes()


def test_a_deduplication_of_passages_is_planned_with_the_options_of_dedup(folder, run):
    options = ["--passages", "--min-length", "4", "--action", "annotate"]
    made = run("plan", "dedup", "books", "-o", "clean", "--plan", "clean.plan", "--parts", "2", *options)
    assert made.exit_code == 0, made.output
    done = run("run", "clean.plan")
    assert done.exit_code == 0, done.output
    assert "6 tasks" in done.stderr
    plain = run("dedup", "books", "-o", "plain", *options)
    assert plain.exit_code == 0, plain.output
    names = sorted(path.relative_to(folder / "plain") for path in (folder / "plain").rglob("*") if path.is_file())
    assert [path.name for path in names][-2:] == ["passages.jsonl", "summary.json"]
    for name in names:
        assert (folder / "clean" / name).read_bytes() == (folder / "plain" / name).read_bytes()
    refused = run("plan", "dedup", "books", "-o", "other", "--plan", "other.plan", "--min-length", "4")
    assert "--min-length needs --passages" in refused.stderr


def test_a_search_for_reuse_is_planned_with_the_options_of_reuse(folder, run):
    (folder / "phrases.txt").write_text("out of his coat\n")
    (folder / "sheet.txt").write_text(OTHER[:120])
    options = ["--min-pair-length", "4", "--phrases", "phrases.txt", "--ignore", "sheet.txt", "--format", "csv"]
    made = run("plan", "reuse", "books", "-o", "planned", "--plan", "reuse.plan", *options)
    assert made.exit_code == 0, made.output
    done = run("run", "reuse.plan")
    assert done.exit_code == 0, done.output
    plain = run("reuse", "books", "-o", "plain", *options)
    assert plain.exit_code == 0, plain.output
    names = sorted(path.name for path in (folder / "plain").iterdir() if path.is_file())
    assert "pairs.csv" in names
    assert "ignored" in (folder / "plain/left_out.csv").read_text()
    for name in names:
        assert (folder / "planned" / name).read_bytes() == (folder / "plain" / name).read_bytes()


@pytest.mark.parametrize(
    ("command", "option", "advice"),
    [
        ("dedup", ["--json"], "use ibidem dedup itself"),
        ("dedup", ["--html", "books.html"], "make a report of the result with ibidem report"),
        ("reuse", ["--html", "books.html"], "make a report of the result with ibidem report"),
        ("index", ["--threads", "2"], "give it to ibidem run"),
    ],
)
def test_what_a_plan_does_not_take_is_refused_with_what_does(folder, run, command, option, advice):
    result = run("plan", command, "books", "-o", "made", "--plan", "made.plan", *option)
    assert result.exit_code == 2
    assert f"a plan does not take {option[0]}: {advice}" in result.stderr
    assert option[0] not in run("plan", command, "--help").stdout
