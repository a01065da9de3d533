"""PAN's measures: an example worked by hand, and the definitions in sets of characters as the oracle."""

import math
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ibidem.evaluation import Case, PanScores, pan_scores

from .strategies import cases

Character = tuple[str, str, str, int]


def characters(case: Case) -> set[Character]:
    """The characters of both documents that a case is about; a document is known by the pair that it stands in."""
    pair = case.suspicious, case.source
    ours = {(*pair, "suspicious", i) for i in range(case.start, case.end)}
    return ours | {(*pair, "source", i) for i in range(case.source_start, case.source_end)}


def detects(r: Case, s: Case) -> bool:
    shared = characters(r) & characters(s)
    return {side for _, _, side, _ in shared} == {"suspicious", "source"}


class ByDefinition(NamedTuple):
    precision: float
    recall: float
    granularity: float


def mean(values: list[float], other: list[Case]) -> float:
    return sum(values) / len(values) if values else float(not other)


def share(members: list[Case], others: list[Case]) -> float:
    """The mean, over members, of the share of their characters that others which meet them have too."""
    shares = []
    for member in members:
        right = set().union(*(characters(member) & characters(other) for other in others if detects(other, member)))
        shares.append(len(right) / len(characters(member)))
    return mean(shares, others)


def by_definition(R: list[Case], S: list[Case]) -> ByDefinition:
    R, S = (list(dict.fromkeys(cases)) for cases in (R, S))
    pieces = [sum(detects(r, s) for r in R) for s in S]
    detected = [number for number in pieces if number]
    return ByDefinition(share(R, S), share(S, R), sum(detected) / len(detected) if detected else 1.0)


def micro_by_definition(R: list[Case], S: list[Case]) -> ByDefinition:
    right = set().union(*(characters(r) & characters(s) for r in R for s in S if detects(r, s)))
    wholes = [len(set().union(*map(characters, some))) for some in (R, S)]
    shares = [len(right) / w if w else float(not other) for w, other in zip(wholes, wholes[::-1], strict=True)]
    return ByDefinition(*shares, by_definition(R, S).granularity)


@given(st.lists(cases, max_size=6), st.lists(cases, max_size=6))
def test_scores_are_those_of_the_definitions(reported: list[Case], truth: list[Case]) -> None:
    for average, definition in (("macro", by_definition), ("micro", micro_by_definition)):
        assert tuple(pan_scores(reported, truth, average=average)) == pytest.approx(definition(reported, truth))


@given(st.lists(cases, max_size=6, unique_by=lambda case: (case.suspicious, case.source)))
def test_truth_against_itself_is_1(truth: list[Case]) -> None:
    for average in ("macro", "micro"):
        scores = pan_scores(truth, truth[::-1], average=average)
        assert scores == PanScores(1.0, 1.0, 1.0)
        assert scores.plagdet == 1.0


def case(pair: str, ours: tuple[int, int], theirs: tuple[int, int]) -> Case:
    return Case(
        suspicious=pair[0],
        start=ours[0],
        end=ours[1],
        source=pair[1],
        source_start=theirs[0],
        source_end=theirs[1],
    )


def test_an_example_worked_by_hand() -> None:
    truth = [
        case("xs", (0, 10), (100, 110)),  # reported in two pieces, 12 of its 20 characters
        case("xs", (20, 30), (120, 130)),  # met in x alone: not detected
        case("xt", (40, 50), (0, 10)),  # not reported
    ]
    reported = [
        case("xs", (0, 4), (100, 104)),  # all 8 right
        case("xs", (4, 8), (110, 114)),  # meets a case in x alone: not one of 8 is right
        case("xs", (6, 12), (108, 112)),  # 4 and 2 of 10 are right
        case("xs", (20, 30), (0, 10)),  # 0 of 20
    ]
    scores = pan_scores(reported, truth)
    assert scores.precision == pytest.approx((1 + 0 + 6 / 10 + 0) / 4)
    assert scores.recall == pytest.approx((14 / 20 + 0 + 0) / 3)
    assert scores.granularity == 2
    precision, recall = 0.4, 14 / 60
    assert scores.plagdet == pytest.approx(2 * precision * recall / (precision + recall) / math.log2(3))
    micro = pan_scores(reported, truth, average="micro")
    assert tuple(micro) == pytest.approx((14 / (22 + 20), 14 / 60, 2))


def test_an_unknown_average_is_named() -> None:
    with pytest.raises(ValueError, match="no average is called 'mean'; there are macro, micro"):
        pan_scores([], [], average="mean")


@given(st.lists(cases, max_size=6), st.lists(cases, max_size=6), st.randoms())
def test_a_case_that_is_given_again_counts_once(reported: list[Case], truth: list[Case], random: Random) -> None:
    again = [
        [*some, *(replace(case, category="again") for case in random.sample(some, len(some) // 2))]
        for some in (reported, truth)
    ]
    for average in ("macro", "micro"):
        assert pan_scores(*again, average=average) == pan_scores(reported, truth, average=average)
