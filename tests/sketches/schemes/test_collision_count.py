"""The filter over bins loses no passage that collides often enough."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem import PassageIndex
from ibidem.passages.query.execution import Execution
from ibidem.passages.query.statistics import SearchStatistics
from ibidem.sketches.one_permutation import EMPTY_KEY
from ibidem.sketches.schemes import collision_count
from ibidem.sketches.schemes.collision_count import BIN, find_collided_bins
from ibidem.text import Texts
from ibidem.text.token_stream import prepare_tokens

FAMILIES = [
    {"family": "set"},
    {"family": "multiset"},
    {"family": "weighted", "tf": "squared"},
    {"family": "weighted", "tf": "logarithmic", "idf": "standard"},
    {"family": "set", "scheme": "oph"},
    {"family": "multiset", "scheme": "oph"},
    {"family": "weighted", "idf": "smooth", "scheme": "oph", "weight_units": 2},
]
LENGTHS = (3, 60)


def unbounded() -> Execution:
    return Execution(None, 1, SearchStatistics())


def words(random, size, count):
    return [f"w{number}" for number in random.zipf(1.3, count) % size]


def scores_of_passages(index, segment, sketch):
    """The score of each passage of the segment against the query's sketch, int [T, T], from all windows."""
    lengths = index.configuration.min_length, index.configuration.max_length
    scheme = index.configuration.make_scheme(index._frequencies.of(index.configuration))
    stream = prepare_tokens(np.asarray(segment.tokens), np.asarray(segment.token_bounds), lengths[1])
    scores = np.zeros((segment.num_tokens, segment.num_tokens), np.int64)
    for windows, key, count in zip(
        scheme.windows(stream, range(scheme.functions)), sketch.keys, sketch.worths, strict=True
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
    with PassageIndex.build(
        folder, documents, min_length=LENGTHS[0], max_length=LENGTHS[1], num_hashes=6, **{"scheme": "minhash", **family}
    ) as index:
        (segment,) = index._store.segments
        sketch = estimated(index, query, 0.5)
        scores = scores_of_passages(index, segment, sketch)
        size = np.arange(len(scores)) - np.arange(len(scores))[:, None] + 1
        scores[(size < lengths[0]) | (size > lengths[1])] = 0
        most = scores.max(axis=1, initial=0)
        for needed in range(7):
            sketch = sketch._replace(least=needed * int(sketch.worths.max()))
            expected = np.unique(np.flatnonzero(most >= sketch.least) // BIN)
            for skip_costly, cost in ((False, 12.0), (True, 12.0), (True, 0.01)):
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(collision_count, "_POSTING_COST", cost)
                    bins = find_collided_bins(segment, sketch, lengths, skip_costly, unbounded())
                assert bins.shape == (segment.num_tokens // BIN + 1,)
                assert bins[expected].all()
                assert needed or bins.all()


def estimated(index, query, threshold):
    """The score of the passages whose estimated similarity to some words reaches a threshold."""
    scheme = index.configuration.make_scheme(index._frequencies.of(index.configuration))
    tokens = index.tokenizer.encode(Texts.from_strings([" ".join(query)])).ids
    return scheme.query_estimate(tokens, threshold)


@pytest.fixture(params=["minhash", "oph"])
def planted(tmp_path, request):
    """An index of other words in which the query stands once, from token 5000 on."""
    random = np.random.default_rng(6)
    query = [f"q{number}" for number in range(40)]
    noise = [f"w{number}" for number in random.integers(0, 3000, 10_000)]
    text = " ".join([*noise[:5000], *query, *noise[5000:]])
    with PassageIndex.build(
        tmp_path / "index", [text], min_length=20, max_length=80, num_hashes=8, scheme=request.param
    ) as index:
        yield index._store.segments[0], estimated(index, query, 0.75)


@pytest.mark.parametrize("skip_costly", [False, True])
def test_bins_without_the_query_do_not_pass(planted, skip_costly):
    segment, sketch = planted
    bins = find_collided_bins(segment, sketch, (20, 66), skip_costly, unbounded())
    assert bins[5000 // BIN]
    assert np.count_nonzero(bins) <= 3


def test_functions_under_which_the_query_has_no_key_count_for_no_bin(planted):
    segment, sketch = planted
    one = int(sketch.worths.max())
    nothing = sketch._replace(keys=np.full(8, -1), least=one)
    assert not find_collided_bins(segment, nothing, (20, 66), skip_costly=False, execution=unbounded()).any()
    half = sketch._replace(keys=np.where(np.arange(8) < 4, sketch.keys, -1))
    assert not find_collided_bins(
        segment,
        half._replace(least=5 * one),
        (20, 66),
        skip_costly=True,
        execution=unbounded(),
    ).any()
    assert find_collided_bins(
        segment,
        half._replace(least=4 * one),
        (20, 66),
        skip_costly=True,
        execution=unbounded(),
    )[5000 // BIN]


def test_windows_of_other_lengths_count_for_no_bin(planted):
    segment, sketch = planted
    sketch = sketch._replace(least=int(sketch.worths.max()))
    assert find_collided_bins(segment, sketch, (20, 80), skip_costly=False, execution=unbounded()).any()
    assert not find_collided_bins(segment, sketch, (1000, 2000), skip_costly=False, execution=unbounded()).any()


def test_the_lists_of_common_keys_are_looked_up_and_not_read(tmp_path):
    """The text is one word over and over with the query in it, and the query holds that word too."""
    query = [*(f"q{number}" for number in range(30)), *["the"] * 10]
    text = " ".join([*["the"] * 30_000, *query, *["the"] * 30_000])
    with PassageIndex.build(
        tmp_path / "index", [text], min_length=20, max_length=80, scheme="minhash", num_hashes=16
    ) as index:
        sketch = estimated(index, query, 0.8)
        (segment,) = index._store.segments
        statistics = SearchStatistics()
        bins = find_collided_bins(
            segment, sketch, (20, 80), skip_costly=False, execution=Execution(None, 1, statistics)
        )
        assert np.flatnonzero(bins).tolist() == [30_000 // BIN]
        assert statistics.lists == statistics.lists_read + statistics.lists_probed + statistics.lists_skipped
        assert statistics.lists_read == 16 - sketch.least + 1
        assert statistics.postings > 30_000
        assert statistics.postings_read < 1_000
