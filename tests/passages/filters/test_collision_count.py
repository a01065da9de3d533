"""The filter over bins loses no passage that collides often enough."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem import PassageIndex
from ibidem.passages.filters import collision_count
from ibidem.passages.filters.collision_count import BIN, collided_bins
from ibidem.passages.query.statistics import Explanation
from ibidem.sketch.one_permutation import EMPTY_KEY
from ibidem.text import Texts
from ibidem.text.token_stream import token_stream

FAMILIES = [
    {"family": "set"},
    {"family": "multiset"},
    {"family": "weighted", "tf": "squared"},
    {"family": "weighted", "tf": "logarithmic", "idf": "standard"},
    {"family": "set", "scheme": "one permutation"},
    {"family": "multiset", "scheme": "one permutation"},
    {"family": "weighted", "idf": "smooth", "scheme": "one permutation", "weight_units": 2},
]
LENGTHS = (3, 60)


def words(random, size, count):
    return [f"w{number}" for number in random.zipf(1.3, count) % size]


def scores_of_passages(index, segment, asked):
    """The score of each passage of the segment against the query's sketch, int [T, T], from all windows."""
    lengths = index.configuration.min_length, index.configuration.max_length
    scheme = index.configuration.make_scheme(index._frequencies())
    stream = token_stream(np.asarray(segment.tokens), np.asarray(segment.token_bounds), lengths[1])
    scores = np.zeros((segment.num_tokens, segment.num_tokens), np.int64)
    for windows, key, count in zip(
        scheme.windows(stream, range(scheme.functions)), asked.keys, asked.counts, strict=True
    ):
        for found, a, b, c, d in zip(*windows, strict=True):
            if found == key:
                scores[a : b + 1, (a if key == EMPTY_KEY else c) : d + 1] += count
    return scores


@settings(max_examples=40)
@given(
    seed=st.integers(0, 2**32),
    size=st.sampled_from([4, 40, 400]),
    family=st.sampled_from(FAMILIES),
    lengths=st.sampled_from([LENGTHS, (10, 30), (60, 60)]),
)
def test_every_passage_with_enough_collisions_starts_in_a_bin_that_passes(
    tmp_path_factory, seed, size, family, lengths
):
    random = np.random.default_rng(seed)
    query = words(random, size, 40)
    documents = [
        " ".join(words(random, size, random.integers(0, 120)) + query[: random.integers(1, 41)]) for _ in range(3)
    ]
    folder = tmp_path_factory.mktemp("bins") / "index"
    with PassageIndex.build(folder, documents, min_length=LENGTHS[0], max_length=LENGTHS[1], k=6, **family) as index:
        (segment,) = index._store.segments
        asked = estimated(index, query, 0.5)
        scores = scores_of_passages(index, segment, asked)
        size = np.arange(len(scores)) - np.arange(len(scores))[:, None] + 1
        scores[(size < lengths[0]) | (size > lengths[1])] = 0
        most = scores.max(axis=1, initial=0)
        for needed in range(7):
            asked = asked._replace(least=needed * int(asked.counts.max()))
            expected = np.unique(np.flatnonzero(most >= asked.least) // BIN)
            for thrifty, cost in ((False, 12.0), (True, 12.0), (True, 0.01)):
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(collision_count, "_POSTING_COST", cost)
                    bins = collided_bins(segment, asked, lengths, thrifty)
                assert bins.shape == (segment.num_tokens // BIN + 1,)
                assert bins[expected].all()
                assert needed or bins.all()


def estimated(index, query, threshold):
    """What is asked of the passages whose estimated similarity to some words reaches a threshold."""
    scheme = index.configuration.make_scheme(index._frequencies())
    tokens = index.tokenizer.encode(Texts.from_strings([" ".join(query)])).ids
    return scheme.asked_of_estimates(scheme.sketch(tokens), threshold)


@pytest.fixture(params=["k-mins", "one permutation"])
def planted(tmp_path, request):
    """An index of other words in which the query stands once, from token 5000 on."""
    random = np.random.default_rng(6)
    query = [f"q{number}" for number in range(40)]
    noise = [f"w{number}" for number in random.integers(0, 3000, 10_000)]
    text = " ".join([*noise[:5000], *query, *noise[5000:]])
    with PassageIndex.build(
        tmp_path / "index", [text], min_length=20, max_length=80, k=8, scheme=request.param
    ) as index:
        yield index._store.segments[0], estimated(index, query, 0.75)


@pytest.mark.parametrize("thrifty", [False, True])
def test_bins_without_the_query_do_not_pass(planted, thrifty):
    segment, asked = planted
    bins = collided_bins(segment, asked, (20, 66), thrifty)
    assert bins[5000 // BIN]
    assert np.count_nonzero(bins) <= 3


def test_functions_under_which_the_query_has_no_key_count_for_no_bin(planted):
    segment, asked = planted
    one = int(asked.counts.max())
    nothing = asked._replace(keys=np.full(8, -1), least=one)
    assert not collided_bins(segment, nothing, (20, 66), thrifty=False).any()
    half = asked._replace(keys=np.where(np.arange(8) < 4, asked.keys, -1))
    assert not collided_bins(segment, half._replace(least=5 * one), (20, 66), thrifty=True).any()
    assert collided_bins(segment, half._replace(least=4 * one), (20, 66), thrifty=True)[5000 // BIN]


def test_windows_of_other_lengths_count_for_no_bin(planted):
    segment, asked = planted
    asked = asked._replace(least=int(asked.counts.max()))
    assert collided_bins(segment, asked, (20, 80), thrifty=False).any()
    assert not collided_bins(segment, asked, (1000, 2000), thrifty=False).any()


def test_the_lists_of_common_keys_are_looked_up_and_not_read(tmp_path):
    """The text is one word over and over with the query in it, and the query holds that word too."""
    query = [*(f"q{number}" for number in range(30)), *["the"] * 10]
    text = " ".join([*["the"] * 30_000, *query, *["the"] * 30_000])
    with PassageIndex.build(tmp_path / "index", [text], min_length=20, max_length=80, k=16) as index:
        asked = estimated(index, query, 0.8)
        (segment,) = index._store.segments
        explanation = Explanation()
        bins = collided_bins(segment, asked, (20, 80), thrifty=False, explanation=explanation)
        assert np.flatnonzero(bins).tolist() == [30_000 // BIN]
        assert explanation.lists == explanation.lists_read + explanation.lists_probed + explanation.lists_skipped
        assert explanation.lists_read == 16 - asked.least + 1
        assert explanation.postings > 30_000
        assert explanation.postings_read < 1_000
