"""Links are those between texts that share a band, whatever the parts and the ranges of hashes."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.documents import candidates
from ibidem.documents import links as links_module
from ibidem.documents.candidates import Buckets
from ibidem.documents.links import Links, _Candidates, _gather, link_range, read_ranges
from ibidem.documents.rules import Rules
from ibidem.documents.texts import find_texts, open_texts
from ibidem.engine.hash_ranges import HashRange

from .samples import digest, make_resources

LINKS = st.lists(st.tuples(st.integers(0, 4), st.integers(5, 9), st.sampled_from([0.2, 0.5, 0.9])))


def make_links(triples: list[tuple[int, int, float]]) -> Links:
    pairs = np.array([triple[:2] for triple in triples], np.int64).reshape(-1, 2)
    return Links(pairs, np.array([triple[2] for triple in triples], np.float64))


def listed(of: Links) -> list[tuple[int, int, float]]:
    return [(*pair, similarity) for pair, similarity in zip(of.pairs.tolist(), of.similarities.tolist(), strict=True)]


@given(LINKS, LINKS)
def test_links_are_put_one_behind_the_other(a: list[tuple[int, int, float]], b: list[tuple[int, int, float]]) -> None:
    assert listed(Links.concatenate([make_links(a), make_links(b)])) == a + b


def test_candidates_wait_until_they_are_enough() -> None:
    nothing = Buckets.of(np.empty(0, np.uint64), np.empty(0, np.int64))
    parts = [_Candidates(np.zeros((count, 2), np.int64), nothing) for count in (2, 3, 4, 0, 1, 9, 1)]
    assert [len(gathered.pairs) for gathered in _gather(parts, 5)] == [5, 5, 9, 1]


@given(LINKS)
def test_links_that_reach_a_threshold_are_selected(triples: list[tuple[int, int, float]]) -> None:
    assert listed(make_links(triples).select(0.5)) == [triple for triple in triples if triple[2] >= 0.5]


@given(LINKS)
def test_each_pair_is_left_once_in_order(triples: list[tuple[int, int, float]]) -> None:
    distinct_pairs = [triple[:2] for triple in listed(make_links(triples).distinct(10))]
    assert distinct_pairs == sorted({triple[:2] for triple in triples})


RULES = Rules(shingle="words:1", threshold=0.5, recall=1 - 1e-6, num_hashes=256)


def make_texts(source):
    """Five texts of 12 words, each in four versions in which two words differ."""
    texts = []
    for number in range(5):
        words = [f"n{number}p{place}" for place in range(12)]
        for version in range(4):
            changed = list(words)
            for place in source.choice(12, 2, replace=False).tolist():
                changed[place] = f"n{number}v{version}p{place}"
            texts.append(" ".join(changed))
    return texts


@pytest.mark.parametrize("small", [2, 64])
@pytest.mark.parametrize("together", [50, 1 << 18])
def test_ranges_and_parts_give_the_links_that_all_pairs_give(tmp_path, monkeypatch, small, together):
    monkeypatch.setattr(candidates, "SMALL", small)
    monkeypatch.setattr(links_module, "_TOGETHER", together)
    monkeypatch.setattr(links_module, "_PAIR_BYTES", 1 << (26 if together == 50 else 8))  # 64 MiB hold a pair, or all
    texts = make_texts(np.random.default_rng(2))
    found = []
    for name, cuts, ranges in (("one", [0, 20], 1), ("several", [0, 3, 3, 20], 5)):
        parts = [enumerate_texts(texts, low, high) for low, high in pairwise(cuts)]
        digests = digest(tmp_path / name, parts, RULES)
        find_texts(RULES, digests, tmp_path / name / "texts", make_resources())
        folders = []
        for number, hashes in enumerate(HashRange().cut(ranges)):
            folders.append(tmp_path / name / str(number))
            link_range(RULES, digests, tmp_path / name / "texts", hashes, folders[-1], make_resources())
        found.append(gather(folders))
    assert found[0] == found[1]
    links, large, compared = found[0]
    distinct = open_texts(tmp_path / "one" / "texts")
    sets = [set(texts[row].split()) for row in distinct.first_of(np.arange(distinct.num_texts)).tolist()]
    similar = {
        (a, b): len(sets[a] & sets[b]) / len(sets[a] | sets[b])
        for a, b in combinations(range(20), 2)
        if len(sets[a] & sets[b]) / len(sets[a] | sets[b]) >= 0.5
    }
    if small == 64:
        assert {(a, b): similarity for a, b, similarity in links} == pytest.approx(similar)
        assert not large
        assert compared >= len(links)
    else:
        in_large = {pair for _, members in large for pair in combinations(members, 2)}
        assert large
        assert {(a, b) for a, b, _ in links} | in_large >= similar.keys()
        assert {(a, b) for a, b, _ in links} <= similar.keys()


def enumerate_texts(texts, low, high):
    return [(str(number), texts[number]) for number in range(low, high)]


def gather(folders):
    ranges = list(read_ranges(folders))
    large = [
        (band, tuple(members.tolist()))
        for each in ranges
        for band, members in zip(each.large_bands.tolist(), each.large.split(), strict=True)
    ]
    links = sorted(link for each in ranges for link in listed(each.links))
    return links, sorted(large), sum(each.compared for each in ranges)
