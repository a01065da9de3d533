"""The prefixes of windows, against their definition in fractions."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.evidence.records.records import Records
from ibidem.reuse.prefixes import make_prefix_records, rank_by_weight

from .similar_windows import make_comparable, texts, thresholds, weights


def prefix_of(window: list[int], given_weights: list[float], similarity: float) -> set[int]:
    """The fewest of the heaviest tokens without which the rest weighs less than its share, or nothing."""
    ordered = sorted(set(window), key=lambda token: (-given_weights[token], token))
    rest = total = sum((Fraction(given_weights[token]) for token in ordered), Fraction(0))
    prefix = set()
    for token in ordered:
        if rest <= 0 or rest < Fraction(str(similarity)) * total:
            break
        prefix.add(token)
        rest -= Fraction(given_weights[token])
    return prefix


def tokens_by_start(records: Records) -> dict[int, set[int]]:
    starts_by_token: dict[int, set[int]] = {}
    for key, first, last in zip(records.keys.tolist(), records.starts.tolist(), records.ends.tolist(), strict=True):
        for start in range(first, last):
            assert key not in starts_by_token.setdefault(start, set())
            starts_by_token[start].add(key)
    return starts_by_token


@given(texts, weights, st.integers(1, 5), thresholds, st.data())
def test_the_runs_of_a_token_are_the_windows_with_it_in_their_prefixes(
    documents: list[list[int]], given_weights: list[float], window: int, similarity: float, data: st.DataObject
) -> None:
    comparable = make_comparable(documents, given_weights, window)
    first, last = sorted(data.draw(st.tuples(*[st.integers(0, len(comparable.tokens))] * 2)))
    records = make_prefix_records(
        comparable.tokens, comparable.bounds, comparable.idf, window, similarity, (first, last)
    )
    expected, begin = {}, 0
    for document in documents:
        size = min(window, len(document))
        for start in range(len(document) - size + 1 if size else 0):
            prefix = prefix_of(document[start : start + size], given_weights, similarity)
            if prefix and first <= begin + start < last:
                expected[begin + start] = prefix
        begin += len(document)
    assert tokens_by_start(records) == expected


@given(texts, st.integers(1, 5), thresholds)
def test_a_run_is_as_long_as_its_token_stays_in_the_prefix(
    documents: list[list[int]], window: int, similarity: float
) -> None:
    comparable = make_comparable(documents, [1.0] * 10, window)
    records = make_prefix_records(
        comparable.tokens, comparable.bounds, comparable.idf, window, similarity, (0, len(comparable.tokens))
    )
    spans = set(zip(records.keys.tolist(), records.starts.tolist(), strict=True))
    behind = zip(records.keys.tolist(), records.ends.tolist(), strict=True)
    inside = [(key, end) for key, end in behind if end not in comparable.bounds]
    assert not spans.intersection(inside)


@given(weights)
def test_tokens_are_ordered_from_the_heaviest_those_of_one_weight_by_their_numbers(given_weights: list[float]) -> None:
    places = rank_by_weight(np.array(given_weights))
    ordered = sorted(range(10), key=lambda token: (-given_weights[token], token))
    assert [int(places[token]) for token in ordered] == list(range(10))
