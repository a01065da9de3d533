"""Words that stand for each other: in order, moved, and never by chance alone."""

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.comparison.correspondence import (
    MatchingBlock,
    TokenEvidence,
    _free_blocks,
    blocks_of,
    correspond,
    correspond_spans,
    dissolve,
    is_evident,
)
from ibidem.comparison.global_alignment import ALONE, MOST_CELLS, Sequences
from ibidem.ragged import bounds_of

from .drawn_words import EVIDENCE, Ids, draw, ids
from .plain_alignment import align_plainly, spans_of


def longest_blocks(a: Ids, b: Ids, a_free: npt.NDArray[np.bool_], b_free: npt.NDArray[np.bool_]) -> set[MatchingBlock]:
    """Every block of runs of three free tokens that no run beside it makes longer; none of a very frequent run."""
    runs = [
        [tuple(text[at : at + 3].tolist()) if free[at : at + 3].all() else None for at in range(len(text) - 2)]
        for text, free in ((a, a_free), (b, b_free))
    ]
    counts = [Counter(of_text) for of_text in runs]

    def same(i: int, j: int) -> bool:
        run = runs[0][i] if 0 <= i < len(runs[0]) and 0 <= j < len(runs[1]) else None
        return run is not None and run == runs[1][j] and counts[0][run] * counts[1][run] <= 64

    found = set()
    for i in range(len(a)):
        for j in range(len(b)):
            if same(i, j) and not same(i - 1, j - 1):
                length = 3
                while same(i + length - 2, j + length - 2):
                    length += 1
                found.add(MatchingBlock(i, j, length))
    return found


def correspond_plainly(
    a: Ids, b: Ids, evidence: npt.NDArray[np.float64], most_cells: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Align, dissolve, and align again around the strongest block that is free on both sides, until nothing is new."""

    def pair_equal(a_first: int, a_last: int, b_first: int, b_last: int) -> npt.NDArray[np.int64]:
        inside, other = a[a_first:a_last], b[b_first:b_last]
        given = Sequences(inside, other, np.round(16 * evidence).astype(np.int64), 16)
        own = np.array(align_plainly(given, most_cells), np.int64)
        own[[partner == ALONE or inside[i] != other[partner] for i, partner in enumerate(own)]] = ALONE
        dissolve(own, len(other), np.append(0.0, np.cumsum(evidence[inside])))
        return np.where(own == ALONE, ALONE, own + b_first)

    partners, moved = pair_equal(0, len(a), 0, len(b)), np.zeros(len(a), np.bool_)
    paired, summed = -1, np.append(0.0, np.cumsum(evidence[a]))
    while paired < (paired := int((partners != ALONE).sum())):
        a_free, b_free = partners == ALONE, np.ones(len(b), np.bool_)
        b_free[partners[~a_free]] = False
        rooms = int(a_free.sum()), int(b_free.sum())
        strengths = [(summed[i] - summed[i + length], i, j) for i, j, length in longest_blocks(a, b, a_free, b_free)]
        for strength, i, j in sorted(strengths):
            if is_evident(-strength, *rooms, 0.01) and a_free[i] and b_free[j]:
                ends = []
                for free, at in ((a_free, i), (b_free, j)):
                    first = last = at
                    while first and free[first - 1]:
                        first -= 1
                    while last < len(free) and free[last]:
                        last += 1
                    free[first:last] = False
                    ends += [first, last]
                partners[ends[0] : ends[1]] = pair_equal(*ends)
                moved[ends[0] : ends[1]] = partners[ends[0] : ends[1]] != ALONE
    return partners, moved


@given(ids(14), ids(14), st.randoms(use_true_random=False))
def test_the_blocks_are_those_that_a_search_of_all_places_finds(a: Ids, b: Ids, chance: "np.random.Generator") -> None:
    a_free, b_free = (np.array([chance.random() < 0.8 for _ in each], np.bool_) for each in (a, b))
    blocks = _free_blocks(a, b, a_free, b_free).tolist()
    assert {MatchingBlock(*block) for block in blocks} == longest_blocks(a, b, a_free, b_free)


@st.composite
def shuffled(draw: st.DrawFn) -> tuple[Ids, Ids]:
    """A text, and one of its parts in another order with some words changed."""
    source = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size, length = draw(st.sampled_from([3, 10, 1000])), draw(st.integers(0, 40))
    a = source.integers(0, size, length)
    parts = np.split(a, np.sort(source.integers(0, length + 1, draw(st.integers(0, 4)))))
    b = np.concatenate([parts[at] for at in source.permutation(len(parts))])
    b = np.where(source.random(length) < draw(st.sampled_from([0, 0.1])), source.integers(0, size, length), b)
    return a.astype(np.int32), b.astype(np.int32)


@given(st.lists(st.one_of(shuffled(), st.tuples(ids(20), ids(20))), max_size=2), st.sampled_from([20, 200, MOST_CELLS]))
def test_many_pairs_correspond_as_each_does_step_by_step(pairs: list[tuple[Ids, Ids]], most_cells: int) -> None:
    tokens = np.concatenate([np.zeros(0, np.int32), *(text for pair in pairs for text in pair)])
    spans = spans_of(pairs)
    found = correspond_spans(tokens, spans, TokenEvidence.of(EVIDENCE), most_cells)
    bounds = bounds_of(spans[:, 1] - spans[:, 0])
    for row, pair in enumerate(pairs):
        partners, moved = correspond_plainly(*pair, EVIDENCE, most_cells)
        assert found.partners[bounds[row] : bounds[row + 1]].tolist() == partners.tolist()
        assert found.moved[bounds[row] : bounds[row + 1]].tolist() == moved.tolist()


@given(ids(60), ids(60))
def test_partners_are_equal_and_no_token_has_two(a: Ids, b: Ids) -> None:
    partners, moved = correspond(a, b, EVIDENCE[:10])
    paired = np.flatnonzero(partners != ALONE)
    assert (a[paired] == b[partners[paired]]).all()
    assert len(set(partners[paired].tolist())) == len(paired)
    in_order = partners[(partners != ALONE) & ~moved].tolist()
    assert all(x < y for x, y in pairwise(in_order))
    assert not (moved & (partners == ALONE)).any()


@given(ids(40))
def test_a_text_stands_for_itself(a: Ids) -> None:
    partners, moved = correspond(a, a, EVIDENCE[:10])
    assert partners.tolist() == list(range(len(a)))
    assert not moved.any()


def test_a_block_that_moved_is_found_as_a_move() -> None:
    a = draw(1, 900)
    b = np.concatenate([a[:100], a[250:400], a[100:250], a[400:]])
    partners, moved = correspond(a, b, EVIDENCE)
    assert np.flatnonzero(moved).tolist() in (list(range(100, 250)), list(range(250, 400)))
    assert (partners != ALONE).all()


def test_two_moved_blocks_with_edits_are_found() -> None:
    a = draw(2, 1200)
    b = np.concatenate([a[1000:], a[:200], a[300:1000], a[200:300]])
    edited = np.random.default_rng(3).random(len(b)) < 0.1
    b[edited] = draw(4, int(edited.sum()))
    _, moved = correspond(a, b, EVIDENCE)
    assert moved[1000:].mean() > 0.8
    assert moved[200:300].mean() > 0.8
    assert not moved[:200].any()
    assert not moved[300:1000].any()


def test_texts_that_have_nothing_to_do_with_each_other_share_no_word() -> None:
    for seed in range(20):
        partners, _ = correspond(draw(seed, 400), draw(1000 + seed, 400), EVIDENCE)
        assert (partners != ALONE).sum() <= 4


def test_blocks_are_cut_where_either_side_jumps() -> None:
    partners = np.array([ALONE, 3, 4, 6, ALONE, 7, 0])
    assert blocks_of(partners) == [
        MatchingBlock(1, 3, 2),
        MatchingBlock(3, 6, 1),
        MatchingBlock(5, 7, 1),
        MatchingBlock(6, 0, 1),
    ]


def dissolve_slowly(partners: npt.NDArray[np.int64], b_length: int, weights: npt.NDArray[np.float64]) -> None:
    """What ``dissolve`` does, block by block."""
    while True:
        blocks = blocks_of(partners)
        excess = []
        for at, block in enumerate(blocks):
            before = blocks[at - 1] if at else MatchingBlock(0, 0, 0)
            after = blocks[at + 1] if at + 1 < len(blocks) else MatchingBlock(len(partners), b_length, 0)
            a_room = after.a_first - before.a_first - before.length
            b_room = after.b_first - before.b_first - before.length
            strength = weights[block.a_first : block.a_first + block.length].sum()
            evident = is_evident(strength, a_room, b_room)
            excess.append(np.inf if evident else strength - np.log(max(a_room * b_room, 1)))
        around = [np.inf, *excess, np.inf]
        weak = [
            block
            for at, block in enumerate(blocks)
            if np.isfinite(excess[at]) and excess[at] <= min(around[at], around[at + 2])
        ]
        if not weak:
            return
        for block in weak:
            partners[block.a_first : block.a_first + block.length] = ALONE


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 3)), max_size=12), st.integers(0, 9))
def test_blocks_are_dissolved_as_one_by_one(steps: list[tuple[int, int, int]], behind: int) -> None:
    partners: list[int] = []
    b_at = 0
    for a_gap, b_gap, length in steps:
        partners += [ALONE] * a_gap
        b_at += b_gap
        partners += range(b_at, b_at + length)
        b_at += length
    fast, slow = np.array(partners, np.int64), np.array(partners, np.int64)
    weights = np.random.default_rng(len(partners)).uniform(0.5, 2.5, len(partners))
    dissolve(fast, b_at + behind, np.append(0.0, np.cumsum(weights)))
    dissolve_slowly(slow, b_at + behind, weights)
    assert fast.tolist() == slow.tolist()


@given(
    evidence=st.floats(0, 40), a=st.integers(0, 10**6), b=st.integers(0, 10**6), expected=st.sampled_from([0.01, 1.0])
)
def test_a_run_is_evident_if_fewer_are_expected_by_chance(evidence: float, a: int, b: int, expected: float) -> None:
    by_chance = max(a * b, 1) * math.exp(-evidence)
    if not math.isclose(by_chance, expected, rel_tol=1e-9):
        assert is_evident(evidence, a, b, expected) == (by_chance < expected)


def test_random_words_share_about_as_many_runs_as_are_expected() -> None:
    """2,000 and 3,000 tokens of 500 equally frequent ones share a pair of neighbours at about 24 places."""
    random = np.random.default_rng(1)
    a, b = random.integers(0, 500, 2001), random.integers(0, 500, 3001)
    shared = sum(np.count_nonzero((b[:-1] == first) & (b[1:] == second)) for first, second in pairwise(a.tolist()))
    expected = 2000 * 3000 * math.exp(-2 * math.log(500))
    assert expected == pytest.approx(24)
    assert 0.5 * expected < shared < 2 * expected
    assert not is_evident(2 * math.log(500), 2000, 3000, expected - 1)
    assert is_evident(2 * math.log(500), 2000, 3000, expected + 1)
