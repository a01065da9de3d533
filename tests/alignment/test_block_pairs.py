"""Pairs of blocks against all pairs of blocks, compared one by one."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem.alignment.block_pairs import SeedRule, find_block_pairs, similar_blocks
from ibidem.alignment.blocks import make_blocks
from ibidem.alignment.weighted_pair import Pair
from tests.alignment.pairs import ALPHABET, Case, all_seeds, cases

patient = settings(deadline=None)  # the first example waits for the compiler


def tokens_of_block(text: np.ndarray, window: int, block: int) -> set[int]:
    return set(text[block * window : (block + 2) * window - 1].tolist())


def told(case: Case, block_a: int, block_b: int) -> float:
    """What the tokens of two blocks tell, as its definition says."""
    pair, blocks = case.pair, case.blocks
    in_a, in_b = (tokens_of_block(text, pair.window, k) for text, k in ((pair.a, block_a), (pair.b, block_b)))
    weighty = {token for token in in_b if pair.idf[token] > 0}
    return float(sum(blocks.absence[t] for t in in_a) + sum(blocks.presence[t] for t in in_a & weighty))


@patient
@given(cases(), st.sampled_from([-1.0, 0.5, 2.0, 8.0]))
def test_blocks_that_tell_enough_are_searched_and_surely_similar_windows_are_in_searched_blocks(
    case: Case, nats: float
) -> None:
    pair = case.pair
    # In texts so short every token is common.
    blocks = case.blocks._replace(
        presence=np.linspace(0.5, 4.0, ALPHABET), absence=np.full(ALPHABET, -0.25), common=len(case.blocks.lightest)
    )
    case = case._replace(blocks=blocks)
    number = (len(pair.a) - pair.window) // pair.window + 1
    pairs, thresholds = similar_blocks(pair, blocks, SeedRule(0.25, case.threshold, nats), 0, number)
    found = dict(zip(map(tuple, pairs.tolist()), thresholds.tolist(), strict=True))
    assert len(found) == len(pairs)
    for (a, b), threshold in found.items():
        surprising = told(case, a, b) >= nats
        assert threshold == (0.25 if surprising else case.threshold) or abs(told(case, a, b) - nats) < 1e-9
    for i, j in all_seeds(case):
        assert (i // pair.window, j // pair.window) in found
    weighty = {token for token in range(ALPHABET) if pair.idf[token] > 0}
    for a in range(number):
        for b in range(len(blocks.lightest)):
            in_a, in_b = (tokens_of_block(text, pair.window, k) for text, k in ((pair.a, a), (pair.b, b)))
            if in_a & in_b & weighty and told(case, a, b) >= nats + 1e-9:
                assert found[a, b] == 0.25


def test_chance_leaves_at_most_a_block_for_each_block_however_long_the_texts() -> None:
    source = np.random.default_rng(5)
    for length in (20_000, 80_000):
        a, b = (source.zipf(1.2, 4 * length) for _ in "ab")
        a, b = (text[text < 4_000][:length].astype(np.int32) for text in (a, b))
        pair = Pair(a, b, np.ones(4_000), np.ones(length), 32)
        blocks = make_blocks(pair, 0.3)
        parts = list(find_block_pairs(pair, blocks, SeedRule.of(blocks, 0.225)))
        surprising = sum(int((part.thresholds == 0.225).sum()) for part in parts)
        assert surprising <= len(blocks.lightest)


def test_a_copied_passage_is_in_searched_blocks_of_long_texts() -> None:
    source = np.random.default_rng(6)
    a, b = (source.zipf(1.2, 80_000) for _ in "ab")
    a, b = (text[text < 4_000][:20_000].astype(np.int32) for text in (a, b))
    b[7_000:7_080] = a[3_000:3_080]
    pair = Pair(a, b, np.ones(4_000), np.ones(20_000), 32)
    blocks = make_blocks(pair, 0.3)
    pairs = np.concatenate([part.blocks for part in find_block_pairs(pair, blocks, SeedRule.of(blocks, 0.225))])
    assert [3_000 // 32, 7_000 // 32] in pairs.tolist()
