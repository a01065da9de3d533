"""The keys of every bin."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from baselines.one_permutation import values_of_bin
from ibidem.sketches.one_permutation import bin_values
from ibidem.sketches.windows.bin_keys import find_bin_keys
from ibidem.text.token_stream import prepare_tokens
from ibidem.weights import Weighting

LARGE = 2**30


def prepared(texts, family, k, max_length=LARGE):
    tokens = np.array([token for text in texts for token in text], np.uint32)
    stream = prepare_tokens(tokens, np.cumsum([0, *map(len, texts)]), max_length)
    return stream, bin_values(Weighting.of(family), stream.vocabulary, stream.peaks, np.uint64(2**63 + 5), k)


def keys_by_definition(stream, values, which, max_length):
    """The keys of a bin: of each token, from its last occurrence back, those at which a value of the bin holds."""
    active, found = values_of_bin(values, which), []
    for low, high in zip(stream.bounds[:-1], stream.bounds[1:], strict=True):
        for q in range(low, high):
            token = stream.ids[q]
            before = [p for p in range(q, max(low, q - max_length + 1) - 1, -1) if stream.ids[p] == token]
            for v in range(active.bounds[token], active.bounds[token + 1]):
                if active.x[v] <= len(before):
                    found.append((before[active.x[v] - 1], q, int(active.rank[v])))
    return found


def keys_of(found, values, which):
    spans = found.spans[found.bounds[which] : found.bounds[which + 1]]
    return [(int(p), int(q), int(values.rank[v])) for p, q, v in spans]


texts = st.lists(st.lists(st.integers(0, 6), max_size=200), min_size=1, max_size=3)
bins = st.sampled_from([1, 2, 7])
most = st.sampled_from([1, 9, 100, LARGE])


@given(texts=texts, family=st.sampled_from(["set", "multiset"]), k=bins, max_length=most)
def test_each_bin_has_its_keys_by_right_end_and_then_from_the_last_start_to_the_first(texts, family, k, max_length):
    stream, values = prepared(texts, family, k, max_length)
    found = find_bin_keys(stream, values, range(k), max_length)
    for which in range(k):
        assert keys_of(found, values, which) == keys_by_definition(stream, values, which, max_length)


def test_no_token_has_no_keys():
    stream, values = prepared([[]], "multiset", 3)
    assert find_bin_keys(stream, values, range(3), LARGE).bounds.tolist() == [0, 0, 0, 0]
