"""Runs of windows around rare tokens, against a look at every window."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.reuse.collection import Rarity
from ibidem.reuse.join import join_records
from ibidem.reuse.records.rare import FOLLOWED, find_rare, make_rare_records
from tests.reuse.similar_windows import covers, make_comparable, similar_windows, texts, thresholds, weights

windows = st.integers(1, 5)


def test_a_token_is_rare_if_it_occurs_so_seldom() -> None:
    counts = np.array([1, 2, FOLLOWED, FOLLOWED + 1, 70_000, 3_000_000])
    tokens = np.arange(len(counts), dtype=np.uint32)
    rarity = Rarity.of(tokens, counts)
    is_rare = find_rare(rarity.weights(tokens) * rarity.mean, rarity.frequencies.num_documents)
    assert is_rare.tolist() == [True, True, True, False, False, False]


@given(texts, windows, st.integers(0, 40))
def test_the_windows_of_a_run_are_those_that_hold_its_token(
    documents: list[list[int]], window: int, first: int
) -> None:
    comparable = make_comparable(documents, [1.0] * 10, window)
    first = min(first, len(comparable.tokens))
    expected = []
    for place in range(first, len(comparable.tokens)):
        token = int(comparable.tokens[place])
        if token % 2:
            continue
        begin, end = next(
            (x, y) for x, y in zip(comparable.bounds, comparable.bounds[1:], strict=False) if x <= place < y
        )
        size = min(window, end - begin)
        holding = [start for start in range(begin, end - size + 1) if start <= place < start + size]
        expected.append((token, holding[0], holding[-1] + 1))
    is_even = np.arange(10) % 2 == 0
    records = make_rare_records(comparable.tokens, comparable.bounds, is_even, window, (first, len(comparable.tokens)))
    assert list(zip(*(column.tolist() for column in records), strict=True)) == expected


@given(texts, weights, windows, thresholds)
def test_similar_windows_that_share_a_rare_token_are_in_one_seed(
    documents: list[list[int]], given_weights: list[float], window: int, least: float
) -> None:
    comparable = make_comparable(documents, given_weights, window)
    is_rare = np.arange(10) < 5
    records = make_rare_records(comparable.tokens, comparable.bounds, is_rare, window, (0, len(comparable.tokens)))
    boxes = join_records(records, comparable, least, 1 << 30).boxes.tolist()
    for a, a_end, b, b_end in similar_windows(comparable, least):
        if {*range(5)} & set(comparable.tokens[a:a_end].tolist()) & set(comparable.tokens[b:b_end].tolist()):
            assert any(covers(box, (a, a_end, b, b_end)) for box in boxes)
