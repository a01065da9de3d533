"""The join, in bands and exact, against every pair of windows."""

import tempfile
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.hashing import function_seeds
from ibidem.resources import Resources
from ibidem.reuse.bands import token_ranks, window_records
from ibidem.reuse.boxes import merge_seeds
from ibidem.reuse.collection import Collection, read_collection
from ibidem.reuse.join import Comparable, join_records
from ibidem.reuse.prefixes import prefix_records
from ibidem.reuse.windows import WindowJoin, find_boxes
from ibidem.text import make_tokenizer

VOCABULARY = np.arange(10, dtype=np.uint32)

texts = st.lists(st.lists(st.integers(0, 9), max_size=16), min_size=2, max_size=4)
weights = st.lists(st.sampled_from([0.0, 0.25, 1.0, 3.0]), min_size=10, max_size=10)
thresholds = st.sampled_from([0.2, 0.5, 0.8, 1.0])


def comparable(documents: list[list[int]], given_weights: list[float], window: int, **options: object) -> Comparable:
    tokens = np.array([token for document in documents for token in document], np.int32)
    bounds = np.cumsum([0, *map(len, documents)])
    everyone = np.full(len(documents), -1, np.int32)
    made = Comparable(tokens, bounds, np.array(given_weights), window, everyone, False)
    return made._replace(**options)  # type: ignore[arg-type]


def similar_windows(made: Comparable, least: float) -> set[tuple[int, int, int, int]]:
    """Every pair of similar windows that are compared, as boxes of tokens, by looking at all of them."""
    windows = []
    for document, (begin, end) in enumerate(zip(made.bounds, made.bounds[1:], strict=False)):
        size = min(made.window, end - begin)
        windows += [(document, start, start + size) for start in range(begin, end - size + 1) if size]
    found = set()
    for (d, a, a_end), (e, b, b_end) in combinations(windows, 2):
        if d == e and not (made.within and a_end <= b):
            continue
        if d != e and made.side[d] >= 0 and made.side[d] == made.side[e]:
            continue
        one, other = set(made.tokens[a:a_end].tolist()), set(made.tokens[b:b_end].tolist())
        shared, either = made.idf[list(one & other)].sum(), made.idf[list(one | other)].sum()
        if either > 0 and shared >= least * either - 1e-9:
            found.add((int(a), int(a_end), int(b), int(b_end)))
    return found


def covers(box: list[int], windows: tuple[int, int, int, int]) -> bool:
    return box[0] <= windows[0] and windows[1] <= box[1] and box[2] <= windows[2] and windows[3] <= box[3]


@given(texts, weights, st.integers(1, 5), thresholds, st.booleans())
def test_the_exact_join_finds_every_pair_of_similar_windows_and_no_box_without_one(
    documents: list[list[int]], given_weights: list[float], window: int, least: float, within: bool
) -> None:
    made = comparable(documents, given_weights, window, within=within)
    spans = [(0, len(made.tokens) // 2), (len(made.tokens) // 2, len(made.tokens))]
    parts = [prefix_records(made.tokens, made.bounds, made.idf, window, least, span) for span in spans]
    records = type(parts[0])(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
    boxes = join_records(records, made, least, most=10**6).boxes.tolist()
    expected = similar_windows(made, least)
    assert all(any(covers(box, windows) for box in boxes) for windows in expected)
    assert all(any(covers(box, windows) for windows in expected) for box in boxes)


@given(texts, weights, st.integers(1, 5), thresholds, st.integers(1, 2))
def test_the_seeds_of_a_band_are_the_similar_windows_that_agree_in_it(
    documents: list[list[int]], given_weights: list[float], window: int, least: float, functions: int
) -> None:
    made = comparable(documents, given_weights, window)
    ranks = token_ranks(VOCABULARY, made.idf, function_seeds(3, functions))
    records = window_records(made.tokens, made.bounds, ranks, window, 0, len(made.tokens))
    spans = zip(records.keys.tolist(), records.starts.tolist(), records.ends.tolist(), strict=True)
    key_of = {start: key for key, first, last in spans for start in range(first, last)}
    boxes = join_records(records, made, least, most=10**6).boxes.tolist()
    every = similar_windows(made, least)
    agreeing = [windows for windows in every if key_of[windows[0]] == key_of[windows[2]]]
    assert all(any(covers(box, windows) for box in boxes) for windows in agreeing)
    assert all(any(covers(box, windows) for windows in agreeing) for box in boxes)


def test_documents_of_one_side_are_not_compared() -> None:
    made = comparable([[1, 2, 3]] * 3, [1.0] * 10, 3, side=np.array([0, 0, 1], np.int32))
    records = prefix_records(made.tokens, made.bounds, made.idf, 3, 0.5, (0, 9))
    boxes = join_records(records, made, 0.5, 100).boxes
    assert np.unique(boxes, axis=0).tolist() == [[0, 3, 6, 9], [3, 6, 6, 9]]


def test_of_a_crowd_each_is_compared_with_the_first_and_with_the_one_before_it() -> None:
    made = comparable([[1, 2, 3]] * 6, [1.0] * 10, 3)
    records = prefix_records(made.tokens, made.bounds, made.idf, 3, 1.0, (0, 18))
    found = join_records(records, made, 0.5, most=5)
    assert found.crowded == 1
    assert {(a // 3, b // 3) for a, _, b, _ in found.boxes.tolist()} == {
        *((0, other) for other in range(1, 6)),
        *((other - 1, other) for other in range(2, 6)),
    }


@given(st.lists(st.tuples(*[st.integers(0, 30)] * 2), max_size=12), st.integers(0, 5), st.randoms())
def test_merged_boxes_are_apart_and_do_not_depend_on_the_order_of_the_seeds(
    places: list[tuple[int, int]], gap: int, drawn: object
) -> None:
    seeds = np.array([(a, a + 4, 40 + b, 44 + b) for a, b in places], np.int64).reshape(-1, 4)
    documents = np.array([0, 15, 40, 80])
    seeds = seeds[(seeds[:, 0] >= 15) | (seeds[:, 1] <= 15)]
    merged = merge_seeds(seeds, documents, gap)
    again = merge_seeds(seeds[np.random.default_rng(len(seeds)).permutation(len(seeds))], documents, gap)
    in_parts = np.concatenate([merge_seeds(part, documents, gap).boxes for part in np.array_split(seeds, 2)])
    assert np.array_equal(merged.boxes, again.boxes)
    assert np.array_equal(merged.boxes, merge_seeds(in_parts, documents, gap).boxes)
    assert all(any(covers(box, seed) for box in merged.boxes.tolist()) for seed in seeds.tolist())
    for pair in range(len(merged.pairs)):
        of_pair = merged.boxes[merged.bounds[pair] : merged.bounds[pair + 1]].tolist()
        for one, other in combinations(of_pair, 2):
            near = [one[x] <= other[x + 1] + gap and other[x] <= one[x + 1] + gap for x in (0, 2)]
            assert not all(near)


def collection_of(folder: str, documents: list[tuple[str, str]], workers: int = 2) -> Collection:
    return read_collection([documents], make_tokenizer("words"), Path(folder), Resources.of("64M", workers, None))


def planted(seed: int, texts: int = 12) -> list[tuple[str, str]]:
    """Texts of words of a natural frequency, of which every second holds a passage of the one before."""
    drawn = np.random.default_rng(seed)
    made: list[list[str]] = []
    for number in range(texts):
        words = [f"w{int(2000 ** drawn.random())}" for _ in range(300)]
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
            found = find_boxes(collection, given_pairs, WindowJoin(recall=recall), Path(folder), resources)
            results.append(found)
            assert not list(Path(folder).glob("records-*"))
    assert {tuple(pair) for pair in results[0].boxes.pairs.tolist()} >= {(x, x + 1) for x in range(0, 12, 2)}
    for other in results[1:]:
        assert np.array_equal(other.boxes.boxes, results[0].boxes.boxes)
        assert other.candidates == results[0].candidates


@pytest.mark.parametrize("recall", [0.5, 0.9])
def test_windows_as_similar_as_promised_are_found_at_least_as_often_as_promised(recall: float) -> None:
    missed = total = 0
    for seed in range(24):
        drawn = np.random.default_rng(seed)
        words = [f"w{int(300 ** drawn.random())}" for _ in range(60)]
        changed = [word if drawn.random() > 0.15 else f"x{drawn.integers(10**6)}" for word in words]
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
