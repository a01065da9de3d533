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


@pytest.fixture
def faulty(crawl: Path) -> Path:
    """Beside good files, those that cannot be used: of each the second row."""
    (crawl / "none").mkdir()
    rows = {
        "choices": [{"question": "Which?", "choices": ["a", "b"]}, {"question": "Why?", "choices": []}],
        "ids": [{"question": "Which?", "id": "q"}, {"question": "Why?", "id": "q"}],
        "asked": [{"question": "Which?"}, {"answer": "b"}],
        "torn": [{"text": QUESTIONS[0]}, {"body": "no text"}],
    }
    for name, of in rows.items():
        (crawl / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in of))
    return crawl


def test_it_says_what_was_recognized_found_and_left_out(run: Run, crawl: Path) -> None:
    done = run("decontaminate", "crawl.jsonl", "--evals", "quiz.jsonl", "-o", "leaks")
    assert done.exit_code == 0
    assert done.stderr.splitlines() == [
        "quiz.jsonl: questions (question), 3 items",
        "leaks: 7 documents read, 1 of 3 items in 1 document",
        "leaks: no leaks, listed in left_out: 1 template",
    ]
    (row,) = map(json.loads, (crawl / "leaks/contamination.jsonl").read_text().splitlines())
    assert (row["training_file"], row["training_line"], row["document"]) == ("crawl.jsonl", 5, "crawl.jsonl:5")
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
        (
            "crawl.jsonl --evals choices.jsonl -o out",
            "choices.jsonl, line 2, column 'choices': the choices are empty",
        ),
        ("crawl.jsonl --evals ids.jsonl -o out", "ids.jsonl, line 2, column 'id': a second item of the id 'q'"),
        ("crawl.jsonl --evals asked.jsonl -o out", "asked.jsonl, line 2, column 'question': there is no such column"),
        ("crawl.jsonl --evals none -o out", "none: the folder holds no files"),
        (
            "crawl.jsonl torn.jsonl --evals quiz.jsonl --action remove -o out",
            "torn.jsonl, line 2, column 'text': there is no such column (columns: 'body')",
        ),
    ],
)
def test_what_cannot_be_used_is_one_line_and_nothing_is_written(
    run: Run, faulty: Path, arguments: str, message: str
) -> None:
    done = run("decontaminate", *arguments.split())
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (faulty / "out").exists()
    assert not list(faulty.glob("*.partial"))


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
        "crawl.jsonl 5",
        "crawl.jsonl 6",
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
