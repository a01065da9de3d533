"""The stages that remove repeated passages: any parts, interrupted or not, write what the plain call writes."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ibidem import deduplicate_passages
from ibidem.cli import main
from ibidem.corpus import read
from ibidem.plans import plan_passage_dedup, run_rank

from ...jobs.samples import digest, remove_passages_plainly, write_collection


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    return write_collection(tmp_path / "inputs")


@pytest.mark.parametrize("parts", [1, 4])
@pytest.mark.parametrize(
    "settings",
    [
        {"min_length": 12},
        {"min_length": 12, "action": "mask", "keep": "longest"},
        {"min_length": 12, "ignore": ["word1 word2 word3", ("sheet", "word7 " * 30)]},
        {"min_length": 20, "action": "annotate", "tokenizer": "characters", "recall": 1.0},
    ],
)
def test_a_plan_writes_the_bytes_of_the_plain_call(
    inputs: Path, tmp_path: Path, settings: dict[str, Any], parts: int
) -> None:
    plan_passage_dedup([str(inputs)], tmp_path / "made", tmp_path / "plan", memory="64M", parts=parts, **settings)
    run_rank(tmp_path / "plan")
    assert digest(tmp_path / "made") == remove_passages_plainly(inputs, tmp_path / "plain", **settings)
    assert (tmp_path / "made/passages.jsonl").stat().st_size > 0


def test_the_call_finds_what_the_files_lose(inputs: Path, tmp_path: Path) -> None:
    remove_passages_plainly(inputs, tmp_path / "plain", min_length=12)
    deduplication = deduplicate_passages(read([str(inputs)]), min_length=12)
    assert len((tmp_path / "plain/passages.jsonl").read_text().splitlines()) == len(deduplication.removed)


def test_rows_that_cannot_be_read_are_left_out_of_the_plan_as_of_the_plain_call(inputs: Path, tmp_path: Path) -> None:
    with (inputs / "1.jsonl").open("a") as file:
        file.write("{not json\n")
    options = [str(inputs), "--passages", "--min-length", "12", "--on-error", "skip"]
    plan = str(tmp_path / "plan")
    for expected, words in (
        (3, ["dedup", *options, "-o", str(tmp_path / "plain")]),
        (0, ["plan", "dedup", *options, "-o", str(tmp_path / "made"), "--plan", plan, "--parts", "3"]),
        (3, ["run", plan]),
    ):
        result = CliRunner().invoke(main, words)
        assert result.exit_code == expected, result.output
    assert digest(tmp_path / "made") == digest(tmp_path / "plain")
    assert json.loads((tmp_path / "made/summary.json").read_text())["rows_left_out"] == 1
