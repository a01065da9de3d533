"""Positions that passages cover: hand-worked examples, and the definition in sets of positions as the oracle."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.evaluation import Case, Scores, case_scores, position_scores, tokens_in
from ibidem.evaluation.coverage import count_covered
from ibidem.text import Texts, make_tokenizer

from .strategies import Range, cases, ranges

texts = st.lists(st.lists(ranges(), max_size=4), max_size=4)


def positions(passages: list[Range]) -> set[int]:
    return {position for start, end in passages for position in range(start, end)}


@given(texts)
def test_coverage_is_the_size_of_the_union(passages: list[list[Range]]) -> None:
    rows = np.array([(g, *one) for g, some in enumerate(passages) for one in some], np.int64).reshape(-1, 3)
    found = count_covered(*rows.T, len(passages))
    assert found.tolist() == [len(positions(some)) for some in passages]


def test_scores_of_an_example_worked_by_hand() -> None:
    # Of text 0, {0..5} is reported and {3..7} true: 3 are right. Of text 1 nothing is reported, and {0, 1} is true. Of
    # text 2 {4} is reported, and nothing true.
    reported = [[(0, 4), (2, 6)], [], [(4, 5)]]
    truth = [[(3, 8)], [(0, 2)], []]
    assert position_scores(reported, truth) == Scores(3 / 7, 3 / 7)
    assert position_scores(reported, truth, average="macro") == Scores((3 / 6 + 0) / 2, (3 / 5 + 0) / 2)
    assert Scores(0.5, 0.25).f1 == pytest.approx(1 / 3)


@given(
    st.integers(0, 4).flatmap(
        lambda n: st.tuples(*[st.lists(st.lists(ranges(), max_size=4), min_size=n, max_size=n)] * 2)
    )
)
def test_scores_are_those_of_the_sets_of_positions(both: tuple[list[list[Range]], list[list[Range]]]) -> None:
    reported, truth = ([positions(some) for some in side] for side in both)
    right = [len(r & t) for r, t in zip(reported, truth, strict=True)]
    wholes = [[len(one) for one in side] for side in (reported, truth)]
    micro, macro = (position_scores(*both, average=average) for average in ("micro", "macro"))
    for score, mean, whole, other in zip(micro, macro, wholes, wholes[::-1], strict=True):
        nothing = float(not sum(other))
        assert score == pytest.approx(sum(right) / sum(whole) if sum(whole) else nothing)
        shares = [r / w for r, w in zip(right, whole, strict=True) if w]
        assert mean == pytest.approx(sum(shares) / len(shares) if shares else nothing)


@given(st.lists(cases, max_size=6), st.sampled_from(["suspicious", "source", "both"]))
def test_truth_against_itself_is_1(some: list[Case], side: str) -> None:
    for average in ("micro", "macro"):
        scores = case_scores(some, some[::-1], side=side, average=average)
        assert scores == Scores(1.0, 1.0)
        assert scores.f1 == 1.0


@given(st.lists(cases, max_size=6), st.lists(cases, max_size=6))
def test_cases_are_scored_pair_by_pair_and_side_by_side(reported: list[Case], truth: list[Case]) -> None:
    def characters(some: list[Case], sides: str) -> set[tuple[str, str, str, int]]:
        found = set()
        for case in some:
            if "x" in sides:
                found |= {(case.suspicious, case.source, "x", i) for i in range(case.start, case.end)}
            if "s" in sides:
                found |= {(case.suspicious, case.source, "s", i) for i in range(case.source_start, case.source_end)}
        return found

    for side, sides in (("suspicious", "x"), ("source", "s"), ("both", "xs")):
        ours, true = characters(reported, sides), characters(truth, sides)
        scores = case_scores(reported, truth, side=side)
        assert scores.precision == pytest.approx(len(ours & true) / len(ours) if ours else float(not true))
        assert scores.recall == pytest.approx(len(ours & true) / len(true) if true else float(not ours))


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="1 texts were reported on, and the truth is about 2"):
        position_scores([[]], [[], []])
    with pytest.raises(ValueError, match="no average is called 'mean'"):
        position_scores([[]], [[]], average="mean")
    with pytest.raises(ValueError, match="no side is called 'left'"):
        case_scores([], [], side="left")


def test_ranges_of_characters_become_ranges_of_the_tokens_that_they_meet() -> None:
    text = "in the same place"
    tokens = make_tokenizer("words").encode(Texts.from_strings([text]), offsets=True)
    assert tokens.starts is not None
    assert tokens.ends is not None
    assert tokens_in([(0, 2), (1, 8), (2, 3), (0, 17)], tokens.starts, tokens.ends) == [(0, 1), (0, 3), (0, 4)]
