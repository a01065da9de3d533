"""Links that hang by one pair are cut, and no passage that had a link is left alone."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.hashing import GOLDEN
from ibidem.reuse.clusters import count_shingles, keep_links


def kept(links: list[tuple[int, int]], count: int, similarity: list[float] | None = None) -> list[tuple[int, int]]:
    given_similarity = np.array(similarity or [1.0] * len(links))
    flags = keep_links(np.array(links, np.int64).reshape(-1, 2), given_similarity, count)
    return [link for link, flag in zip(links, flags.tolist(), strict=True) if flag]


def test_a_doubtful_link_between_two_groups_is_cut() -> None:
    triangles = [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5)]
    assert kept([*triangles, (2, 3)], 6) == triangles


def test_witnesses_of_one_source_stay_together() -> None:
    star = [(0, other) for other in range(1, 8)]
    assert kept(star, 8) == star


def test_what_all_cuts_leave_alone_keeps_its_strongest_link() -> None:
    ring = [(0, 1), (1, 2), (2, 3), (0, 3)]
    assert kept(ring, 4, [0.9, 0.3, 0.8, 0.4]) == [(0, 1), (2, 3)]


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)).filter(lambda link: link[0] < link[1]), unique=True))
def test_nothing_that_had_a_link_is_left_without_one(links: list[tuple[int, int]]) -> None:
    assert {x for link in kept(links, 9) for x in link} == {x for link in links for x in link}


def hash_tokens(tokens: list[int]) -> int:
    mixed = 0
    for token in tokens:
        mixed = ((mixed ^ token) * int(GOLDEN)) % 2**64
        mixed ^= mixed >> 29
    return mixed


@given(
    st.lists(st.lists(st.sampled_from([0, 1, 2, 2**32 - 1]), min_size=1, max_size=12), min_size=1),
    st.integers(1, 5),
    st.sampled_from([0.0, 0.3, 0.9, 1.0]),
)
def test_a_shingle_counts_once_in_each_passage_that_holds_it(
    passages: list[list[int]], longest: int, share: float
) -> None:
    held: Counter[int] = Counter()
    for tokens in passages:
        width = min(longest, len(tokens))
        held.update({hash_tokens(tokens[first : first + width]) for first in range(len(tokens) - width + 1)})
    bounds = np.append(0, np.cumsum([len(tokens) for tokens in passages]))
    hashes, counts = count_shingles(
        np.concatenate([np.array(tokens, np.uint32) for tokens in passages]), bounds, longest, share
    )
    least = {value: number for value, number in held.items() if share == 1.0 or value <= share * 2.0**64}
    assert dict(zip(hashes.tolist(), counts.tolist(), strict=True)) == least
    assert hashes.tolist() == sorted(least)
