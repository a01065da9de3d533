"""The parts of two texts that are near-duplicates: by definition, against plain Python, and what they leave out."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.comparison.global_alignment import ALONE
from ibidem.reuse.removal.parts import Part, Weights, find_maximal_segments, find_parts, measure_similarity

ids = st.lists(st.integers(0, 5), max_size=25)
WEIGHTS = np.array([0.31, 0.87, 1.13, 1.71, 2.03, 0.59])


def tokens(values: list[int]) -> np.ndarray:
    return np.array(values, np.int32)


@st.composite
def aligned(draw: st.DrawFn) -> tuple[list[int], list[int], list[int]]:
    """Two sequences, and partners that rise."""
    a, b = draw(ids), draw(ids)
    count = draw(st.integers(0, min(len(a), len(b))))
    in_a = sorted(draw(st.permutations(range(len(a))))[:count])
    in_b = sorted(draw(st.permutations(range(len(b))))[:count])
    partners = [ALONE] * len(a)
    for i, j in zip(in_a, in_b, strict=True):
        partners[i] = j
    return a, b, partners


def steps(a: list[int], b: list[int], partners: list[int], s: float) -> list[tuple[float, int, int]]:
    """The score of each step of an alignment, with the tokens of both texts before it."""
    scores, j = [], 0
    for i, p in enumerate(partners):
        if p == ALONE:
            scores.append((-s * WEIGHTS[a[i]], i, j))
            continue
        while j < p:
            scores.append((-s * WEIGHTS[b[j]], i, j))
            j += 1
        score = (1 - s) * WEIGHTS[a[i]] if a[i] == b[p] else -s * (WEIGHTS[a[i]] + WEIGHTS[b[p]])
        scores.append((score, i, j))
        j += 1
    return scores


def maximal(scores: list[tuple[float, int, int]]) -> list[tuple[int, int, int, int]]:
    """Maximal scoring subsequences as they are defined: the best stretch, and those of what is on either side."""
    best = max(
        (
            (sum(step[0] for step in scores[x:y]), x - y, x, y)
            for x in range(len(scores))
            for y in range(x + 1, len(scores) + 1)
        ),
        default=(0.0, 0, 0, 0),
    )
    if best[0] <= 0:
        return []
    _, _, x, y = best
    (_, i, j), (_, last_i, last_j) = scores[x], scores[y - 1]
    return [*maximal(scores[:x]), (i, last_i + 1, j, last_j + 1), *maximal(scores[y:])]


@given(aligned(), st.sampled_from([0.31, 0.53, 0.79]))
def test_segments_are_the_maximal_scoring_subsequences(given_texts: tuple[list[int], ...], similarity: float) -> None:
    a, b, partners = given_texts
    found = find_maximal_segments(tokens(a), tokens(b), np.array(partners, np.int64), WEIGHTS, similarity)
    expected = maximal(steps(a, b, partners, similarity))
    score = {"found": 0.0, "expected": 0.0}
    for name, segments in (("found", found.tolist()), ("expected", expected)):
        for i, last_i, j, last_j in segments:
            score[name] += sum(
                s for s, x, y in steps(a, b, partners, similarity) if i <= x < last_i and j <= y < last_j
            )
    assert len(found) == len(expected)  # of equal scores, either may be taken
    assert score["found"] == pytest.approx(score["expected"])


@given(ids, ids)
def test_the_similarity_is_that_of_weighted_multisets(a: list[int], b: list[int]) -> None:
    in_a, in_b = Counter(a), Counter(b)
    either = sum(WEIGHTS[t] * n for t, n in (in_a | in_b).items())
    shared = sum(WEIGHTS[t] * n for t, n in (in_a & in_b).items())
    assert measure_similarity(tokens(a), tokens(b), WEIGHTS) == pytest.approx(shared / either if either else 0.0)


@given(ids, ids, st.sampled_from([0.4, 0.8, 1.0]), st.integers(1, 4))
def test_parts_are_similar_and_long_enough_and_share_nothing(
    a: list[int], b: list[int], similarity: float, least: int
) -> None:
    parts = find_parts(tokens(a), tokens(b), Weights.of(WEIGHTS), similarity, least)
    for part in parts:
        in_a, in_b = a[part.a_first : part.a_last], b[part.b_first : part.b_last]
        assert min(len(in_a), len(in_b)) >= least
        assert measure_similarity(tokens(in_a), tokens(in_b), WEIGHTS) >= similarity - 1e-9
    for first, last in (("a_first", "a_last"), ("b_first", "b_last")):
        ordered = sorted((getattr(part, first), getattr(part, last)) for part in parts)
        assert all(one[1] <= other[0] for one, other in pairwise(ordered))


def parts_of(a: str, b: str, similarity: float = 0.8, least: int = 5) -> list[Part]:
    """The parts of two texts of words, all of the same weight."""
    words = {word: number for number, word in enumerate(dict.fromkeys([*a.split(), *b.split()]))}
    in_a, in_b = (tokens([words[word] for word in text.split()]) for text in (a, b))
    return find_parts(in_a, in_b, Weights.of(np.ones(len(words))), similarity, least)


def test_what_stands_between_two_duplicates_is_in_neither() -> None:
    head, foot = "home news sport culture about us", "all rights are reserved by us"
    a = f"{head} the mayor spoke yesterday {foot}"
    b = f"{head} rain is expected for the weekend {foot}"
    assert parts_of(a, b) == [Part(0, 6, 0, 6), Part(10, 16, 12, 18)]


def test_a_changed_word_in_a_long_passage_does_not_part_it() -> None:
    a = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    assert parts_of(a, a.replace("seven", "7")) == [Part(0, 14, 0, 14)]
    assert parts_of(a, a.replace("seven", "7"), similarity=1.0) == [Part(0, 6, 0, 6), Part(7, 14, 7, 14)]


def test_paragraphs_that_changed_places_are_both_found() -> None:
    one, other = "a b c d e f g h", "p q r s t u v w"
    assert parts_of(f"{one} {other}", f"{other} {one}") == [Part(0, 8, 8, 16), Part(8, 16, 0, 8)]
