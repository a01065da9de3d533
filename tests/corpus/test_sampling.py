"""A sample holds texts from everywhere in an input, whatever the order of its documents."""

import json
from pathlib import Path

import pytest

from ibidem.corpus import sampling
from ibidem.corpus.rows import Columns
from ibidem.corpus.sampling import sample_texts

COLUMNS = Columns.of("text", "id")


def write(path: Path, texts: list[str]) -> str:
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    return str(path)


def test_a_small_input_is_its_sample(tmp_path: Path) -> None:
    texts = [f"text {number}" for number in range(20)]
    assert sample_texts([write(tmp_path / "a.jsonl", texts)], COLUMNS) == (texts, 20)


def test_a_sample_is_from_all_parts_and_of_the_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "_LEAST_PART", 2000)
    texts = [f"{number:06d}" * 5 for number in range(1000)]
    sample = sample_texts([write(tmp_path / "a.jsonl", texts)], COLUMNS, 6000).texts
    assert 1000 < sum(map(len, sample)) <= 6500
    numbers = [int(text[:6]) for text in sample]
    assert numbers == sorted(numbers)
    assert all(any(low <= number < low + 200 for number in numbers) for low in range(0, 1000, 200))
    assert {number % 2 for number in numbers} == {0, 1}


def test_a_long_text_is_sampled_in_pieces(tmp_path: Path) -> None:
    text = "".join(f"{number:09d} " for number in range(100_000))
    (tmp_path / "long.txt").write_text(text)
    sample, documents = sample_texts([str(tmp_path / "long.txt")], COLUMNS, 200_000)
    assert documents == 1
    assert 50_000 <= sum(map(len, sample)) <= 200_000
    assert int(sample[-1].split()[1]) > 75_000
