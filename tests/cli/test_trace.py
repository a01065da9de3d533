"""trace: what outputs of a model repeat of an index, as lines, as pages, and as a folder."""

import json
from pathlib import Path

import pytest

from .samples import PASSAGE, Run, data_of_report, lines_of

TRACE = ("trace", "notes.jsonl", "letter.txt", "--index", "books.ibidem")

pytestmark = pytest.mark.usefixtures("folder")


def test_each_line_is_a_span_with_its_sources(run: Run) -> None:
    result = run(*TRACE)
    lines = lines_of(result)
    assert [(line["output"], line["sources"][0]["document"]) for line in lines] == [
        ("first", "ferry.txt"),
        ("second", "bees.txt"),
        ("letter.txt", "ferry.txt"),
    ]
    letter = Path("letter.txt").read_text("utf-8")
    span = lines[2]
    assert letter[span["start"] : span["end"]] == span["text"]
    assert span["documents"] == 1
    assert span["longest_run"] > 10
    assert PASSAGE.startswith(span["sources"][0]["text"][:40])
    assert "query" not in span["sources"][0]


def test_the_rates_are_said_at_the_end_and_name_their_definition(run: Run) -> None:
    said = run(*TRACE, "--verbatim", "20").stderr.splitlines()
    assert len(said) == 4
    assert said[0].startswith("outputs with at least 20 words in a row of a document: 3 of 3, 1.0000 (95 %: 0.")


def test_texts_can_be_left_out(run: Run) -> None:
    (line, *_) = lines_of(run(*TRACE, "--no-text"))
    assert "text" not in line
    assert "text" not in line["sources"][0]


def test_a_folder_holds_spans_outputs_and_rates(run: Run) -> None:
    Path("alone.txt").write_text("Nobody has ever written this here before.", "utf-8")
    result = run(*TRACE, "alone.txt", "-o", "traced", "--html", "traced.html")
    assert result.stdout == ""
    spans = [json.loads(line) for line in Path("traced/spans.jsonl").read_text("utf-8").splitlines()]
    assert spans == lines_of(run(*TRACE))
    outputs = [json.loads(line) for line in Path("traced/outputs.jsonl").read_text("utf-8").splitlines()]
    assert [(output["output"], output["spans"]) for output in outputs][2:] == [("letter.txt", 1), ("alone.txt", 0)]
    summary = json.loads(Path("traced/summary.json").read_text("utf-8"))
    assert (summary["outputs"], summary["verbatim"], summary["threshold"]) == (4, 50, 0.5)
    names = ["extractable", "verbatim", "near_verbatim_outputs", "near_verbatim"]
    assert [rate["name"] for rate in summary["rates"]] == names
    assert {"ferry.txt", "letter.txt"} <= {document["name"] for document in data_of_report("traced.html")["documents"]}


def test_a_folder_that_exists_is_refused_before_any_work(run: Run) -> None:
    Path("traced").mkdir()
    result = run(*TRACE, "-o", "traced")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "traced: it exists already" in result.stderr


def test_a_reader_sees_spans_and_a_table_of_rates(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ibidem.cli.trace.is_terminal", lambda _: True)
    shown = run(*TRACE).stdout
    assert "letter.txt  1 span" in shown
    assert "in 1 document" in shown
    assert "ferry.txt, characters" in shown
    assert "definition" in shown
    assert run(*TRACE, "--json").stdout.startswith('{"output":"first"')


def test_a_row_that_cannot_be_read_ends_the_work_or_is_listed(run: Run) -> None:
    Path("broken.jsonl").write_text('{"id": "a", "text": 7}\n' + json.dumps({"id": "b", "text": PASSAGE}) + "\n")
    result = run("trace", "broken.jsonl", "--index", "books.ibidem", "-o", "traced")
    assert result.exit_code == 2
    assert "broken.jsonl, line 1" in result.stderr
    assert not Path("traced").exists()
    assert not list(Path().glob("traced*"))
    result = run("trace", "broken.jsonl", "--index", "books.ibidem", "--on-error", "skip")
    assert result.exit_code == 3
    assert [line["output"] for line in lines_of(result)] == ["b"]


def test_an_index_of_sketches_is_refused_in_one_line(run: Run) -> None:
    run("index", "books", "--output", "sketched.ibidem", "--sketch", "minhash", "-k", "8")
    result = run("trace", "letter.txt", "--index", "sketched.ibidem")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "an index of sketches, not of passages" in result.stderr
