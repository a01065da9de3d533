"""The files of a result: a table of each name in the format that was asked for, and the summary."""

import json
from pathlib import Path

import pytest

from ibidem.contamination.detector import make_detector
from ibidem.contamination.findings import FileToRead, look_through
from ibidem.contamination.result import judge_findings
from ibidem.contamination.rounds import Rounds
from ibidem.contamination.tables import write_tables
from ibidem.resources import Resources
from ibidem.text import as_batches, make_tokenizer
from tests.contamination.samples import EVALS, QUESTIONS, pages


@pytest.mark.parametrize(("format", "also"), [("jsonl", ()), ("csv", ("decon",)), ("parquet", ())])
def test_tables_are_in_the_format_that_was_asked_for(tmp_path: Path, format: str, also: tuple[str, ...]) -> None:
    rounds = Rounds.of([make_detector(EVALS, make_tokenizer("words"), [])])
    file = FileToRead("a.jsonl", "a.jsonl", as_batches([*pages(5), QUESTIONS[0]]))
    findings = look_through(rounds, [file], None, Resources.of("64M", 1, None))
    judgement = judge_findings(rounds, [("a.jsonl", findings[0])], 0.5, [])
    write_tables(judgement, {"action": "report"}, format, also, tmp_path)
    tables = {f"{name}.{format}" for name in ("contamination", "items", "left_out")}
    assert {path.name for path in tmp_path.iterdir()} == {*tables, "summary.json", *also}
    assert json.loads((tmp_path / "summary.json").read_bytes()) == {"action": "report"}
    if also:
        (line,) = (tmp_path / "decon/report.jsonl").read_text("utf-8").splitlines()
        assert json.loads(line)["training_file"] == "a.jsonl"
