"""Pairs of short texts, and all their similar windows, found by brute force."""

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from ibidem.alignment.blocks import ElementBlocks, make_blocks
from ibidem.alignment.extension import ZONE
from ibidem.alignment.weighted_pair import Pair

ALPHABET = 8
GROWTH = {"binary": [1.0] + 99 * [0.0], "raw": 100 * [1.0], "logarithmic": np.diff(np.log2(np.arange(1, 102)))}


class Case(NamedTuple):
    """A pair of texts, its blocks, and a threshold."""

    pair: Pair
    blocks: ElementBlocks
    threshold: float


@st.composite
def cases(draw: st.DrawFn) -> Case:
    a, b = (draw(st.lists(st.integers(0, ALPHABET - 1), min_size=4, max_size=40)) for _ in "ab")
    if draw(st.booleans()):
        b = b[: len(b) // 2] + a + b[len(b) // 2 :]
    idf = draw(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=ALPHABET, max_size=ALPHABET))
    growth = np.array(GROWTH[draw(st.sampled_from(sorted(GROWTH)))])
    pair = Pair(np.array(a, np.int32), np.array(b, np.int32), np.array(idf), growth, draw(st.integers(1, 4)))
    return Case(pair, make_blocks(pair, 0.3), draw(st.sampled_from([0.3, 0.5, 0.8, 1.0])))


def all_seeds(case: Case) -> list[tuple[int, int]]:
    """The starts of all pairs of similar windows."""
    pair, window = case.pair, case.pair.window
    weights = np.concatenate([[0.0], np.cumsum(pair.growth)])

    def weigh(text: np.ndarray, start: int) -> np.ndarray:
        return weights[np.bincount(text[start : start + window], minlength=ALPHABET)] * pair.idf

    seeds = []
    for i in range(len(pair.a) - window + 1):
        for j in range(len(pair.b) - window + 1):
            in_a, in_b = weigh(pair.a, i), weigh(pair.b, j)
            either = np.maximum(in_a, in_b).sum()
            if either > 0 and np.minimum(in_a, in_b).sum() / either >= case.threshold - 1e-9:
                seeds.append((i, j))
    return seeds


def pair_whose_zones_disagree(replaced: list[int], length: int) -> Pair:
    """A text and its copy: the zone at their beginning trims the words that are ``replaced``, the next one takes them.

    As many words right behind the first zone are replaced, too, so the zone that begins later is less similar.
    """
    a = np.arange(length, dtype=np.int32)
    b, behind = a.copy(), slice(ZONE, ZONE + replaced[-1] + 1)
    b[replaced] += length
    b[behind] += length
    return Pair(a, b, np.ones(2 * length), np.ones(2), 32)
