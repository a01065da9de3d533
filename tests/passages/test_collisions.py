"""The filter over bins loses no passage that collides often enough."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem import PassageIndex
from ibidem.passages import collisions
from ibidem.passages.collisions import BIN, collided_bins
from ibidem.sketch.kmins import sketch
from ibidem.text import Texts
from ibidem.windows.scanline import scanline
from ibidem.windows.stream import token_stream

FAMILIES = [
    {"family": "set"},
    {"family": "multiset"},
    {"family": "weighted", "tf": "squared"},
    {"family": "weighted", "tf": "logarithmic", "idf": "standard"},
]
LENGTHS = (3, 60)


def words(random, size, count):
    return [f"w{number}" for number in random.zipf(1.3, count) % size]


def collision_counts(index, segment, keys):
    """Under how many functions each passage of the segment has the key of the query, int [T, T], from all windows."""
    family = index.configuration.make_family(index._frequencies())
    stream = token_stream(np.asarray(segment.tokens), np.asarray(segment.token_bounds))
    counts = np.zeros((segment.num_tokens, segment.num_tokens), np.int64)
    for seed, key in zip(index.configuration.seeds(), keys, strict=True):
        windows = scanline(stream, family.active(stream.vocabulary, stream.peaks, seed))
        for found, a, b, c, d in zip(*windows, strict=True):
            if found == key:
                counts[a : b + 1, c : d + 1] += 1
    return counts


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
        asked = index.tokenizer.encode(Texts.from_strings([" ".join(query)])).ids
        keys = sketch(index.configuration.make_family(index._frequencies()), asked, index.configuration.seeds())
        counts = collision_counts(index, segment, keys)
        size = np.arange(len(counts)) - np.arange(len(counts))[:, None] + 1
        counts[(size < lengths[0]) | (size > lengths[1])] = 0
        most = counts.max(axis=1, initial=0)
        for needed in range(7):
            expected = np.unique(np.flatnonzero(most >= needed) // BIN)
            for thrifty, cost in ((False, 12.0), (True, 12.0), (True, 0.01)):
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(collisions, "_POSTING_COST", cost)
                    bins = collided_bins(segment, keys, needed, lengths, thrifty)
                assert bins.shape == (segment.num_tokens // BIN + 1,)
                assert bins[expected].all()
                assert needed or bins.all()


@pytest.fixture
def planted(tmp_path):
    """An index of other words in which the query stands once, from token 5000 on."""
    random = np.random.default_rng(6)
    query = [f"q{number}" for number in range(40)]
    noise = [f"w{number}" for number in random.integers(0, 3000, 10_000)]
    text = " ".join([*noise[:5000], *query, *noise[5000:]])
    with PassageIndex.build(tmp_path / "index", [text], min_length=20, max_length=80, k=8) as index:
        asked = index.tokenizer.encode(Texts.from_strings([" ".join(query)])).ids
        yield (
            index._store.segments[0],
            sketch(index.configuration.make_family(None), asked, index.configuration.seeds()),
        )


@pytest.mark.parametrize("thrifty", [False, True])
def test_bins_without_the_query_do_not_pass(planted, thrifty):
    segment, keys = planted
    bins = collided_bins(segment, keys, 6, (20, 66), thrifty)
    assert bins[5000 // BIN]
    assert np.count_nonzero(bins) <= 3


def test_functions_under_which_the_query_has_no_key_count_for_no_bin(planted):
    segment, keys = planted
    nothing = np.full(len(keys), -1)
    assert not collided_bins(segment, nothing, 1, (20, 66), thrifty=False).any()
    half = np.where(np.arange(len(keys)) < 4, keys, -1)
    assert not collided_bins(segment, half, 5, (20, 66), thrifty=True).any()
    assert collided_bins(segment, half, 4, (20, 66), thrifty=True)[5000 // BIN]


def test_windows_of_other_lengths_count_for_no_bin(planted):
    segment, keys = planted
    assert collided_bins(segment, keys, 1, (20, 80), thrifty=False).any()
    assert not collided_bins(segment, keys, 1, (1000, 2000), thrifty=False).any()
