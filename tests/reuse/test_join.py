"""The join, in bands and exact, against every pair of windows."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.evidence.records.records import Records
from ibidem.hashing import function_seeds
from ibidem.reuse.bands import rank_tokens
from ibidem.reuse.boxes import KnownBoxes, merge_seeds
from ibidem.reuse.collection import Comparable
from ibidem.reuse.join import join_records
from ibidem.reuse.records.hashing import make_window_records

from .similar_windows import VOCABULARY, covers, make_comparable, similar_windows, texts, thresholds, weights


def all_windows(comparable: Comparable) -> Records:
    """The records of a band of no function: a run of all windows of each document."""
    ranks = np.empty((0, len(VOCABULARY)), np.int32)
    last = len(comparable.tokens)
    return make_window_records(comparable.tokens, comparable.bounds, ranks, comparable.window, 0, last)


@given(texts, weights, st.integers(1, 5), thresholds, st.booleans())
def test_the_exact_join_finds_every_pair_of_similar_windows_and_no_box_without_one(
    documents: list[list[int]], given_weights: list[float], window: int, least: float, within: bool
) -> None:
    comparable = make_comparable(documents, given_weights, window, within=within)
    boxes = join_records(all_windows(comparable), comparable, least, most=10**6).boxes.tolist()
    expected = similar_windows(comparable, least)
    assert all(any(covers(box, windows) for box in boxes) for windows in expected)
    assert all(any(covers(box, windows) for windows in expected) for box in boxes)


@given(texts, weights, st.integers(1, 5), thresholds, st.integers(1, 2))
def test_the_seeds_of_a_band_are_the_similar_windows_that_agree_in_it(
    documents: list[list[int]], given_weights: list[float], window: int, least: float, functions: int
) -> None:
    comparable = make_comparable(documents, given_weights, window)
    ranks = rank_tokens(VOCABULARY, comparable.idf, function_seeds(3, functions))
    records = make_window_records(comparable.tokens, comparable.bounds, ranks, window, 0, len(comparable.tokens))
    spans = zip(records.keys.tolist(), records.starts.tolist(), records.ends.tolist(), strict=True)
    key_of = {start: key for key, first, last in spans for start in range(first, last)}
    boxes = join_records(records, comparable, least, most=10**6).boxes.tolist()
    all_pairs = similar_windows(comparable, least)
    agreeing = [windows for windows in all_pairs if key_of[windows[0]] == key_of[windows[2]]]
    assert all(any(covers(box, windows) for box in boxes) for windows in agreeing)
    assert all(any(covers(box, windows) for windows in agreeing) for box in boxes)


def evidence_of_places(comparable: Comparable, spans: tuple[int, int, int, int]) -> int:
    """The evidence of the 64 tokens in the middle of two spans, by either of them."""
    places = []
    for first, last in (spans[:2], spans[2:]):
        document = int(np.searchsorted(comparable.bounds, first, side="right")) - 1
        middle, (begin, end) = (first + last) // 2, comparable.bounds[document : document + 2]
        places.append(set(comparable.tokens[max(middle - 32, begin) : min(middle + 32, end)].tolist()))
    shared = sum(comparable.presence[token] for token in places[0] & places[1])
    return int(shared + max(sum(comparable.absence[token] for token in place) for place in places))


@given(texts, st.lists(st.integers(0, 9), min_size=10, max_size=10), st.integers(0, 30), thresholds, st.integers(2, 4))
def test_windows_that_are_not_surely_similar_are_seeds_only_in_places_that_share_more_than_chance_gives(
    documents: list[list[int]], presence: list[int], least_evidence: int, sure: float, window: int
) -> None:
    least, plain = 0.2, make_comparable(documents, [1.0] * 10, window)
    evidence = {"presence": np.array(presence, np.int32), "absence": np.full(10, -1, np.int32)}
    made = plain._replace(least_evidence=np.full(len(documents), least_evidence), **evidence)
    records = all_windows(made)
    weak, strong, found = (
        {tuple(box) for box in join_records(records, *arguments, sure=sure).boxes.tolist()}
        for arguments in ((plain, least, 10**6), (plain, sure, 10**6), (made, least, 10**6))
    )
    assert found == strong | {box for box in weak if evidence_of_places(made, box) >= least_evidence}


def test_documents_of_one_side_are_not_compared() -> None:
    comparable = make_comparable([[1, 2, 3]] * 3, [1.0] * 10, 3, side=np.array([0, 0, 1], np.int32))
    records = all_windows(comparable)
    boxes = join_records(records, comparable, 0.5, 100).boxes
    assert np.unique(boxes, axis=0).tolist() == [[0, 3, 6, 9], [3, 6, 6, 9]]


def test_of_a_crowd_each_is_compared_with_the_first_and_with_the_one_before_it() -> None:
    comparable = make_comparable([[1, 2, 3]] * 6, [1.0] * 10, 3)
    records = all_windows(comparable)
    seeds = join_records(records, comparable, 0.5, most=5)
    assert seeds.crowded_groups == 1
    assert {(a // 3, b // 3) for a, _, b, _ in seeds.boxes.tolist()} == {
        *((0, later) for later in range(1, 6)),
        *((later - 1, later) for later in range(2, 6)),
    }


@given(texts, weights, st.integers(1, 5), thresholds, st.integers(1, 2), st.booleans())
def test_what_lies_in_a_known_box_is_left_out_and_changes_nothing(
    documents: list[list[int]], given_weights: list[float], window: int, least: float, functions: int, within: bool
) -> None:
    comparable = make_comparable(documents, given_weights, window, within=within)
    seeds = function_seeds(4, 2 * functions)
    bands = []
    for band in (seeds[:functions], seeds[functions:]):
        ranks = rank_tokens(VOCABULARY, comparable.idf, band)
        bands.append(
            make_window_records(comparable.tokens, comparable.bounds, ranks, window, 0, len(comparable.tokens))
        )
    first, second = (join_records(band, comparable, least, most=100) for band in bands)
    together = merge_seeds(np.concatenate([first.boxes, second.boxes]), comparable.bounds, window)
    boxes = merge_seeds(first.boxes, comparable.bounds, window)
    known = KnownBoxes.of(boxes, comparable.bounds)
    rest = join_records(bands[1], comparable, least, 100, known)
    assert rest.candidates == second.candidates
    assert not any(
        np.all((box[::2] <= rest.boxes[:, ::2]) & (rest.boxes[:, 1::2] <= box[1::2]), axis=1).any()
        for box in boxes.boxes
    )
    again = merge_seeds(np.concatenate([boxes.boxes, rest.boxes]), comparable.bounds, window)
    assert again.boxes.tolist() == together.boxes.tolist()
    assert again.pairs.tolist() == together.pairs.tolist()


@given(texts, weights, st.integers(1, 5))
def test_no_window_is_lighter_than_what_is_known_of_its_block(
    documents: list[list[int]], given_weights: list[float], window: int
) -> None:
    comparable = make_comparable([document * 4 for document in documents], given_weights, window)
    lightest: dict[int, float] = {}
    for begin, end in pairwise(comparable.bounds.tolist()):
        size = min(window, end - begin)
        for start in range(begin, end - size + 1) if size else ():
            weight = comparable.idf[np.unique(comparable.tokens[start : start + size])].sum()
            lightest[start // 16] = min(lightest.get(start // 16, np.inf), weight)
    for block, weight in enumerate(comparable.lightest.tolist()):
        assert weight == pytest.approx(lightest.get(block, np.inf))
