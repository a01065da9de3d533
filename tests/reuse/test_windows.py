"""The bands of a collection find what is similar as often as they promise, whatever the room."""

import tempfile
from pathlib import Path

import numpy as np
import pytest

from ibidem.resources import Resources
from ibidem.reuse.collection import Collection, Comparable
from ibidem.reuse.windows import WindowJoin, find_boxes
from ibidem.text import make_tokenizer
from tests.reuse.small_collections import read_collection

from .similar_windows import covers, similar_windows


def collection_of(folder: str, documents: list[tuple[str, str]], workers: int = 2) -> Collection:
    return read_collection([documents], make_tokenizer("words"), Path(folder), Resources.of("64M", workers, None))


def planted(seed: int, texts: int = 12) -> list[tuple[str, str]]:
    """Texts of words of a natural frequency, of which every second holds a passage of the one before."""
    generator = np.random.default_rng(seed)
    made: list[list[str]] = []
    for number in range(texts):
        words = [f"w{int(2000 ** generator.random())}" for _ in range(300)]
        if number % 2:
            words[100:150] = made[-1][200:250]
        made.append(words)
    return [(f"text {number:02}", " ".join(words)) for number, words in enumerate(made)]


@pytest.mark.parametrize("recall", [0.9, 0.99, 1.0])
def test_planted_passages_are_found_whatever_the_threads_the_order_and_the_room(recall: float) -> None:
    documents = planted(1)
    results = []
    for given_documents, workers, size in (
        (documents, 1, 1 << 40),
        (documents[::-1], 3, 1 << 40),
        (documents, 2, 1 << 16),
    ):
        with tempfile.TemporaryDirectory() as folder:
            collection = collection_of(folder, given_documents)
            given_pairs = Comparable.of(collection, 32)
            resources = Resources(size, workers, lambda *told: None)
            found_boxes = find_boxes(collection, given_pairs, WindowJoin(recall=recall), Path(folder), resources)
            results.append(found_boxes)
            assert not list(Path(folder).glob("records-*"))
    assert {tuple(pair) for pair in results[0].boxes.pairs.tolist()} >= {(x, x + 1) for x in range(0, 12, 2)}
    for other in results[1:]:
        assert np.array_equal(other.boxes.boxes, results[0].boxes.boxes)
        assert other.candidates == results[0].candidates


@pytest.mark.parametrize("recall", [0.5, 0.9])
def test_windows_as_similar_as_promised_are_found_at_least_as_often_as_promised(recall: float) -> None:
    missed = total = 0
    for seed in range(24):
        generator = np.random.default_rng(seed)
        words = [f"w{int(300 ** generator.random())}" for _ in range(60)]
        changed = [word if generator.random() > 0.15 else f"x{generator.integers(10**6)}" for word in words]
        with tempfile.TemporaryDirectory() as folder:
            collection = collection_of(folder, [("a", " ".join(words)), ("b", " ".join(changed))])
            made = Comparable.of(collection, 8)
            asked = WindowJoin(window=8, threshold=0.6, promised=0.6, recall=recall, seed=seed)
            found = find_boxes(collection, made, asked, Path(folder), Resources.of("64M", 1, None)).boxes.boxes.tolist()
        similar = [windows for windows in similar_windows(made, 0.6) if windows[1] <= 60 <= windows[2]]
        total += len(similar)
        missed += sum(not any(covers(box, windows) for box in found) for windows in similar)
    assert total > 300
    assert missed / total <= 1 - recall  # most are more similar than the promise asks for
