"""Pairs of near-duplicate passages: each with each where there are few, and chains of pairs where there are many."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.resources import Resources
from ibidem.reuse.removal import duplicates
from ibidem.reuse.removal.duplicates import find_duplicates
from ibidem.reuse.removal.parts import measure_similarity
from ibidem.reuse.windows import WindowJoin
from ibidem.text import make_tokenizer
from tests.reuse.small_collections import read_collection

from ..quotations import words

PASSAGE = words(700, 50)

LEAST = 30

Row = tuple[int, int, int, int, int, int]


def find_rows(texts: list[list[str]], threshold: float = 0.8, recall: float = 1.0) -> list[Row]:
    """The pairs that are found: documents, and their ranges; each is held to what it says."""
    documents = [(f"{number:02}", " ".join(text)) for number, text in enumerate(texts)]
    join = WindowJoin(window=16, threshold=threshold, promised=0.9, recall=recall)
    with tempfile.TemporaryDirectory() as folder:
        resources = Resources.of("64M", 2, None)
        collection = read_collection([documents], make_tokenizer("words"), Path(folder), resources)
        is_found = find_duplicates(collection, join, LEAST, Path(folder), resources)
    rows: list[Row] = []
    for (a, b), (a_first, a_last, b_first, b_last) in zip(
        is_found.documents.tolist(), is_found.ranges.tolist(), strict=True
    ):
        assert a < b or (a == b and a_last <= b_first)
        assert min(a_last - a_first, b_last - b_first) >= LEAST
        of_a = collection.tokens[collection.bounds[a] :][a_first:a_last]
        of_b = collection.tokens[collection.bounds[b] :][b_first:b_last]
        assert measure_similarity(of_a, of_b, collection.idf) >= threshold - 1e-9
        rows.append((a, b, a_first, a_last, b_first, b_last))
    return rows


def test_a_passage_in_few_places_is_paired_each_with_each() -> None:
    texts = [[*words(710 + number, 40 + number), *PASSAGE, *words(730 + number, 30)] for number in range(4)]
    rows = find_rows(texts)
    assert {row[:2] for row in rows} == {(a, b) for b in range(4) for a in range(b)}
    for a, b, a_first, a_last, b_first, b_last in rows:
        assert (a_first, a_last, b_first, b_last) == (40 + a, 90 + a, 40 + b, 90 + b)


@pytest.mark.parametrize("recall", [0.99, 1.0])
def test_a_passage_in_many_places_is_paired_with_the_first_alone(recall: float) -> None:
    texts = [[*words(750 + number, 40), *PASSAGE] for number in range(40)]
    rows = find_rows(texts, recall=recall)
    assert [row[:2] for row in rows] == [(0, other) for other in range(1, 40)]
    assert all(row[2:] == pytest.approx((40, 90, 40, 90), abs=2) for row in rows)  # words beside it may be alike


@pytest.mark.parametrize("recall", [0.99, 1.0])
def test_a_passage_in_many_places_hides_nothing_beside_it(recall: float) -> None:
    quotation = words(880, 60)
    texts = [
        [*words(750 + number, 40), *(quotation if number in (7, 21, 30) else []), *PASSAGE] for number in range(40)
    ]
    rows = find_rows(texts, recall=recall)
    assert {row[:2] for row in rows if row[0]} == {(7, 21), (7, 30), (21, 30)}
    assert {(row[3] - row[2], row[5] - row[4]) for row in rows if row[0]} <= {
        (n, m) for n in (60, 61) for m in (60, 61)
    }


def test_a_passage_in_many_places_of_which_each_has_other_words_changed_is_paired_with_some_before() -> None:
    texts = []
    for number in range(40):
        changed = list(PASSAGE)
        changed[number % 10 :: 10] = words(900 + number, 5)
        texts.append([*words(750 + number, 40), *changed])
    later = {row[1] for row in find_rows(texts, 0.6)}
    assert later == set(range(1, 40))


def test_a_passage_that_stands_twice_in_one_document_is_found() -> None:
    rows = find_rows([[*words(770, 40), *PASSAGE, *words(771, 60), *PASSAGE]])
    assert (0, 0, 40, 90, 150, 200) in [pytest.approx(row, abs=1) for row in rows]  # ends may meet a like word


@pytest.mark.parametrize(("threshold", "is_found"), [(0.6, True), (0.95, False)])
def test_a_changed_passage_is_a_duplicate_if_it_is_similar_enough(threshold: float, is_found: bool) -> None:
    changed = list(PASSAGE)
    changed[4::10] = words(772, 5)
    rows = find_rows([[*words(773, 40), *PASSAGE], [*changed, *words(774, 40)]], threshold)
    assert bool(rows) == is_found


@given(st.integers(0, 50), st.integers(1, 400), st.integers(1, 6))
def test_places_far_enough_apart_in_a_repetitive_text_are_aligned_with_each_other(
    first: int, length: int, least: int
) -> None:
    last = first + length
    sides = list(duplicates._split_at_places((first, last), least))
    for before, behind in sides:
        assert first <= before[0] < before[1] <= behind[0] < behind[1] <= last
    for place in range(first, last - 2 * least):
        other = place + 2 * least
        assert any(a[0] <= place < a[1] and b[0] <= other < b[1] for a, b in sides)
