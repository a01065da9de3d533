"""Active hash values against an oracle in plain Python, and by the number."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.sketches.families import MultisetFamily, SetFamily, WeightedFamily, _make_ordered
from ibidem.weights import IDF, TF, DocumentFrequencies, Weighting

MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15

FREQUENCIES = DocumentFrequencies([0, 1, 7, 2**31, 2**32 - 1], [10, 3, 3, 7, 1], 10)
"""Token 0 stands in every document, token 2^31 in more than half of them."""

tokens_of_a_text = st.dictionaries(
    st.one_of(st.sampled_from([0, 1, 7, 2**31, 2**32 - 1]), st.integers(0, 2**32 - 1)), st.integers(1, 60), max_size=8
)
seeds = st.one_of(st.integers(2**63, MASK), st.integers(0, MASK))
weightings = st.builds(
    lambda tf, idf: Weighting(tf, idf, FREQUENCIES), st.sampled_from(sorted(TF)), st.sampled_from(sorted(IDF))
)


def mixed(x):
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


def base_of(token, seed):
    return mixed(mixed(token + GOLDEN & MASK) ^ seed)


def active(family, text, seed):
    """The active values of each token of ``text``, a dict of frequencies: lists of (x, rank, key)."""
    tokens = np.array(list(text), np.uint32)
    values = family.active(tokens, np.array(list(text.values()), np.int32), np.uint64(seed))
    assert [column.dtype for column in values] == [np.int64, np.int32, np.uint64, np.uint32]
    rows = list(zip(values.x.tolist(), values.rank.tolist(), values.key.tolist(), strict=True))
    assert values.bounds[0] == 0
    assert values.bounds[-1] == len(rows)
    return [rows[low:high] for low, high in zip(values.bounds[:-1], values.bounds[1:], strict=True)]


def strict_minima(values):
    """Of the (value, key) at frequencies 1, 2, ... those below all before, with their frequency."""
    kept = []
    for x, (value, key) in enumerate(values, start=1):
        if not kept or value < kept[-1][1]:
            kept.append((x, value, key))
    return kept


@given(text=tokens_of_a_text, seed=seeds)
def test_a_set_has_one_value_for_each_token(text, seed):
    expected = [[(1, base_of(token, seed), base_of(token, seed) & 0xFFFFFFFF)] for token in text]
    assert active(SetFamily(), text, seed) == expected


@given(text=tokens_of_a_text, seed=seeds)
def test_a_multiset_has_the_strict_minima_over_its_frequencies(text, seed):
    def values(token, frequency):
        for x in range(1, frequency + 1):
            value = mixed(base_of(token, seed) + x * GOLDEN & MASK)
            yield value, value & 0xFFFFFFFF

    expected = [strict_minima(values(token, frequency)) for token, frequency in text.items()]
    assert active(MultisetFamily(), text, seed) == expected


def consistent_samples(token, frequency, seed, weighting):
    """Ioffe's (a, t) at each frequency, with a as its logarithm, and the key of (token, t)."""
    base = base_of(token, seed)
    u1, u2, u3, u4, beta = (((mixed(base + lane * GOLDEN & MASK) >> 11) + 0.5) * 2.0**-53 for lane in range(1, 6))
    r, c = -math.log(u1 * u2), -math.log(u3 * u4)
    idf = float(weighting.idf_of([token])[0])
    for x in range(1, frequency + 1):
        s = math.floor((math.log(weighting.tf_table(x)[x]) + math.log(idf)) / r + beta)
        yield math.log(c) - r * (s - beta) - r, mixed(base ^ mixed(s & MASK)) & 0xFFFFFFFF


@given(text=tokens_of_a_text, seed=seeds, weighting=weightings)
def test_weighted_values_are_those_of_consistent_sampling(text, seed, weighting):
    found = active(WeightedFamily(weighting), text, seed)
    for (token, frequency), rows in zip(text.items(), found, strict=True):
        if weighting.idf_of([token])[0] <= 0:
            assert rows == []
            continue
        expected = strict_minima(consistent_samples(token, frequency, seed, weighting))
        assert [(x, key) for x, _, key in rows] == [(x, key) for x, _, key in expected]
        logs = [float_of_rank(rank) for _, rank, _ in rows]
        assert logs == pytest.approx([value for _, value, _ in expected], rel=1e-9, abs=1e-9)


@given(text=tokens_of_a_text, seed=seeds, weighting=weightings)
def test_ranks_fall_strictly_and_frequencies_rise(text, seed, weighting):
    for family in (SetFamily(), MultisetFamily(), WeightedFamily(weighting)):
        for (_, frequency), rows in zip(text.items(), active(family, text, seed), strict=True):
            assert all(a[0] < b[0] and a[1] > b[1] for a, b in pairwise(rows))
            assert all(1 <= x <= frequency for x, _, _ in rows)


@given(text=tokens_of_a_text, seed=seeds, weighting=weightings, more=st.integers(1, 40))
def test_values_of_a_lower_frequency_are_a_beginning_of_those_of_a_higher_one(text, seed, weighting, more):
    higher = {token: frequency + more for token, frequency in text.items()}
    for family in (SetFamily(), MultisetFamily(), WeightedFamily(weighting)):
        for frequency, few, many in zip(
            text.values(), active(family, text, seed), active(family, higher, seed), strict=True
        ):
            assert few == [row for row in many if row[0] <= frequency]


@pytest.mark.parametrize(
    ("idf", "out"), [("unary", []), ("smooth", []), ("standard", [0]), ("probabilistic", [0, 2**31])]
)
def test_tokens_without_a_positive_weight_have_no_values(idf, out):
    text = {0: 3, 1: 3, 2**31: 3, 99: 3}
    found = active(WeightedFamily(Weighting("raw", idf, FREQUENCIES)), text, 2**63 + 1)
    assert [token for token, rows in zip(text, found, strict=True) if not rows] == out


@pytest.mark.parametrize("family", [SetFamily(), MultisetFamily(), WeightedFamily(Weighting())])
def test_no_tokens_have_no_values(family):
    assert active(family, {}, 5) == []


@pytest.mark.parametrize("family", [MultisetFamily(), WeightedFamily(Weighting("squared"))])
def test_more_values_than_there_was_room_for_are_those_of_each_token_alone(family):
    text = dict.fromkeys(range(200), 3000)
    rows = active(family, text, 2**63)
    assert sum(map(len, rows)) > 2 * (2 * len(text) + 16)
    assert rows == [active(family, {token: 3000}, 2**63)[0] for token in text]


def float_of_rank(rank):
    """The float64 whose order the rank keeps."""
    bits = rank ^ (1 << 63) if rank >= 1 << 63 else rank ^ MASK
    return float(np.array([bits], np.uint64).view(np.float64)[0])


@given(values=st.lists(st.floats(allow_nan=False).map(lambda value: value + 0.0), min_size=2))
def test_ranks_are_in_the_order_of_floats_of_both_signs(values):
    ranks = _make_ordered(np.array(values)).tolist()
    for a, rank_a in zip(values, ranks, strict=True):
        assert float_of_rank(rank_a) == a
        for b, rank_b in zip(values, ranks, strict=True):
            assert (a < b) == (rank_a < rank_b)


# By the number, for tokens 0, 7 and 2^32 - 1 of frequency 1, 3 and 40 under a seed above 2^63.

FEW = DocumentFrequencies([0, 7], [10, 3], 10)
GOLDEN_VALUES = {
    "set": (
        SetFamily(),
        [
            [(1, 5846818889694375721, 1783033641)],
            [(1, 8089667207608511459, 3835800547)],
            [(1, 14558192871867348817, 3410425681)],
        ],
    ),
    "multiset": (
        MultisetFamily(),
        [
            [(1, 13251715793428155013, 3015182981)],
            [(1, 15359779714204741720, 1030533208), (2, 1117919003626723883, 718559787)],
            [
                (1, 9206278958967312525, 2892386445),
                (2, 2117411544378563764, 3254705332),
                (27, 749991423649359919, 3879053359),
            ],
        ],
    ),
    "logarithmic, smooth": (
        WeightedFamily(Weighting("logarithmic", "smooth", FEW)),
        [
            [(1, 4610827426291154907, 738002276)],
            [(1, 13826471076246190624, 3285229098), (3, 4610695450254911880, 2264969332)],
            [(1, 4610271267388206147, 3879272186)],
        ],
    ),
    "squared": (
        WeightedFamily(Weighting("squared")),
        [
            [(1, 13830836647081282891, 1594247249)],
            [(1, 13826471076246190624, 3285229098), (2, 4610695450254911880, 2264969332)],
            [
                (1, 13820877840375108384, 1228139901),
                (2, 4610271267388206147, 3879272186),
                (6, 4605507112034904490, 2349596607),
                (24, 4602483100074172057, 3025286013),
            ],
        ],
    ),
    "raw, standard": (
        WeightedFamily(Weighting("raw", "standard", FEW)),
        [
            [],
            [(1, 13826471076246190624, 3285229098), (3, 4610695450254911880, 2264969332)],
            [(1, 4610271267388206147, 3879272186), (14, 4605507112034904490, 2349596607)],
        ],
    ),
}


@pytest.mark.parametrize("name", GOLDEN_VALUES)
def test_values_are_those_of_the_format(name):
    """Keys and frequencies by the bit; a logarithm's last bits are the machine's, so ranks of weights but nearly."""
    family, expected = GOLDEN_VALUES[name]
    found = active(family, {0: 1, 7: 3, 2**32 - 1: 40}, 2**63 + 12345)
    assert [[(x, key) for x, _, key in rows] for rows in found] == [
        [(x, key) for x, _, key in rows] for rows in expected
    ]
    for rows, wanted in zip(found, expected, strict=True):
        for (_, rank, _), (_, wanted_rank, _) in zip(rows, wanted, strict=True):
            assert abs(rank - wanted_rank) <= (64 if isinstance(family, WeightedFamily) else 0)
