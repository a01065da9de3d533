"""Links that hang by one pair are cut, and no passage that had a link is left alone."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.reuse.clusters import keep_links


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
