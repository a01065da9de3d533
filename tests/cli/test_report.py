"""Reports from the command line: of files of results, and beside the output of other commands."""

import json
from pathlib import Path

import pytest

from .samples import CHANGED, PASSAGE, Run, data_of_report, documents_in_report


@pytest.mark.usefixtures("folder")
def test_results_become_a_report_with_the_texts_around_passages(run: Run) -> None:
    Path("matches.jsonl").write_text(run("search", "books.ibidem", "notes.jsonl").stdout, "utf-8")
    result = run(
        "report", "matches.jsonl", "--index", "books.ibidem", "--documents", "notes.jsonl", "-o", "report.html"
    )
    assert result.exit_code == 0, result.stderr
    assert result.stderr.startswith("report.html: ")
    first = data_of_report("report.html", "comparisons")
    assert first["a"]["length"] is not None
    assert first["b"]["length"] is not None


@pytest.mark.usefixtures("folder")
def test_results_alone_become_a_report_of_what_they_hold(run: Run) -> None:
    Path("matches.jsonl").write_text(run("search", "books.ibidem", "letter.txt").stdout, "utf-8")
    assert run("report", "matches.jsonl", "-o", "report.html").exit_code == 0
    found = data_of_report("report.html", "comparisons")
    assert found["a"]["text"] in Path("letter.txt").read_text("utf-8")
    assert len(found["a"]["text"]) > 100
    assert found["b"]["text"] in PASSAGE


@pytest.mark.usefixtures("folder")
def test_dates_locators_and_the_heading_come_from_the_user(run: Run) -> None:
    rows = [
        {"id": "x", "text": PASSAGE, "year": 1903, "verses": [[0, 80, "1"], [80, len(PASSAGE), "2"]]},
        {"id": "y", "text": CHANGED, "year": 1911},
    ]
    Path("texts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    found = {"a": "x", "a_start": 0, "a_end": 100, "b": "y", "b_start": 0, "b_end": 100, "similarity": 0.9}
    Path("found.jsonl").write_text(json.dumps(found) + "\n", "utf-8")
    columns = ("--date", "year", "--locators", "verses", "--title", "Two letters")
    result = run("report", "found.jsonl", "--documents", "texts.jsonl", *columns, "-o", "report.html")
    assert result.exit_code == 0, result.stderr
    assert data_of_report("report.html")["title"] == "Two letters"
    assert [document["date"] for document in data_of_report("report.html")["documents"]] == ["1903", "1911"]
    assert data_of_report("report.html", "comparisons")["a"]["locators"] == [[0, 80, "1"], [80, len(PASSAGE), "2"]]
    hidden = ("--anonymous", "--no-texts", "-o", "hidden.html")
    assert run("report", "found.jsonl", "--documents", "texts.jsonl", *columns[:4], *hidden).exit_code == 0
    assert documents_in_report("hidden.html") == {None}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ('{"a": "x"}', "results.jsonl, line 1: the line names no two documents"),
        ("[1]", "results.jsonl, line 1: an array where an object should be"),
        (
            '{"a": "first", "a_start": 0, "a_end": 99999, "b": "second", "b_start": 0, "b_end": 9}',
            "first: a passage ends at character 99,999, and the document has",
        ),
    ],
)
def test_what_is_no_result_is_told_and_nothing_is_written(run: Run, line: str, cause: str) -> None:
    Path("results.jsonl").write_text(line + "\n", "utf-8")
    result = run("report", "results.jsonl", "--documents", "notes.jsonl", "-o", "report.html")
    assert result.exit_code == 2
    assert cause.replace("99,999", "99999") in result.stderr.replace("99,999", "99999")
    assert not Path("report.html").exists()


@pytest.mark.usefixtures("folder")
def test_locators_that_are_none_name_the_document(run: Run) -> None:
    Path("texts.jsonl").write_text(json.dumps({"id": "x", "text": PASSAGE, "verses": "1:1"}) + "\n", "utf-8")
    Path("found.jsonl").write_text(json.dumps({"id": "x", "duplicate_of": "y", "similarity": 1}) + "\n", "utf-8")
    result = run("report", "found.jsonl", "--documents", "texts.jsonl", "--locators", "verses", "-o", "report.html")
    assert result.exit_code == 2
    assert "document 'x': the column 'verses' holds no list of [start, end, label]" in result.stderr


@pytest.mark.usefixtures("folder")
def test_the_folders_of_reuse_and_dedup_become_reports(run: Run) -> None:
    rows = [{"id": "x", "text": PASSAGE, "year": 1903}, {"id": "y", "text": f"{CHANGED} again", "year": 1911}]
    Path("texts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    made = run("reuse", "texts.jsonl", "-o", "texts.reuse", "--date", "year", "--html", "beside.html")
    assert made.exit_code == 0, made.stderr
    assert "beside.html: 1 pair of passages" in made.stderr
    whole = run("report", "texts.reuse", "--documents", "texts.jsonl", "-o", "report.html")
    assert (whole.exit_code, whole.stderr.count("\n")) == (0, 1)
    for name in ("beside.html", "report.html"):
        report = data_of_report(name)
        assert {each["name"]: each["date"] for each in report["documents"]} == {"x": "1903", "y": "1911"}
        [cluster] = report["clusters"]
        assert sorted(row[3] for row in cluster["witnesses"]) == ["1903", "1911"]
        assert data_of_report(name, "comparisons")["a"]["text"]
    bare = run("report", "texts.reuse", "-o", "bare.html")
    assert "no text of x and 1 more: name the collection that holds them with --documents, or --index" in bare.stderr
    assert data_of_report("bare.html", "comparisons")["reasons"] is None
    rows.append({"id": "z", "text": PASSAGE, "year": 1950})
    Path("texts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert run("dedup", "texts.jsonl", "-o", "unique", "--html", "dedup.html").exit_code == 0
    assert run("report", "unique", "--documents", "texts.jsonl", "-o", "unique.html").exit_code == 0
    assert documents_in_report("unique.html") == documents_in_report("dedup.html") >= {"x", "z"}


@pytest.mark.usefixtures("folder")
def test_a_folder_that_holds_no_results_is_told(run: Run) -> None:
    result = run("report", "books.ibidem", "-o", "report.html")
    assert result.exit_code != 0
    assert "none that ibidem reuse, dedup or decontaminate wrote" in result.stderr
