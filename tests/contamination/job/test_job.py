import json
from pathlib import Path

import ibidem
from ibidem.contamination.job.files import decontaminate_files
from ibidem.contamination.job.job import Settings, describe_reading
from ibidem.corpus.rows import Columns
from ibidem.resources import Resources
from ibidem.text import make_tokenizer
from tests.contamination.samples import QUESTIONS, pages

COLUMNS = Columns.of("text", "id")


def test_a_call_and_a_command_find_the_same_and_report_how_far_they_are(tmp_path: Path) -> None:
    train = [{"id": str(number), "text": text} for number, text in enumerate([*pages(20), *QUESTIONS[:3]])]
    (tmp_path / "train.jsonl").write_text("".join(json.dumps(row) + "\n" for row in train), encoding="utf-8")
    (tmp_path / "evals.jsonl").write_text(
        "".join(json.dumps({"question": text}) + "\n" for text in QUESTIONS), encoding="utf-8"
    )
    told: list[tuple[str, int, int | None]] = []
    resources = Resources.of("64M", 1, lambda *progress: told.append(progress))
    decontaminate_files([tmp_path / "train.jsonl"], [tmp_path / "evals.jsonl"], tmp_path / "out", resources)
    rows = [json.loads(line) for line in (tmp_path / "out/contamination.jsonl").read_bytes().splitlines()]
    assert [row.pop("training_line") for row in rows] == [21, 22, 23]
    expected = ibidem.find_contamination(train, [tmp_path / "evals.jsonl"], progress=lambda *each: told.append(each))
    named = ("document", "start", "end", "eval_instance_index", "containment", "evidence", "text")
    leaks = expected.contamination.select(named).to_pylist()
    assert [{name: row[name] for name in named} for row in rows] == leaks
    assert set(expected.contamination["training_file"].to_pylist()) == {None}
    assert told == [("reading", 23, None)] * 2


def test_how_the_input_is_read_is_not_described_if_the_tokenizer_is_a_function() -> None:
    settings = Settings(0.5, "report", "jsonl", COLUMNS, source="url")
    described = describe_reading(settings, make_tokenizer("words"))
    assert described is not None
    assert described["source"] == "url"
    assert described["tokenizer"] == dict(make_tokenizer("words").config)
    assert describe_reading(settings, make_tokenizer(str.split)) is None
