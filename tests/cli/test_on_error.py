"""Every command that reads documents can go on without those that it cannot read, and says so at the end."""

import json
from pathlib import Path

import pytest

from ibidem import PassageIndex
from ibidem.cli.command import LEFT_OUT

from .samples import CHANGED, PASSAGE, Run, data_of_report, lines_of


@pytest.fixture
def broken(folder: Path) -> str:
    rows = [json.dumps({"id": name, "text": text}) for name, text in (("x", PASSAGE), ("y", CHANGED), ("z", PASSAGE))]
    rows.insert(1, '{"id": "null", "text": null}')
    (folder / "broken.jsonl").write_text("\n".join([*rows, '{"id": "cut']), "utf-8")
    return "broken.jsonl"


def read_table(stderr: str) -> list[str]:
    head, *rows = stderr[stderr.index("left out of the input: ") :].splitlines()
    assert head == "left out of the input: 2 documents:"
    return rows


@pytest.mark.parametrize(
    "line",
    [
        "index broken.jsonl -o new.ibidem --min-length 16",
        "add books.ibidem broken.jsonl",
        "search books.ibidem broken.jsonl",
        "dedup broken.jsonl -o out",
        "dedup broken.jsonl -o out --passages --min-length 8",
        "dedup broken.jsonl -o out --passages --min-length 8 --action annotate",
        "reuse broken.jsonl -o out",
        "decontaminate broken.jsonl --evals notes.jsonl --question text -o out",
    ],
)
def test_rows_are_skipped_and_listed_and_the_status_says_so(run: Run, broken: str, line: str) -> None:
    assert run(*line.split()).exit_code == 2
    assert not Path("out").exists()
    result = run(*line.split(), "--on-error", "skip")
    assert result.exit_code == LEFT_OUT == 3
    first, second = read_table(result.stderr)
    assert first.startswith("  broken.jsonl, line 2, column 'text': the text is null")
    assert second.startswith("  broken.jsonl, line 5: invalid JSON")
    if line[:5] == "index":
        with PassageIndex.open("new.ibidem") as index:
            assert sorted(index.ids()) == ["x", "y", "z"]
    if "-o out" in line:
        summary = json.loads(Path("out/summary.json").read_text())
        assert (summary["documents"], summary["rows_left_out"], summary["files_left_out"]) == (3, 2, 0)


def test_alignments_of_what_can_be_read_are_written(run: Run, broken: str) -> None:
    run("index", "books", "-o", "exact.ibidem")
    result = run("align", "--index", "exact.ibidem", broken, "--on-error", "skip")
    assert result.exit_code == LEFT_OUT
    assert {row["query"] for row in lines_of(result)} == {"x", "y", "z"}
    Path("two.jsonl").write_text('{"a": "x", "b": "y"}\n')
    result = run("align", "--documents", broken, "--pairs", "two.jsonl", "--on-error", "skip")
    assert (result.exit_code, len(lines_of(result))) == (LEFT_OUT, 1)


def test_nothing_is_said_where_nothing_was_left_out(run: Run, folder: Path) -> None:
    result = run("dedup", "notes.jsonl", "-o", "out", "--on-error", "skip")
    assert result.exit_code == 0
    assert "left out" not in result.stderr


def test_a_report_is_made_of_the_documents_that_can_be_read(run: Run, broken: str) -> None:
    found = {"a": "x", "a_start": 0, "a_end": 100, "b": "y", "b_start": 0, "b_end": 100, "similarity": 0.9}
    Path("found.jsonl").write_text(json.dumps(found) + "\n", "utf-8")
    line = ("report", "found.jsonl", "--documents", broken, "-o", "report.html")
    assert run(*line).exit_code == 2
    result = run(*line, "--on-error", "skip")
    assert result.exit_code == LEFT_OUT
    assert len(read_table(result.stderr)) == 2
    assert data_of_report("report.html", "comparisons")["a"]["length"] == len(PASSAGE)


@pytest.mark.parametrize("line", ["dedup broken.jsonl -o out", "reuse broken.jsonl -o out"])
def test_the_report_beside_a_result_skips_what_the_result_skips(run: Run, broken: str, line: str) -> None:
    result = run(*line.split(), "--html", "report.html", "--on-error", "skip")
    assert result.exit_code == LEFT_OUT, result.stderr
    assert len(read_table(result.stderr)) == 2
    assert data_of_report("report.html", "comparisons")["a"]["length"] is not None


def test_what_cannot_be_read_is_not_in_the_files_without_repeated_passages(run: Run, folder: Path) -> None:
    (folder / "mixed").mkdir()
    bad = '{"id": "null", "text": null}\n'
    (folder / "mixed/a.jsonl").write_text(f"{bad}{json.dumps({'id': 'x', 'text': PASSAGE})}\n{bad}", "utf-8")
    (folder / "mixed/b.csv").write_text(f"id,text\ny,{json.dumps(PASSAGE)}\ntoo,many,cells\n", "utf-8")
    (folder / "mixed/c.txt").write_bytes(b"\x00\xff" * 99)
    result = run("dedup", "mixed", "-o", "out", "--passages", "--min-length", "8", "--on-error", "skip")
    assert result.exit_code == LEFT_OUT, result.stderr
    (row,) = (json.loads(line) for line in Path("out/kept/a.jsonl").read_text("utf-8").splitlines())
    assert row == {"id": "x", "text": PASSAGE}
    assert Path("out/kept/b.csv").read_text("utf-8").startswith("id,text\ny,")
    assert "many" not in Path("out/kept/b.csv").read_text("utf-8")
    assert not Path("out/kept/c.txt").exists()
    summary = json.loads(Path("out/summary.json").read_text())
    assert (summary["documents"], summary["passages"], summary["rows_left_out"]) == (2, 1, 3)


@pytest.mark.parametrize(
    "line",
    [
        "index essays.zip -o new.ibidem --min-length 8",
        "add books.ibidem essays.zip",
        "search books.ibidem essays.zip",
        "align --index books.ibidem essays.zip",
        "reuse essays.zip -o out",
        "decontaminate essays.zip --evals notes.jsonl --question text -o out",
        "trace essays.zip --index books.ibidem -o out",
        "decontaminate essays.zip --evals notes.jsonl --question text --audit --sample 3 -o out",
        "advise reuse essays.zip",
    ],
)
def test_a_file_of_an_archive_that_cannot_be_read_is_named_and_the_others_are_used(
    folder: Path, run: Run, line: str
) -> None:
    samples = pytest.importorskip("tests.corpus.readers.samples")
    pytest.importorskip("pypdf")
    assert folder
    members = {"a.md": samples.markdown(), "scan.pdf": samples.pdf(with_text=False), "z.txt": PASSAGE.encode()}
    Path("essays.zip").write_bytes(samples.pack(members))
    stopped = run(*line.split())
    assert stopped.exit_code == 2
    assert "essays.zip: scan.pdf: no text" in stopped.stderr
    result = run(*line.split(), "--on-error", "skip")
    assert result.exit_code == LEFT_OUT
    told = result.stderr[result.stderr.index("left out of the input: ") :].splitlines()
    assert told[0] == "left out of the input: 1 document:"
    assert told[1].startswith("  essays.zip: scan.pdf: no text")
    assert len(told) == 2
    if "-o out" in line:
        summary = json.loads(Path("out/summary.json").read_text())
        assert (summary["rows_left_out"], summary["files_left_out"]) == (1, 0)
