"""Places of frequent text are pairs, and a document more that holds a text changes the report little."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem import find_reuse
from ibidem.reuse.collection import insert_ranges, remove_ranges
from ibidem.reuse.frequent import ShingledTexts, find_frequent
from ibidem.reuse.outputs.result import Reuse
from ibidem.reuse.shared_text import pair_runs

from .quotations import around, rows, words

PASSAGE = words(800, 60)

DOCUMENTS = 50
"""Text in 20 of them is frequent, in 35 common."""


def report(holders: int, documents: int = DOCUMENTS) -> Reuse:
    texts = [around(n, PASSAGE if n < holders else [], 90, 90) for n in range(documents)]
    return find_reuse([(f"{n:03}", text) for n, text in enumerate(texts)])


@pytest.mark.parametrize("holders", [18, 19, 20, 21, 27, 34])
def test_each_two_documents_of_a_text_are_a_pair_until_most_hold_it(holders: int) -> None:
    reuse = report(holders)
    assert [(row["size"], row["boilerplate"]) for row in rows(reuse, "clusters")] == [(holders, None)]
    pairs = rows(reuse, "document_pairs")
    assert {(row["a"], row["b"]) for row in pairs} == set(combinations([f"{n:03}" for n in range(holders)], 2))
    for row in pairs:
        assert 58 <= row["a_identical"] <= 62
        assert row["a_words"] == 240
    for row in rows(reuse, "documents")[:holders]:
        assert 58 <= row["reused_tokens"] <= 62
        assert row["common_tokens"] == 0


@pytest.mark.filterwarnings("ignore:no pair of passages is reported")
@pytest.mark.parametrize("holders", [35, 36, 50])
def test_text_that_most_hold_is_a_group_and_counted_apart(holders: int) -> None:
    reuse = report(holders)
    assert not rows(reuse)
    assert reuse.summary["left_out_by_reason"] == {"frequent": holders - 1}
    assert [(row["size"], row["boilerplate"]) for row in rows(reuse, "clusters")] == [(holders, "frequent")]
    for row in rows(reuse, "documents")[:holders]:
        assert (row["reused_tokens"], row["common_tokens"]) == (0, 60)


def test_evidence_falls_little_by_little_to_nothing() -> None:
    evidence = [max(row["evidence"] for row in rows(report(holders))) for holders in range(17, 35)]
    assert all(0 <= before - after <= 0.17 * evidence[0] for before, after in pairwise(evidence))
    assert evidence[-1] < 0.1 * evidence[0]


@pytest.mark.parametrize("documents", [20, 30])
def test_what_is_most_of_documents_links_them_though_all_hold_it(documents: int) -> None:
    copy = words(801, 150)
    reuse = find_reuse([around(n, copy, 60, 60) for n in range(documents)])
    assert reuse.document_pairs.num_rows == documents * (documents - 1) // 2


def test_copies_with_other_words_are_one_passage_of_each_pair() -> None:
    texts = []
    for n in range(DOCUMENTS):
        copy = list(PASSAGE)
        copy[20 + n % 20] = f"other{n}"
        texts.append(around(n, copy if n < 25 else [], 90, 90))
    reuse = find_reuse(texts, texts=True)
    assert reuse.pairs.num_rows == reuse.document_pairs.num_rows == 25 * 24 // 2
    for row in rows(reuse):
        assert 0.85 < row["similarity"] < 1
        assert row["a_text"].split()[0] == row["b_text"].split()[0] == PASSAGE[0]


@pytest.mark.parametrize("most", [6, 40])
def test_of_a_text_in_more_places_each_is_paired_with_as_many_others(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ibidem.reuse.windows.WindowJoin.most", most)
    reuse = report(30, 90)
    partners = {row["pairs"] for row in rows(reuse, "documents")[:30]}
    assert partners == ({29} if most > 30 else {2 * max(most * (most - 1) // 60, 1)})


def test_places_of_one_document_are_pairs_only_within_and_documents_of_one_series_never() -> None:
    documents = [
        {"id": f"{n:03}", "text": around(n, [*PASSAGE, *words(300 + n, 50), *PASSAGE], 200, 200), "paper": n % 4}
        for n in range(24)
    ]
    rest = [{"id": f"x{n:03}", "text": around(500 + n, []), "paper": 7} for n in range(40)]
    reuse = find_reuse([*documents, *rest], series="paper")
    assert all(int(row["a"]) % 4 != int(row["b"]) % 4 for row in rows(reuse))
    assert len({(row["a"], row["b"]) for row in rows(reuse)}) == 24 * 18 // 2
    assert reuse.summary["left_out_by_reason"].keys() == {"series"}
    within = find_reuse([*documents, *rest], within=True)
    assert len([row for row in rows(within) if row["a"] == row["b"]]) == 24


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 5)), max_size=6))
def test_inserting_undoes_removing(drawn: list[tuple[int, int]]) -> None:
    gone = np.zeros(50, np.bool_)
    for start, length in drawn:
        gone[start : start + length] = True
    edges = np.flatnonzero(np.diff(np.concatenate([[False], gone, [False]]).astype(np.int8)))
    ranges = edges.reshape(-1, 2).astype(np.int64)
    kept = np.flatnonzero(~gone)
    assert remove_ranges(ranges, kept).tolist() == list(range(len(kept)))
    assert insert_ranges(ranges, np.arange(len(kept))).tolist() == kept.tolist()
    assert remove_ranges(ranges, np.arange(51)).tolist() == [int((~gone[:p]).sum()) for p in range(51)]


texts_of_few_tokens = st.lists(st.lists(st.integers(0, 3), max_size=9), min_size=1, max_size=6)


@given(texts_of_few_tokens, st.booleans())
def test_equal_shingles_of_frequent_text_lie_in_pairs_of_places(documents: list[list[int]], within: bool) -> None:
    width = 3
    tokens = np.array([token for document in documents for token in document], np.int32)
    bounds = np.cumsum([0, *map(len, documents)])
    vocabulary = np.arange(4, dtype=np.uint32)
    ranks = np.arange(len(documents), dtype=np.int32)
    runs, _ = find_frequent(ShingledTexts(tokens, bounds, vocabulary, ranks), width, 2)
    spans = pair_runs(runs, bounds, ranks, 100, within)
    cells = {(a + step, b + step) for a, last, b, _ in spans.tolist() for step in range(last - a)}
    of = np.searchsorted(bounds, np.arange(len(tokens)), side="right") - 1
    assert all(tokens[a] == tokens[b] and (of[a] < of[b] or (within and of[a] == of[b])) for a, b in cells)
    starts = [start for start in range(len(tokens)) if start + width <= bounds[of[start] + 1]]
    shingles = {start: tuple(tokens[start : start + width].tolist()) for start in starts}
    holders = {shingle: {of[start] for start in starts if shingles[start] == shingle} for shingle in shingles.values()}
    for a, b in combinations(starts, 2):
        if shingles[a] == shingles[b] and len(holders[shingles[a]]) > 1 and (of[a] != of[b] or (within and b >= a + 9)):
            assert cells >= {(a + step, b + step) for step in range(width)}
