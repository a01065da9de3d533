import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.contamination import sampling
from ibidem.contamination.sampling import first_texts, sample_files
from ibidem.corpus.listing import list_sources
from ibidem.corpus.rows import Columns
from ibidem.text import Texts, make_tokenizer

COLUMNS = Columns.of("text", "id")
WORDS = make_tokenizer("words")


def sample(sources: list) -> list[int]:
    return np.concatenate([tokens.ids for tokens in sample_files(sources, COLUMNS, WORDS, skips=False)]).tolist()


def write(path: Path, count: int) -> Path:
    path.write_text("".join(json.dumps({"text": f"{path.stem}word{n} " * 100}) + "\n" for n in range(count)), "utf-8")
    return path


def test_a_small_collection_is_read_whole(tmp_path: Path) -> None:
    sources = list_sources([write(tmp_path / "a.jsonl", 10), write(tmp_path / "b.jsonl", 5)])
    assert len(sample(sources)) == 1500


def test_of_a_large_one_the_beginnings_of_files_from_first_to_last_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampling, "_FILES", 3)
    monkeypatch.setattr(sampling, "SAMPLE_BYTES", 300)
    monkeypatch.setattr(sampling, "_BATCH", 100)
    sources = list_sources([write(tmp_path / f"{n}.jsonl", 20) for n in range(9)])
    assert len(sample(sources)) == 300


@given(st.lists(st.text(max_size=6)), st.lists(st.integers(0, 9)), st.integers(1, 40))
def test_the_first_texts_are_the_same_in_any_batches(texts: list[str], cuts: list[int], size: int) -> None:
    places = [0, *sorted(min(cut, len(texts)) for cut in cuts), len(texts)]
    batches = [Texts.from_strings(texts[a:b]) for a, b in pairwise(places)]
    taken = [text for batch in first_texts(batches, size) for text in batch]
    expected = [text for at, text in enumerate(texts) if len("".join(texts[:at]).encode()) < size]
    assert taken == expected
