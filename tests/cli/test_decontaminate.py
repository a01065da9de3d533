"""``ibidem decontaminate``: what it says, and what it leaves behind."""

import json
from pathlib import Path

import pytest

from tests.contamination.samples import QUESTIONS, pages

from .samples import Run


@pytest.fixture
def crawl(folder: Path) -> Path:
    texts = [*pages(5), f"Before. {QUESTIONS[0]} After.", QUESTIONS[1].replace("48", "90")]
    (folder / "crawl.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    (folder / "quiz.jsonl").write_text("".join(json.dumps({"question": text}) + "\n" for text in QUESTIONS))
    return folder


def test_it_says_what_was_recognized_found_and_left_out(run: Run, crawl: Path) -> None:
    done = run("decontaminate", "crawl.jsonl", "--evals", "quiz.jsonl", "-o", "leaks")
    assert done.exit_code == 0
    assert done.stderr.splitlines() == [
        "quiz.jsonl: questions (question), 3 items",
        "leaks: 7 documents read, 1 of 3 items in 1 document",
        "leaks: no leaks, listed in left_out: 1 template",
    ]
    (row,) = map(json.loads, (crawl / "leaks/contamination.jsonl").read_text().splitlines())
    assert (row["training_file"], row["training_line"], row["document"]) == ("crawl.jsonl", 6, "crawl.jsonl:6")
    assert row["text"] == QUESTIONS[0].rstrip("?")


def test_json_says_the_summary_and_an_action_writes_the_documents(run: Run, crawl: Path) -> None:
    done = run("decontaminate", "crawl.jsonl", "--evals", "quiz.jsonl", "-o", "clean", "--action", "remove", "--json")
    summary = json.loads(done.stdout)
    assert (summary["output"], summary["action"], summary["contaminated_documents"]) == ("clean", "remove", 1)
    assert len((crawl / "clean/kept/crawl.jsonl").read_text().splitlines()) == 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("crawl.jsonl --evals books -o out", "no eval: evals are JSON lines, Parquet or CSV files"),
        ("crawl.jsonl --evals crawl.jsonl -o out", "crawl.jsonl: no question in the columns text"),
        ("crawl.jsonl --evals quiz.jsonl --answer reply -o out", "quiz.jsonl, column 'reply': there is no such column"),
        ("quiz.jsonl --evals quiz.jsonl -o out", "quiz.jsonl, line 1, column 'text': there is no such column"),
        ("crawl.jsonl --evals quiz.jsonl -o books", "books: it exists already"),
    ],
)
def test_what_cannot_be_used_is_one_line_and_nothing_is_written(
    run: Run, crawl: Path, arguments: str, message: str
) -> None:
    done = run("decontaminate", *arguments.split())
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (crawl / "out").exists()
    assert not list(crawl.glob("*.partial"))


def test_a_report_shows_leaks_and_what_is_none_beside_their_items(run: Run, crawl: Path) -> None:
    done = run("decontaminate", "crawl.jsonl", "--evals", "quiz.jsonl", "-o", "leaks", "--html", "leaks.html")
    assert done.stderr.splitlines()[0].startswith("leaks.html: 2 pairs of passages")
    again = run("report", "leaks", "-o", "again.html")
    assert again.stderr.splitlines()[0].startswith("again.html: 2 pairs of passages")
    page = (crawl / "leaks.html").read_text("utf-8")
    held = json.loads(page.split('id="report">')[1].split("</script>")[0])
    kinds = [held["columns"]["kinds"][at] for at in held["columns"]["kind"]]
    assert sorted(kinds) == ["leak", "template"]
    assert {each["name"] for each in held["documents"]} == {
        "crawl.jsonl 6",
        "crawl.jsonl 7",
        "quiz 0 question",
        "quiz 1 question",
    }
    assert "http://" not in page.split("<script")[0]


def test_an_update_needs_no_evals_and_a_first_run_does(run: Run, crawl: Path) -> None:
    assert "give the items: --evals EVALS" in run("decontaminate", "crawl.jsonl", "-o", "x").stderr
    run("decontaminate", "crawl.jsonl", "--evals", "quiz.jsonl", "-o", "first")
    done = run("decontaminate", "crawl.jsonl", "-o", "second", "--update", "first")
    assert done.exit_code == 0
    assert (crawl / "second/contamination.jsonl").read_text() == (crawl / "first/contamination.jsonl").read_text()
