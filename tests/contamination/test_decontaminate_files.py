import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ibidem.contamination.find import decontaminate_files
from ibidem.corpus.failures import Failures
from ibidem.errors import CorpusError
from tests.contamination.samples import ANSWERS, QUESTIONS, pages


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """Three files of training data, in three formats, each with one item; and the evals."""
    rows = [{"id": f"d{number}", "text": text, "n": number} for number, text in enumerate(pages(60))]
    for number, place in enumerate((5, 25, 45)):
        rows[place]["text"] = f"Before it. {QUESTIONS[number]} {ANSWERS[number][0]}. After it."
    (tmp_path / "train").mkdir()
    lines = "".join(json.dumps(row) + "\n" for row in rows[:20])
    (tmp_path / "train/a.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    pq.write_table(pa.Table.from_pylist(rows[20:40]), tmp_path / "train/b.parquet")
    table = ["id,text,n", *(f'{row["id"]},"{row["text"]}",{row["n"]}' for row in rows[40:])]
    (tmp_path / "train/c.csv").write_text("\n".join(table) + "\n", encoding="utf-8")
    evals = [{"question": text, "choices": list(ANSWERS[at]), "answer": 0} for at, text in enumerate(QUESTIONS)]
    (tmp_path / "quiz.jsonl").write_text("".join(json.dumps(row) + "\n" for row in evals), encoding="utf-8")
    return tmp_path


def run(world: Path, name: str = "out", **settings: Any) -> dict[str, Any]:
    return decontaminate_files(
        [world / "train"], [world / "quiz.jsonl"], world / name, memory="64M", threads=2, **settings
    ).summary


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_report_names_file_and_row_and_writes_no_documents(world: Path) -> None:
    summary = run(world)
    found = read_lines(world / "out/contamination.jsonl")
    places = [
        (row["training_file"], row["training_line"], row["document"], row["eval_instance_index"]) for row in found
    ]
    assert places == [("a.jsonl.gz", 5, "d5", "0"), ("b.parquet", 5, "d25", "1"), ("c.csv", 5, "d45", "2")]
    assert {row["status"] for row in read_lines(world / "out/items.jsonl")} == {"input_and_label"}
    assert summary["by_source"] == {"a.jsonl.gz": 1, "b.parquet": 1, "c.csv": 1}
    assert json.loads((world / "out/summary.json").read_text("utf-8")) == summary
    assert sorted(path.name for path in (world / "out").iterdir()) == [
        "contamination.jsonl",
        "items.jsonl",
        "left_out.jsonl",
        "rows_left_out.jsonl",
        "state",
        "summary.json",
    ]


def test_removed_documents_are_gone_from_files_of_every_format(world: Path) -> None:
    run(world, action="remove")
    lines = gzip.decompress((world / "out/kept/a.jsonl.gz").read_bytes()).decode().splitlines()
    before = gzip.decompress((world / "train/a.jsonl.gz").read_bytes()).decode().splitlines()
    assert lines == before[:5] + before[6:]
    assert pq.read_table(world / "out/kept/b.parquet")["id"].to_pylist() == [f"d{n}" for n in range(20, 40) if n != 25]
    assert (world / "out/kept/c.csv").read_text("utf-8").count("\n") == 20


def test_cut_documents_lose_the_sentences_with_a_leak(world: Path) -> None:
    run(world, action="cut", format="csv")
    texts = pq.read_table(world / "out/kept/b.parquet")["text"].to_pylist()
    assert texts[5].startswith("Before it. ")
    assert QUESTIONS[1] not in texts[5]
    assert (
        texts[:5] + texts[6:]
        == pq.read_table(world / "train/b.parquet")["text"].to_pylist()[:5]
        + pq.read_table(world / "train/b.parquet")["text"].to_pylist()[6:]
    )
    assert (world / "out/items.csv").exists()


def test_the_same_bytes_come_from_any_number_of_threads(world: Path) -> None:
    for threads in (1, 3):
        decontaminate_files(
            [world / "train"],
            [world / "quiz.jsonl"],
            world / str(threads),
            memory="64M",
            threads=threads,
            action="mask",
            format="parquet",
        )
    one, other = (
        {path.relative_to(world / name): path.read_bytes() for path in (world / name).rglob("*") if path.is_file()}
        for name in ("1", "3")
    )
    assert one == other


def test_rows_that_cannot_be_read_are_left_out_and_do_not_move_the_others(world: Path) -> None:
    rows = [json.dumps({"text": text}) for text in pages(4)]
    rows[1] = "{no json"
    rows[3] = json.dumps({"text": QUESTIONS[0]})
    (world / "train/d.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    failures = Failures()
    summary = run(world, action="annotate", failures=failures)
    assert summary["rows_left_out"] == 1
    found = read_lines(world / "out/contamination.jsonl")
    assert [row["training_line"] for row in found if row["training_file"] == "d.jsonl"] == [3]
    kept = read_lines(world / "out/kept/d.jsonl")
    assert [len(row["contamination"]) for row in kept] == [0, 0, 1]
    with pytest.raises(CorpusError, match=r"d.jsonl, line 2: invalid JSON"):
        run(world, "other")
    assert not (world / "other").exists()
    assert not (world / "other.partial").exists()


def test_what_cannot_be_written_is_refused_before_anything_is_read(world: Path) -> None:
    with pytest.raises(ValueError, match="action is one of"):
        run(world, action="burn")
    with pytest.raises(ValueError, match="format is one of"):
        run(world, format="xml")
    (world / "there").mkdir()
    with pytest.raises(CorpusError, match="there: it exists already"):
        run(world, "there")
    with pytest.raises(CorpusError, match="the output would be inside of the input"):
        run(world, "train/out", action="remove")
    with pytest.raises(CorpusError, match=r"none.jsonl: cannot be read"):
        decontaminate_files([world / "train"], [world / "none.jsonl"], world / "out")
