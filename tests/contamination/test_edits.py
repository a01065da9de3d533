import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from ibidem.contamination.edits import widen_to_sentences, write_changed
from ibidem.corpus.sources import Source

TEXT = 'A first one. Then: "is it so?" he asked.\nSecond line, no end\nThe 3.5 others follow. 天下大勢。分久必合。'


@pytest.mark.parametrize(
    ("piece", "sentence"),
    [
        ("first", "A first one. "),
        ("is it", 'Then: "is it so?" '),
        ("Second", "Second line, no end\n"),
        ("others", "The 3.5 others follow. "),
        ("大勢", "天下大勢。"),
        ("合", "分久必合。"),
        ("one. Then", 'A first one. Then: "is it so?" '),
    ],
)
def test_a_place_becomes_the_sentences_or_lines_that_it_is_in(piece: str, sentence: str) -> None:
    start = TEXT.index(piece)
    assert TEXT[slice(*widen_to_sentences(TEXT, start, start + len(piece)))] == sentence


def note(text: str, piece: str) -> dict[str, Any]:
    start = text.index(piece)
    names = {"eval_key": "e", "config": "", "split": "test", "eval_instance_index": "7", "part": "question"}
    return {"start": start, "end": start + len(piece), **names, "containment": 1.0, "evidence": 50.0}


ROWS = ['{"a":1,  "text": "Keep this. Which river is it? And this."}\n', '{"text":"untouched","b":2}\n']


def change(tmp_path: Path, action: str) -> list[str]:
    source, target = tmp_path / "in.jsonl.gz", tmp_path / "out" / "in.jsonl.gz"
    source.write_bytes(gzip.compress("".join(ROWS).encode()))
    notes = {
        0: [
            note("Keep this. Which river is it? And this.", "Which river"),
            note("Keep this. Which river is it? And this.", "river is it"),
        ]
    }
    write_changed(Source(str(source), "in.jsonl.gz"), "text", 2, notes, action, target)
    return gzip.decompress(target.read_bytes()).decode().splitlines(keepends=True)


def test_removing_leaves_the_other_rows_as_they_are(tmp_path: Path) -> None:
    assert change(tmp_path, "remove") == [ROWS[1]]


def test_masking_and_cutting_change_nothing_but_the_text(tmp_path: Path) -> None:
    (tmp_path / "mask").mkdir()
    (tmp_path / "cut").mkdir()
    assert change(tmp_path / "mask", "mask") == [ROWS[0].replace("Which river is it", "***** ***** ** **"), ROWS[1]]
    assert change(tmp_path / "cut", "cut") == [ROWS[0].replace("Which river is it? ", ""), ROWS[1]]


def test_annotating_adds_a_column_that_lists_the_leaks(tmp_path: Path) -> None:
    first, second = (json.loads(line) for line in change(tmp_path, "annotate"))
    assert [each["start"] for each in first.pop("contamination")] == [11, 17]
    assert (first, second) == (json.loads(ROWS[0]), {"text": "untouched", "b": 2, "contamination": []})
