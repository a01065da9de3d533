"""Without the keys that cannot matter the windows are the same as those that the plain sweep makes of every key."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baselines import stack_sweep
from ibidem.corpus import read
from ibidem.hashing import function_seeds
from ibidem.kernels import LANES, kernel, not_greater
from ibidem.sketches.families import MultisetFamily, SetFamily, WeightedFamily
from ibidem.sketches.windows import pruning
from ibidem.sketches.windows.scanline import UNBOUNDED, scanlines
from ibidem.text import make_tokenizer
from ibidem.text.token_stream import prepare_tokens
from ibidem.weights import DocumentFrequencies, Weighting

FAMILIES = {
    "set": SetFamily(),
    "multiset": MultisetFamily(),
    "squared": WeightedFamily(Weighting("squared")),
    "logarithmic, standard": WeightedFamily(
        Weighting("logarithmic", "standard", DocumentFrequencies([0, 1, 2, 3], [10, 4, 1, 9], 10))
    ),
}
"""Under the last, token 0 weighs nothing."""

each_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES.keys())


@st.composite
def texts(draw):
    """Texts with runs of one token, phrases that return, and tokens that do not."""
    tokens = st.integers(0, draw(st.sampled_from([0, 1, 3, 40])))
    phrases = st.builds(
        lambda phrase, times: phrase * times, st.lists(tokens, min_size=1, max_size=8), st.integers(1, 12)
    )
    several = draw(st.lists(st.lists(phrases, max_size=5), min_size=1, max_size=4))
    return [[token for phrase in parts for token in phrase] for parts in several]


@st.composite
def lengths(draw):
    low = draw(st.sampled_from([1, 2, 6, 7, 8, 15, 16, 31, 32, 63]))
    return low, draw(st.sampled_from([low, low + 1, 2 * low + 5, 300, UNBOUNDED]))


def stream_of(documents, max_length):
    tokens = np.array([token for text in documents for token in text], np.uint32)
    return prepare_tokens(tokens, np.cumsum([0, *map(len, documents)]), max_length)


def columns(windows):
    """Windows in the order of postings, which no two share; but for windows of one key with one start there."""
    order = np.lexsort((windows.d, windows.a, windows.keys))
    return [column[order].tolist() for column in windows]


def assert_same_windows(stream, family, seeds, min_length, max_length):
    functions = [family.active(stream.vocabulary, stream.peaks, seed) for seed in seeds]
    for values, windows in zip(functions, scanlines(stream, functions, min_length, max_length), strict=True):
        assert columns(windows) == columns(stack_sweep.scanline(stream, values, min_length, max_length))


@each_family
@given(documents=texts(), allowed=lengths(), seed=st.integers(0, 2**63))
def test_windows_are_those_of_the_plain_sweep(family, documents, allowed, seed):
    assert_same_windows(stream_of(documents, allowed[1]), family, function_seeds(seed, 3), *allowed)


@each_family
@settings(max_examples=25)
@given(documents=texts(), allowed=lengths())
def test_neither_chunks_nor_groups_of_functions_change_a_window(family, documents, allowed):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pruning, "CHUNK_TOKENS", 32)
        patch.setattr(pruning, "MOST_FUNCTIONS", 4)
        assert_same_windows(stream_of(documents, allowed[1]), family, function_seeds(5, 6), *allowed)


@each_family
@pytest.mark.parametrize("distinct", [1, 2, 3, 50, 5000])
def test_long_texts_have_the_windows_of_the_plain_sweep(family, distinct):
    """Long enough for segments to stand whole words of the bitset apart, and for several chunks."""
    random = np.random.default_rng(distinct)
    documents = [random.integers(0, distinct, size).tolist() for size in (40_000, 10, 9_000)]
    assert_same_windows(stream_of(documents, 6000), family, function_seeds(1, 2), 32, 6000)


ranks = st.integers(0, 64).flatmap(lambda bits: st.integers(0, (1 << bits) - 1))


@given(ranks=st.lists(ranks, min_size=2, max_size=2))
def test_codes_never_turn_the_order_of_ranks_round(ranks):
    low, high = (np.uint64(rank) for rank in sorted(ranks))
    assert pruning._code_of(low) <= pruning._code_of(high) < pruning._NONE


@kernel
def compared(values, i, bounds, j):
    return not_greater(values, i, bounds, j)


@given(numbers=st.lists(st.integers(0, 2**16 - 1), min_size=2 * LANES + 8, max_size=2 * LANES + 8))
def test_numbers_are_compared_side_by_side_wherever_they_begin(numbers):
    array = np.array(numbers, np.uint16)
    for i, j in ((0, LANES), (3, 8), (LANES + 8, 1)):
        expected = sum(1 << f for f in range(LANES) if numbers[i + f] <= numbers[j + f])
        assert compared(array, i, array, j) == expected


def test_all_functions_of_a_group_keep_to_themselves():
    documents = [np.random.default_rng(3).zipf(1.2, 3000) % 200]
    assert_same_windows(stream_of(documents, 100), MultisetFamily(), function_seeds(2, 130), 16, 100)


def test_few_keys_matter_where_passages_are_long():
    """A single token matters if it is the least of a passage of 32: 2 of 33 are. Blocks of 8 keep few others."""
    stream = stream_of([list(range(20_000))], 1024)
    functions = [SetFamily().active(stream.vocabulary, stream.peaks, seed) for seed in function_seeds(3, 8)]
    kept = sum(len(keys.spans) for keys in pruning.find_keys_that_matter(stream, functions, 32, 1024))
    assert 0.06 < kept / (8 * 20_000) < 0.09


@pytest.mark.parametrize("name", ["clough-stevenson", "classics-zh"])
@each_family
def test_real_texts_have_the_windows_of_the_plain_sweep(family, name, data):
    [batch, *_] = read(data / f"{name}.jsonl.gz")
    tokens = make_tokenizer("words").encode(batch.texts)
    tokens_of_some, bounds = tokens.ids[:60_000], np.minimum(tokens.bounds, 60_000)
    for min_length, max_length in ((8, 64), (32, 1024)):
        stream = prepare_tokens(tokens_of_some, bounds, max_length)
        assert_same_windows(stream, family, function_seeds(4, 5), min_length, max_length)
