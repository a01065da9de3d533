"""Shares of words: a plain reading of the definition agrees, and copies of every kind are counted as what they are."""

from itertools import pairwise

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from ibidem.comparison import compare, count_shares
from ibidem.comparison.correspondence import TokenEvidence, correspond
from ibidem.comparison.runs import cut_runs
from ibidem.comparison.shares import CHANGED, SharedPassages, WordCounts, count_words, label_documents
from ibidem.spans import Alignment

from .plain_alignment import spans_of

Ids = npt.NDArray[np.int32]
Labels = npt.NDArray[np.uint8]

KINDS = ("apart", "similar", "changed", "moved", "identical")


def label_passages(a: Ids, b: Ids, evidence: npt.NDArray[np.float64]) -> tuple[Labels, Labels]:
    """The labels of two documents that are one passage each."""
    spans = np.array([[0, len(a), len(a), len(a) + len(b)]])
    passages = SharedPassages(spans, np.zeros(1, np.int64), np.zeros(1, np.bool_))
    labels, bounds = label_documents(np.concatenate([a, b]), spans, passages, TokenEvidence.of(evidence))
    assert bounds.tolist() == [0, len(a), len(a) + len(b)]
    return labels[: len(a)], labels[len(a) :]


def labels_of(a: str, b: str) -> tuple[list[str], list[str]]:
    """The kind of each word of two texts, all of which are as rare."""
    words = sorted({*a.split(), *b.split()})
    ids = [np.array([words.index(word) for word in text.split()], np.int32) for text in (a, b)]
    found = label_passages(*ids, np.full(len(words), 7.0))
    return tuple([KINDS[label] for label in labels.tolist()] for labels in found)  # type: ignore[return-value]


def oracle(a: list[int], b: list[int], evidence: np.ndarray) -> tuple[list[str], list[str]]:
    """The definition, word by word: from the runs that a reader of a comparison sees."""
    swapped = (len(a), np.array(a, np.int32).tobytes()) > (len(b), np.array(b, np.int32).tobytes())
    if swapped:
        a, b = b, a
    found = correspond(np.array(a, np.int32), np.array(b, np.int32), evidence)
    runs = cut_runs(found, len(b))
    kinds = ["similar"] * len(a), ["similar"] * len(b)
    equal = [run for run in runs if run.kind == "equal"]
    for left, right in pairwise(equal):
        room = left.a_last - left.a_first + right.a_last - right.a_first
        gaps = [(left.a_last, right.a_first), (left.b_last, right.b_first)]
        if room >= 5 and all(2 * (last - first) <= room for first, last in gaps):
            ranges = [(left.a_first, left.a_last, 0), (right.a_first, right.a_last, 0)]
            ranges += [(left.b_first, left.b_last, 1), (right.b_first, right.b_last, 1)]
            if all(first < last for first, last in gaps):
                ranges += [(first, last, side) for side, (first, last) in enumerate(gaps)]
            for first, last, side in ranges:
                kinds[side][first:last] = ["changed"] * (last - first)
    for run in runs:
        length = run.a_last - run.a_first
        if run.kind in ("equal", "moved") and length >= 5:
            kind = "moved" if run.kind == "moved" else "identical"
            kinds[0][run.a_first : run.a_last] = [kind] * length
            kinds[1][run.b_first : run.b_last] = [kind] * length
    return kinds[::-1] if swapped else kinds  # type: ignore[return-value]


texts = st.lists(st.integers(0, 12), max_size=40)


@st.composite
def copies(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """A text, and one made of parts of it in any order, with words changed."""
    a = draw(st.lists(st.integers(0, 40), min_size=1, max_size=60))
    b: list[int] = []
    for _ in range(draw(st.integers(0, 5))):
        first = draw(st.integers(0, len(a) - 1))
        b += a[first : first + draw(st.integers(1, 20))]
        b += draw(st.lists(st.integers(0, 40), max_size=3))
    return a, b


@given(st.one_of(st.tuples(texts, texts), copies()))
def test_the_labels_are_those_of_the_definition_and_symmetric(pair: tuple[list[int], list[int]]) -> None:
    evidence = np.linspace(1, 9, 41)
    a, b = (np.array(text, np.int32) for text in pair)
    found = [[KINDS[label] for label in labels.tolist()] for labels in label_passages(a, b, evidence)]
    same = ["identical"] * len(a)
    expected = (same, same) if pair[0] == pair[1] else oracle(*pair, evidence)
    assert found == list(expected)
    assert [labels.tolist() for labels in label_passages(b, a, evidence)][::-1] == [
        labels.tolist() for labels in label_passages(a, b, evidence)
    ]


@given(st.lists(copies(), min_size=1, max_size=3), st.data())
def test_a_word_has_the_best_label_of_any_passage_that_holds_it(
    pairs: list[tuple[list[int], list[int]]], data: st.DataObject
) -> None:
    evidence, documents = np.linspace(1, 9, 41), spans_of([(np.array(a), np.array(b)) for a, b in pairs])
    tokens = np.array([token for pair in pairs for text in pair for token in text], np.int32)
    expected = [np.zeros(len(text), np.uint8) for pair in pairs for text in pair]
    spans, of, summary = [], [], []
    for row, begin in enumerate(documents[:, ::2].tolist()):
        for _ in range(data.draw(st.integers(0, 3))):
            ends = [sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2))) for text in pairs[row]]
            passages = [
                np.array(text[first:last], np.int32) for text, (first, last) in zip(pairs[row], ends, strict=True)
            ]
            own, is_summary = label_passages(passages[0], passages[1], evidence), data.draw(st.booleans())
            shortest = min(map(len, pairs[row]))
            if len(passages[0]) < min(5, shortest) and np.array_equal(*passages):
                own[0][:] = own[1][:] = 1  # too short a run, and not the whole of a document
            if is_summary:
                longer = own[len(own[1]) > len(own[0])]
                longer[longer < CHANGED] = 0
            for side, (first, last) in enumerate(ends):
                place = expected[2 * row + side][first:last]
                np.maximum(place, own[side], out=place)
            spans.append([begin[0] + ends[0][0], begin[0] + ends[0][1], begin[1] + ends[1][0], begin[1] + ends[1][1]])
            of.append(row)
            summary.append(is_summary)
    shared = SharedPassages(
        np.array(spans, np.int64).reshape(-1, 4), np.array(of, np.int64), np.array(summary, np.bool_)
    )
    labels, bounds = label_documents(tokens, documents, shared, TokenEvidence.of(evidence))
    assert [labels[first:last].tolist() for first, last in pairwise(bounds.tolist())] == [
        each.tolist() for each in expected
    ]


@given(copies(), st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=3))
def test_the_counts_are_those_of_the_words_that_are_not_left_out(
    pair: tuple[list[int], list[int]], left_out: list[tuple[int, int]]
) -> None:
    labels, _ = label_passages(*(np.array(text, np.int32) for text in pair), np.full(41, 5.0))
    kept = [KINDS[label] for at, label in enumerate(labels.tolist()) if not any(x <= at < y for x, y in left_out)]
    counts = count_words(labels, left_out, 3)
    assert counts.words == len(pair[0]) + 3
    out = [label for at, label in enumerate(labels.tolist()) if any(x <= at < y for x, y in left_out)]
    assert counts.quoted == sum(label >= CHANGED for label in out)
    assert counts[1:5] == tuple(kept.count(kind) for kind in ("identical", "moved", "changed", "similar"))
    assert 0 <= counts.identical_share <= counts.similar_share <= 1


def test_a_copy_is_identical_and_a_word_between_is_changed() -> None:
    a, b = labels_of("a b c d e f g h i j k", "a b c d e F g h i j k")
    assert a == b == ["identical"] * 5 + ["changed"] + ["identical"] * 5


def test_short_runs_count_where_they_follow_each_other_and_not_by_themselves() -> None:
    a, b = labels_of("one two three four five six", "one two three FOUR five six")
    assert a == b == ["changed"] * 6
    a, b = labels_of("one two three four five", "one two three FOUR FIVE")
    assert a == b == ["similar"] * 5


def test_sentences_that_changed_places_are_moved() -> None:
    first, second = "a b c d e f g h", "i j k l m n o p q r s t"
    a, b = labels_of(f"{first} {second}", f"{second} {first}")
    assert a == ["moved"] * 8 + ["identical"] * 12
    assert b == ["identical"] * 12 + ["moved"] * 8


def test_a_long_stretch_between_short_runs_is_not_changed() -> None:
    between = " ".join(f"x{n}" for n in range(20))
    other = " ".join(f"y{n}" for n in range(20))
    a, _ = labels_of(f"a b c d e {between} f g h i j", f"a b c d e {other} f g h i j")
    assert a == ["identical"] * 5 + ["similar"] * 20 + ["identical"] * 5


def test_words_that_were_added_have_no_counterpart() -> None:
    a, b = labels_of("one two three four five", "one two and indeed three four five")
    assert a == ["changed"] * 5
    assert b[2:4] == ["similar"] * 2


def test_texts_on_one_subject_have_nothing_changed() -> None:
    a = "The novel is about a man who wants to be free and the price that he has to pay for it in the end."
    b = "In this novel we read of the wish to be free, and about how a woman has to leave her home for it."
    found = compare(a, b)
    assert {run.mark for run in found.runs} <= {"", "alone"}
    assert (
        count_shares(
            a, b, [Alignment(a_start=0, a_end=len(a), b_start=0, b_end=len(b), similarity=0.2)]
        ).a.similar_share
        == 0
    )


def test_the_sentence_names_what_was_changed_only_if_anything_was() -> None:
    sentence = "a: 1,000 of 1,200 words (83 %) are in b, too, in runs of five or more"
    assert WordCounts(1200, 1000, 0, 0, 9).describe("a", "b") == sentence
    assert WordCounts(1200, 1000, 0, 7, 9, 3, 40).describe("a", "b") == (
        f"{sentence}, 7 more changed or in shorter runs, 3 more quoted, 40 were left out"
    )
