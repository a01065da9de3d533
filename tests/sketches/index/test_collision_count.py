"""The filter over bins loses no passage that collides often enough."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem import DamagedError, SketchIndex
from ibidem.sketches.index.collision_count import BIN, PostingList, find_collided_bins, find_posting_lists
from ibidem.sketches.one_permutation import EMPTY_KEY
from ibidem.store import Segment
from ibidem.text import Texts
from ibidem.text.token_stream import prepare_tokens

FAMILIES = [
    {"family": "set"},
    {"family": "multiset"},
    {"family": "weighted", "tf": "squared"},
    {"family": "weighted", "tf": "logarithmic", "idf": "standard"},
    {"family": "set", "sketch": "oph"},
    {"family": "multiset", "sketch": "oph"},
    {"family": "weighted", "idf": "smooth", "sketch": "oph", "weight_units": 2},
]
LENGTHS = (3, 60)


def words(random, size, count):
    return [f"w{number}" for number in random.zipf(1.3, count) % size]


def scores_of_passages(index, segment, sketch):
    """The score of each passage of the segment against the query's sketch, int [T, T], from all windows."""
    lengths = index.configuration.min_length, index.configuration.max_length
    scheme = index._scheme
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
    with SketchIndex.build(
        folder, documents, min_length=LENGTHS[0], max_length=LENGTHS[1], num_hashes=6, **family
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
            bins = find_collided_bins(segment, sketch, lengths)
            assert bins.shape == (segment.num_tokens // BIN + 1,)
            assert bins[expected].all()
            assert needed or bins.all()


def estimated(index, query, threshold):
    """The score of the passages whose estimated similarity to some words reaches a threshold."""
    tokens = index.tokenizer.encode(Texts.from_strings([" ".join(query)])).ids
    return index._scheme.sketch_query(tokens, threshold)


@pytest.fixture(params=["minhash", "oph"])
def planted(tmp_path, request):
    """An index of other words in which the query stands once, from token 5000 on."""
    random = np.random.default_rng(6)
    query = [f"q{number}" for number in range(40)]
    noise = [f"w{number}" for number in random.integers(0, 3000, 10_000)]
    text = " ".join([*noise[:5000], *query, *noise[5000:]])
    with SketchIndex.build(
        tmp_path / "index", [text], min_length=20, max_length=80, num_hashes=8, sketch=request.param
    ) as index:
        yield index._store.segments[0], estimated(index, query, 0.75)


def test_bins_without_the_query_do_not_pass(planted):
    segment, sketch = planted
    bins = find_collided_bins(segment, sketch, (20, 66))
    assert bins[5000 // BIN]
    assert np.count_nonzero(bins) <= 3


def test_functions_under_which_the_query_has_no_key_count_for_no_bin(planted):
    segment, sketch = planted
    one = int(sketch.worths.max())
    nothing = sketch._replace(keys=np.full(8, -1), least=one)
    assert not find_collided_bins(segment, nothing, (20, 66)).any()
    half = sketch._replace(keys=np.where(np.arange(8) < 4, sketch.keys, -1))
    assert not find_collided_bins(segment, half._replace(least=5 * one), (20, 66)).any()
    assert find_collided_bins(segment, half._replace(least=4 * one), (20, 66))[5000 // BIN]


def test_windows_of_other_lengths_count_for_no_bin(planted):
    segment, sketch = planted
    sketch = sketch._replace(least=int(sketch.worths.max()))
    assert find_collided_bins(segment, sketch, (20, 80)).any()
    assert not find_collided_bins(segment, sketch, (1000, 2000)).any()


def test_the_lists_of_common_keys_are_looked_up_and_not_read(tmp_path, monkeypatch):
    """The text is one word over and over with the query in it, and the query holds that word too."""
    query = [*(f"q{number}" for number in range(30)), *["the"] * 10]
    text = " ".join([*["the"] * 30_000, *query, *["the"] * 30_000])
    read, read_list = [], PostingList.read
    monkeypatch.setattr(PostingList, "read", lambda part, segment: read.append(len(part)) or read_list(part, segment))
    with SketchIndex.build(tmp_path / "index", [text], min_length=20, max_length=80, num_hashes=16) as index:
        sketch = estimated(index, query, 0.8)
        (segment,) = index.segments
        assert np.flatnonzero(find_collided_bins(segment, sketch, (20, 80))).tolist() == [30_000 // BIN]
        assert sum(map(len, find_posting_lists(segment, sketch))) > 30_000
    assert sum(read) < 1_000


@pytest.mark.parametrize("sketch", ["minhash", "oph"])
def test_a_search_that_reads_a_window_outside_of_documents_says_that_the_index_is_damaged(
    tmp_path, monkeypatch, sketch
):
    text = "the quick brown fox jumps over the lazy dog and runs away to the far side of the wood"
    with SketchIndex.build(tmp_path / "index", [("fox", text)], sketch=sketch, num_hashes=8, min_length=4) as index:
        read = Segment.postings

        def widen(segment, low, high):
            starts, extents = read(segment, low, high)
            return starts, np.full_like(extents, 65535)

        monkeypatch.setattr(Segment, "postings", widen)
        with pytest.raises(DamagedError, match="a window ends behind its document"):
            index.search(text, threshold=0.5)
