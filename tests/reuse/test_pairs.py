"""Pairs of passages say of themselves what the tokens say, whatever the threads and the pieces."""

import math
import random
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.alignment.weighted_pair import weigh_in_order, weigh_texts
from ibidem.resources import Resources
from ibidem.reuse import pairs as module
from ibidem.reuse.boxes import PairBoxes
from ibidem.reuse.collection import Collection, Comparable
from ibidem.reuse.pairs import PairRule, Pairs, _comes_first, align_boxes
from ibidem.reuse.windows import WindowJoin, find_boxes
from ibidem.text import make_tokenizer
from tests.reuse.small_collections import read_collection

from .quotations import around, words

RESOURCES = Resources.of("64M", 2, None)


def read_texts(*texts: str) -> Collection:
    documents = [(f"{number:02}", text) for number, text in enumerate(texts)]
    with tempfile.TemporaryDirectory() as folder:
        return read_collection([documents], make_tokenizer("words"), Path(folder), RESOURCES)


def boxes_of(collection: Collection, *, within: bool = False) -> PairBoxes:
    """All boxes of similar windows."""
    with tempfile.TemporaryDirectory() as folder:
        given_pairs = Comparable.of(collection, 16, None, within)
        join = WindowJoin(window=16, threshold=0.5, promised=0.6, recall=1.0)
        return find_boxes(collection, given_pairs, join, Path(folder), RESOURCES).boxes


def counts_of(collection: Collection, pairs: Pairs, row: int, side: int) -> Counter[int]:
    begin = int(collection.bounds[pairs.documents[row, side]])
    first, last = pairs.ranges[row, 2 * side : 2 * side + 2].tolist()
    return Counter(collection.tokens[begin + first : begin + last].tolist())


def weight_of(collection: Collection, counts: Counter[int]) -> float:
    return sum(float(collection.idf[token]) * math.log1p(count) for token, count in counts.items())


def as_rows(pairs: Pairs) -> list[tuple[object, ...]]:
    assert np.isnan(pairs.containment).all()  # no summary is among them
    columns = (column.tolist() for column in pairs[:-1])
    return [(tuple(a), tuple(b), *rest) for a, b, *rest in zip(*columns, strict=True)]


def changed(passage: list[str], step: int, seed: int) -> list[str]:
    others = words(seed, len(passage))
    return [others[place] if place % step == 3 else word for place, word in enumerate(passage)]


tokens = st.lists(st.integers(0, 9), max_size=20)


@pytest.fixture(scope="module")
def collection() -> Collection:
    first_passage, second_passage = words(600, 70), words(601, 50)
    return read_texts(
        around(1, first_passage),
        around(2, changed(first_passage, 9, 602)),
        around(3, [*second_passage, *words(603, 60), *changed(first_passage, 5, 604)]),
        around(4, second_passage),
        around(5, []),
    )


def test_the_similarity_is_that_of_the_passages_by_the_weights_of_align(collection: Collection) -> None:
    pairs = align_boxes(collection, boxes_of(collection), PairRule(0.3), RESOURCES)
    assert {tuple(row) for row in pairs.documents.tolist()} == {(0, 1), (0, 2), (1, 2), (2, 3)}
    for row in range(len(pairs.documents)):
        a, b = (counts_of(collection, pairs, row, side) for side in (0, 1))
        expected = weight_of(collection, a & b) / weight_of(collection, a | b)
        assert pairs.similarity[row] == pytest.approx(expected)
        assert pairs.similarity[row] >= 0.3
        assert pairs.evidence[row] > 0


def test_nothing_depends_on_the_threads_or_the_size_of_a_task(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    boxes = boxes_of(collection)
    expected = as_rows(align_boxes(collection, boxes, PairRule(0.3), RESOURCES))
    monkeypatch.setattr(module, "_TASK", 1)
    assert as_rows(align_boxes(collection, boxes, PairRule(0.3), Resources.of("64M", 3, None))) == expected


@pytest.mark.parametrize("least", [20, 45, 150])
def test_no_pair_is_shorter_on_its_longer_side_than_the_least_length(collection: Collection, least: int) -> None:
    pairs = align_boxes(collection, boxes_of(collection), PairRule(0.3, least), RESOURCES)
    lengths = np.diff(pairs.ranges.reshape(-1, 2, 2), axis=2).max(axis=1).ravel()
    assert (lengths >= least).all()
    assert bool(len(lengths)) == (least < 150)


def test_a_document_that_is_cut_to_pieces_has_the_same_pairs(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [around(seed, words(605, 60), 600, 500) for seed in (11, 12)]
    made = read_texts(*texts)
    boxes = boxes_of(made)
    whole = align_boxes(made, boxes, PairRule(0.5), RESOURCES)
    monkeypatch.setattr(module, "_LONG", 500)
    monkeypatch.setattr(module, "_MARGIN", 200)
    pieces = align_boxes(made, boxes, PairRule(0.5), RESOURCES)
    assert len(whole.documents) == 1
    assert as_rows(pieces)[0][:2] == as_rows(whole)[0][:2]


def test_passages_of_one_document_lie_one_behind_the_other() -> None:
    passage = words(606, 60)
    text = " ".join([*words(607, 90), *passage, *words(608, 80), *changed(passage, 12, 609), *words(610, 90)])
    made = read_texts(text, around(6, []))
    pairs = align_boxes(made, boxes_of(made, within=True), PairRule(0.3), RESOURCES)
    assert pairs.documents.tolist() == [[0, 0]]
    [[a_first, a_last, b_first, b_last]] = pairs.ranges.tolist()
    assert (a_first, a_last) == pytest.approx((90, 150), abs=4)
    assert (b_first, b_last) == pytest.approx((230, 290), abs=4)


@given(tokens.filter(bool), tokens.filter(bool))
def test_documents_are_aligned_in_the_order_in_which_align_takes_two_texts(a: list[int], b: list[int]) -> None:
    collection = read_texts(*(" ".join(f"w{token}" for token in text) for text in (a, b)))
    ids = [collection.vocabulary[collection.tokens[slice(*collection.bounds[row : row + 2])]] for row in (0, 1)]
    exchanged = weigh_in_order(*ids, weigh_texts(np.concatenate(ids)), 1).exchanged
    assert _comes_first(collection, 0, 1) is not exchanged


def test_without_a_box_there_is_no_pair(collection: Collection) -> None:
    nothing = PairBoxes(np.empty((0, 2), np.int64), np.zeros(1, np.int64), np.empty((0, 4), np.int64))
    pairs = align_boxes(collection, nothing, PairRule(0.3), RESOURCES)
    assert [column.shape[:2] for column in pairs] == [(0, 2), (0, 4), (0,), (0,), (0,), (0,)]


spans = st.tuples(st.integers(0, 12), st.integers(1, 8)).map(lambda each: (each[0], sum(each)))


@given(st.lists(st.tuples(spans, spans, st.integers(0, 3)), max_size=8))
def test_of_pairs_that_overlap_on_both_sides_the_one_with_most_evidence_stays(
    given_rows: list[tuple[tuple[int, int], tuple[int, int], int]],
) -> None:
    rows = [module._Row(*a, *b, 0.5, float(evidence), False) for a, b, evidence in given_rows]
    disjoint_rows = module._drop_overlaps(rows)

    def overlap(row_a: module._Row, row_b: module._Row) -> bool:
        return (row_a.a_first < row_b.a_last and row_b.a_first < row_a.a_last) and (
            row_a.b_first < row_b.b_last and row_b.b_first < row_a.b_last
        )

    assert not any(overlap(row_a, row_b) for row_a in disjoint_rows for row_b in disjoint_rows if row_a is not row_b)
    for row in rows:
        assert row in disjoint_rows or any(
            overlap(row, row_b) and row_b.evidence >= row.evidence for row_b in disjoint_rows
        )


def test_a_summary_and_a_copy_in_it_stand_side_by_side() -> None:
    source = words(700, 900)
    summary = source[::9]
    random.Random(1).shuffle(summary)
    copied = source[400:450]
    made = read_texts(" ".join(source), " ".join([*words(701, 500), *summary, *copied, *words(702, 500)]))
    box = np.array([[400, 450, 900 + 600, 900 + 650]])
    pairs = align_boxes(made, PairBoxes(np.array([[0, 1]]), np.array([0, 1]), box), PairRule(0.3), RESOURCES)
    assert sorted(pairs.summary.tolist()) == [False, True]
    (copy,) = pairs.ranges[~pairs.summary].tolist()
    assert copy == pytest.approx([400, 450, 600, 650], abs=2)


def test_of_a_summary_the_share_of_its_words_is_given_beside_its_similarity() -> None:
    source = words(700, 900)
    summary = source[::9]
    random.Random(1).shuffle(summary)
    made = read_texts(" ".join(source), " ".join([*words(701, 300), *summary, *words(702, 300)]))
    whole = PairBoxes(np.array([[0, 1]]), np.array([0, 1]), np.array([[0, 32, 900 + 300, 900 + 332]]))
    pairs = align_boxes(made, whole, PairRule(0.3), RESOURCES)
    [row] = np.flatnonzero(pairs.summary).tolist()
    a, b = (counts_of(made, pairs, row, side) for side in (0, 1))
    shared = weight_of(made, a & b)
    assert pairs.similarity[row] == pytest.approx(shared / weight_of(made, a | b))
    assert pairs.containment[row] == pytest.approx(shared / weight_of(made, b))
    assert pairs.similarity[row] < 0.3 < pairs.containment[row] == pairs.strength[row]


def test_copies_that_are_compared_whole_are_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    text = words(3, 400)
    collection = read_texts(" ".join(text), " ".join(changed(text, 10, 4)))
    align, compared = module._align_piece, []

    def count(*arguments):
        compared.append(arguments[-2])
        return align(*arguments)

    monkeypatch.setattr(module, "_align_piece", count)
    pairs = align_boxes(collection, boxes_of(collection), PairRule(0.3), RESOURCES)
    assert pairs.ranges.tolist() == [[0, 400, 0, 400]]
    assert [(piece.a, piece.b) for piece in compared] == [((0, 400), (0, 400))]
