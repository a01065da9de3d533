"""Runs that documents share: every one that a search of all places finds."""

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.evidence.background import Background, learn_background, weigh_behind
from ibidem.evidence.runs import Runs, Spill, find_runs, select_disjoint
from ibidem.evidence.seeds import Documents, SeedRule
from ibidem.resources import Resources

VOCABULARY = 6

collections = st.lists(st.lists(st.integers(0, VOCABULARY - 1), max_size=30), min_size=2, max_size=5)


def make(texts: list[list[int]], sides: list[int] | None = None) -> tuple[Documents, Background]:
    tokens = np.array([token for text in texts for token in text], np.int32)
    bounds = np.cumsum([0, *map(len, texts)]).astype(np.int64)
    side = np.full(len(texts), -1, np.int32) if sides is None else np.array(sides, np.int32)
    documents = Documents.of(tokens, bounds, side)
    return documents, learn_background(tokens, bounds, VOCABULARY)


def surprise(background: Background, run: npt.NDArray[np.int32]) -> float:
    behind = np.empty(len(run))
    weigh_behind(background, run, behind)
    return float(behind.sum())


def exact_runs(documents: Documents, background: Background, least: float) -> set[tuple[int, ...]]:
    """By brute force: the longest equal runs of two documents at each two places, if they are surprising."""
    found = set()
    texts = [documents.tokens[first:last] for first, last in pairwise(documents.bounds)]
    for d in range(len(texts)):
        for e in range(d + 1, len(texts)):
            for i in range(len(texts[d])):
                for j in range(len(texts[e])):
                    if i and j and texts[d][i - 1] == texts[e][j - 1]:
                        continue
                    size = 0
                    while max(i, j) + size < 64 and i + size < len(texts[d]) and j + size < len(texts[e]):
                        if texts[d][i + size] != texts[e][j + size]:
                            break
                        size += 1
                    if size > 1 and surprise(background, texts[d][i : i + size]) >= least:
                        found.add((d, e, i, i + size, j, j + size))
    return found


@given(collections, st.floats(2.0, 12.0))
def test_every_run_that_is_surprising_is_found_or_overlaps_one_that_is_more_so(
    texts: list[list[int]], least: float
) -> None:
    documents, background = make(texts)
    runs = find_runs(documents, background, SeedRule(least), 1 << 20)
    rows = np.concatenate([runs.documents, runs.ranges], axis=1).tolist()
    for d, e, *places in exact_runs(documents, background, least):
        of_pair = [row[2:] for row in rows if row[:2] == [d, e]]
        assert any(
            places[0] < row[1] and row[0] < places[1] and places[2] < row[3] and row[2] < places[3] for row in of_pair
        )


@given(collections, st.floats(2.0, 12.0))
def test_what_is_found_is_surprising_and_none_of_a_pair_overlap(texts: list[list[int]], least: float) -> None:
    documents, background = make(texts)
    runs = find_runs(documents, background, SeedRule(least), 1 << 20)
    assert (runs.surprise >= least).all()
    assert (runs.documents[:, 0] < runs.documents[:, 1]).all()
    assert select_disjoint(runs).all()
    for (d, e), (first, last, other_first, other_last) in zip(
        runs.documents.tolist(), runs.ranges.tolist(), strict=True
    ):
        assert texts[d][first] == texts[e][other_first]
        assert texts[d][last - 1] == texts[e][other_last - 1]


def test_a_changed_word_is_passed_over_and_counts_as_a_choice_of_places() -> None:
    texts = [[1, 2, 3, 4, 9, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8], [0] * 40]
    tokens = np.array([token for text in texts for token in text], np.int32)
    bounds = np.cumsum([0, *map(len, texts)]).astype(np.int64)
    documents = Documents.of(tokens, bounds, np.full(3, -1, np.int32))
    background = learn_background(tokens, bounds, 10)
    runs = find_runs(documents, background, SeedRule(8.0), 10)
    assert runs.ranges.tolist() == [[0, 9, 0, 8]]
    both = sum(surprise(background, np.array(run, np.int32)) for run in ([1, 2, 3, 4], [5, 6, 7, 8]))
    assert runs.surprise[0] == pytest.approx(both - math.log(2) - 1)


def test_documents_of_one_side_are_not_compared() -> None:
    documents, background = make([[1, 2, 3, 4, 5], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5]], [0, 0, 1])
    runs = find_runs(documents, background, SeedRule(2.0), 10)
    assert runs.documents.tolist() == [[0, 2], [1, 2]]


@given(collections, st.floats(2.0, 8.0), st.sets(st.integers(0, 4)))
def test_two_documents_of_which_none_asks_are_not_compared_and_all_others_are(
    texts: list[list[int]], least: float, asking: set[int]
) -> None:
    documents, background = make(texts)
    of_all = find_runs(documents, background, SeedRule(least), 1 << 20)
    asks = np.isin(np.arange(len(texts)), list(asking))
    runs = find_runs(documents._replace(asks=asks), background, SeedRule(least), 1 << 20)
    expected = of_all.take(asks[of_all.documents].any(axis=1))
    for column, expected_column in zip(runs, expected, strict=True):
        assert column.tolist() == expected_column.tolist()


@pytest.mark.parametrize("memory", [1 << 30, 1])
def test_what_memory_does_not_hold_lies_in_a_file_meanwhile(
    memory: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = np.random.default_rng(1).integers(0, VOCABULARY, (60, 40)).tolist()
    documents, background = make(rows)
    expected = find_runs(documents, background, SeedRule(7.0), 1 << 20)
    monkeypatch.setattr("ibidem.evidence.records.parts._PART", 64)
    found = [
        find_runs(
            documents,
            background,
            SeedRule(7.0),
            1 << 20,
            Spill(tmp_path / "seeds", Resources(memory, workers, lambda *told: None)),
        )
        for workers in (1, 3)
    ]
    assert [column.tolist() for column in found[0]] == [column.tolist() for column in found[1]]
    assert {tuple(pair) for pair in found[0].documents.tolist()} == {
        tuple(pair) for pair in expected.documents.tolist()
    }
    assert not list(tmp_path.iterdir())


def test_of_a_seed_in_many_places_each_is_compared_with_the_first_and_the_one_before() -> None:
    documents, background = make([[number % 5, *range(1, 6)] for number in range(12)])
    all_pairs = {tuple(pair) for pair in find_runs(documents, background, SeedRule(2.0), 12).documents.tolist()}
    few = {tuple(pair) for pair in find_runs(documents, background, SeedRule(2.0), 5).documents.tolist()}
    assert few < all_pairs
    assert {place for pair in few for place in pair} == set(range(12))


def test_runs_that_are_taken_leave_no_room_for_those_that_overlap_them_in_both_documents() -> None:
    def runs(*rows: tuple[int, ...]) -> Runs:
        table = np.array(rows, np.int64).reshape(-1, 7)
        return Runs(table[:, :2], table[:, 2:6], table[:, 6].astype(np.float64))

    new = runs((0, 1, 0, 5, 0, 5, 9), (0, 1, 9, 12, 0, 5, 9), (0, 2, 0, 5, 0, 5, 9))
    assert select_disjoint(new, runs((0, 1, 4, 9, 4, 9, 1))).tolist() == [False, True, True]
    assert select_disjoint(runs()).tolist() == []


def test_a_seed_has_so_many_tokens() -> None:
    documents, background = make([[1, 2, 3, 4], [1, 2, 3, 4], [0, 1, 2, 0], [5] * 9])
    assert {tuple(pair) for pair in find_runs(documents, background, SeedRule(1.0), 10).documents.tolist()} == {
        (0, 1),
        (0, 2),
        (1, 2),
    }
    assert find_runs(documents, background, SeedRule(1.0, 3), 10).documents.tolist() == [[0, 1]]
