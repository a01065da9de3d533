"""One suite for every sketch: what it keeps, what it estimates, how it merges, and its bytes.

The statistical tests have fixed seeds. With fresh seeds each would raise a false alarm less than once in a million, as
its docstring says.
"""

import copy
import math
import pickle
import re
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.errors import ConfigurationError, DamagedError, FormatVersionError
from ibidem.similarity import containment, jaccard
from ibidem.sketches.bottom_s import BottomS
from ibidem.sketches.densification import OnePermutation
from ibidem.sketches.mod_m import ModM
from ibidem.sketches.signatures import KMins
from ibidem.sketches.size_adaptive import SizeAdaptive
from ibidem.sketches.sketches import EMPTY, HEADER, MAGIC, checksum, compare_samples

from .sets_and_seeds import ELEMENTS as elements
from .sets_and_seeds import SEEDS as seeds

CLASSES = [BottomS, ModM, SizeAdaptive, KMins, OnePermutation]
SIZES = {BottomS: 8, ModM: 3, SizeAdaptive: 8, KMins: 8, OnePermutation: 8}
each_class = pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)


@given(
    a=st.frozensets(st.integers(2**63 - 5, 2**63 + 5)),
    b=st.frozensets(st.integers(2**63 - 5, 2**63 + 5)),
    most=st.one_of(st.none(), st.integers(0, 12)),
)
def test_an_overlap_counts_over_the_smallest_values_of_the_union(a, b, most):
    union = set(sorted(a | b)[:most])
    arrays = (np.array(sorted(each), np.uint64) for each in (a, b))
    assert compare_samples(*arrays, most) == (len(a & union), len(a & b & union), len(union))


# Estimates.

RUNS = 400


def pairs():
    source = np.random.default_rng(8)
    top = ~source.choice(10**6, 900, replace=False).astype(np.uint64)
    return {
        "most": (top[:500], top[25:525]),
        "half": (top[:600], top[200:800]),
        "little": (top[:450], top[400:850]),
        "a short one in a long one": (top[:150], top[:900]),
        "a long one and a short one": (top[:800], top[700:850]),
        "few": (top[:6], top[3:8]),
    }


def large_enough(kind):
    return {BottomS: 64, ModM: 8, SizeAdaptive: 64, KMins: 64, OnePermutation: 64}[kind]


@each_class
@pytest.mark.parametrize("name", pairs())
def test_resemblance_is_estimated_without_bias(kind, name):
    """An estimate from n values has a variance of J (1 - J) / n or less; the sum over runs is nearly normal."""
    a, b = pairs()[name]
    check_bias(kind, a, b, jaccard(a, b), lambda one, other: one.resemblance(other))


@pytest.mark.parametrize("kind", [BottomS, ModM, SizeAdaptive])
@pytest.mark.parametrize("name", pairs())
def test_containment_is_estimated_without_bias(kind, name):
    a, b = pairs()[name]
    check_bias(kind, a, b, containment(a, b), lambda one, other: one.containment(other))


def check_bias(kind, a, b, exact, compare):
    estimates = [compare(*(kind.of(each, large_enough(kind), seed) for each in (a, b))) for seed in range(RUNS)]
    known = [estimate for estimate in estimates if estimate.sampled]
    assert len(known) > RUNS / 3
    deviation = math.sqrt(sum(exact * (1 - exact) / estimate.sampled for estimate in known))
    assert abs(sum(estimate - exact for estimate in known)) <= 5 * deviation + 1e-9


@each_class
def test_estimates_lie_within_their_interval_as_often_as_it_says(kind):
    """Of 400 intervals of 95 %, fewer than 357 hold with a probability below 1e-6."""
    for a, b in (pairs()["half"], pairs()["most"]):
        made = [[kind.of(each, large_enough(kind), seed) for each in (a, b)] for seed in range(RUNS)]
        intervals = [one.resemblance(other).interval(0.95) for one, other in made]
        assert sum(low <= jaccard(a, b) <= high for low, high in intervals) >= 357


@each_class
def test_sets_that_fit_into_a_sketch_are_compared_exactly_or_nearly(kind):
    a, b = kind.of(["a", "rose"], 4096), kind.of(["rose", b"is", "a"], 4096)
    if kind is ModM:
        a, b = kind.of(["a", "rose"], 1), kind.of(["rose", b"is", "a"], 1)
    assert a.resemblance(b) == pytest.approx(2 / 3, abs=0.05)  # of k functions, a little more or less agree
    assert a.resemblance(a) == 1
    if kind in (BottomS, ModM, SizeAdaptive):
        assert a.resemblance(b) == 2 / 3
        assert (a.containment(b), b.containment(a)) == (1, 2 / 3)


@each_class
def test_two_empty_sets_are_alike_and_one_is_like_no_other(kind):
    empty, other = kind(SIZES[kind]), kind.of(range(100), SIZES[kind])
    assert empty.resemblance(other) == other.resemblance(empty) == 0
    if kind is ModM:  # a sketch without values may be that of any small set
        assert math.isnan(empty.resemblance(empty))
        assert math.isnan(empty.containment(other))
    else:
        assert empty.resemblance(empty) == 1
    if kind in (BottomS, SizeAdaptive):
        assert empty.containment(other) == 1
        assert other.containment(empty) == 0


@pytest.mark.parametrize("kind", [BottomS, SizeAdaptive])
def test_of_a_set_that_left_nothing_in_the_sample_containment_is_unknown(kind):
    one, many = kind.of(["rose"], 16), kind.of(range(100_000), 16)
    assert math.isnan(one.containment(many))
    assert one.containment(many).interval() == (0, 1)


@pytest.mark.parametrize("kind", [BottomS, SizeAdaptive, KMins])
def test_the_number_of_elements_is_estimated_without_bias(kind):
    """Relative errors of these sketches are at most 0.2 each; the mean of 400 is nearly normal."""
    for number in (900, 30_000):
        counts = [kind.of(np.arange(number), 64, seed).count() for seed in range(RUNS)]
        assert abs(np.mean(counts) / number - 1) <= 5 * 0.2 / math.sqrt(RUNS)
    assert kind(64).count() == 0


@pytest.mark.parametrize("kind", [BottomS, SizeAdaptive])
def test_a_small_set_is_counted_exactly(kind):
    assert kind.of(range(60), 64).count() == 60


# Growth and union.


@each_class
@given(a=elements, b=elements, seed=seeds)
def test_a_merged_sketch_is_the_sketch_of_the_union(kind, a, b, seed):
    one, other = (kind.of(each, SIZES[kind], seed) for each in (a, b))
    united = kind.of(a | b, SIZES[kind], seed)
    assert one.union(other) == united == other.union(one)
    assert one == kind.of(a, SIZES[kind], seed)
    one.merge(other)
    assert one == united


@each_class
@given(members=st.lists(st.integers(0, 99)), cut=st.integers(0, 50))
def test_elements_may_come_in_parts_in_any_order_and_again(kind, members, cut):
    made = kind(SIZES[kind])
    made.update(members[cut:])
    made.update(members[:cut])
    made.update(members)
    assert made == kind.of(set(members), SIZES[kind])


@each_class
def test_a_wrong_element_adds_nothing(kind):
    made = kind.of(["a"], SIZES[kind])
    before = made.copy()
    with pytest.raises(TypeError):
        made.update(["b", None])
    assert made == before


@each_class
def test_a_copy_shares_nothing(kind):
    made = kind.of(["a"], SIZES[kind])
    for other in (made.copy(), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert other == made
        other.update(range(100))
        assert other != made
    assert made != "a"


@each_class
@pytest.mark.parametrize("other", ["seed", "num_hashes"])
def test_sketches_of_another_seed_or_size_do_not_meet(kind, other):
    one, two = kind(SIZES[kind]), kind(SIZES[kind], 1) if other == "seed" else kind(11)
    name = kind.size_name if other == "num_hashes" else other
    for meet in (one.resemblance, one.merge, *([one.containment] if hasattr(one, "containment") else [])):
        with pytest.raises(ConfigurationError, match=f"of {name} .* cannot be compared with one of {name}"):
            meet(two)


@each_class
def test_sketches_of_two_kinds_do_not_meet(kind):
    other = CLASSES[CLASSES.index(kind) - 1]
    with pytest.raises(ConfigurationError, match=f"a {kind.__name__} cannot be compared with a {other.__name__}"):
        kind(8).resemblance(other(8))


@each_class
@pytest.mark.parametrize(("size", "seed"), [(0, 0), (-1, 0), (2**32, 0), (8, -1), (8, 2**64)])
def test_a_size_or_seed_out_of_range_is_an_error(kind, size, seed):
    with pytest.raises(ValueError, match=kind.size_name if seed == 0 else "seed"):
        kind(size, seed)


# Bytes.

GOLDEN = {
    BottomS: (
        "4942736b010100000100000000000080030000000000000003000000000000006fff5b31ed95b10334a69c8c2db46915"
        "21b3f78195477b1a5a79133e4a308cfd"
    ),
    ModM: (
        "4942736b0102000001000000000000800300000000000000020000000000000021b3f78195477b1a175da5d63c3b516a"
        "797d6cac16155d70"
    ),
    SizeAdaptive: (
        "4942736b0103010001000000000000800300000000000000020000000000000034a69c8c2db46915ba32822bf53882a9"
        "b8fd615fd8834da2"
    ),
    KMins: (
        "4942736b010400000100000000000080030000000000000003000000000000006fff5b31ed95b1032bbe946b2a5d460a"
        "359772d34886220fd49f82566ba1aef8"
    ),
    OnePermutation: (
        "4942736b010500000100000000000080030000000000000003000000000000006fff5b31ed95b103175da5d63c3b516a"
        "ffffffffffffffffcbeda70f03b3e91a"
    ),
}
WORDS = ["a", "rose", "is", "a", "rose", "is", "a", "rose,", "in", "the", "same", "place"]


@each_class
def test_the_bytes_of_a_sketch_are_those_of_the_format(kind):
    made = kind.of(WORDS, 3, seed=2**63 + 1)
    assert made.to_bytes().hex() == GOLDEN[kind]
    assert kind.from_bytes(bytes.fromhex(GOLDEN[kind])) == made


@each_class
@given(members=elements, seed=seeds)
def test_a_sketch_is_read_as_it_was_written(kind, members, seed):
    made = kind.of(members, SIZES[kind], seed)
    read = kind.from_bytes(made.to_bytes())
    assert read == made
    read.update([7])
    assert read == kind.of(members | {7}, SIZES[kind], seed)


@each_class
@given(data=st.data())
def test_damaged_bytes_are_refused(kind, data):
    whole = kind.of(range(50), SIZES[kind]).to_bytes()
    cut = data.draw(st.integers(0, len(whole) - 1))
    flipped = bytearray(whole)
    flipped[cut] ^= 1 << data.draw(st.integers(0, 7))
    for damaged in (whole[:cut], bytes(flipped), whole + b"\0"):
        with pytest.raises((DamagedError, FormatVersionError)):
            kind.from_bytes(damaged)


def forged(kind, size, values, level=0):
    body = HEADER.pack(MAGIC, 1, kind.kind, level, 0, size, len(values)) + struct.pack(f"<{len(values)}Q", *values)
    return body + checksum(body)


@pytest.mark.parametrize(
    ("kind", "size", "values", "level"),
    [
        (BottomS, 2, [1, 2, 3], 0),
        (BottomS, 4, [2, 1], 0),
        (BottomS, 0, [], 0),
        (ModM, 3, [3, 4], 0),
        (ModM, 3, [3, 3], 0),
        (SizeAdaptive, 8, [4, 6], 2),
        (SizeAdaptive, 1, [4, 8], 2),
        (SizeAdaptive, 8, [], 64),
        (KMins, 2, [1], 0),
        (KMins, 2, [1, int(EMPTY)], 0),
        (OnePermutation, 2, [1], 0),
        (OnePermutation, 2, [2**63, int(EMPTY)], 0),
    ],
)
def test_values_that_no_such_sketch_has_are_refused(kind, size, values, level):
    with pytest.raises(DamagedError, match=r"values are not those|cannot be"):
        kind.from_bytes(forged(kind, size, values, level))


def test_a_newer_format_is_refused():
    body = HEADER.pack(MAGIC, 2, 1, 0, 0, 8, 0)
    with pytest.raises(FormatVersionError, match="format 2"):
        BottomS.from_bytes(body + checksum(body))


def test_a_sketch_of_another_class_is_refused():
    with pytest.raises(ConfigurationError, match="kind 1, and a KMins is of kind 4"):
        KMins.from_bytes(BottomS(8).to_bytes())


PAGE = (Path(__file__).parents[2] / "docs" / "format.md").read_text(encoding="utf-8")


def test_the_page_on_formats_has_the_bytes_of_a_sketch():
    table = re.findall(r"^\| (\d+) \| `([^`]+)` \|", PAGE.split("## Sketches")[1], re.MULTILINE)
    offset, described = 0, []
    for dtype in ("4s", "B", "B", "<H", "<Q", "<Q", "<Q"):
        described.append((str(offset), dtype))
        offset += struct.calcsize(dtype)
    assert table[: len(described)] == described
    assert offset == HEADER.size
    assert "<" + "".join(dtype.lstrip("<") for _, dtype in described) == HEADER.format
    assert table[len(described)] == (str(HEADER.size), "<u8")


@each_class
def test_the_page_on_formats_has_every_kind(kind):
    assert re.search(rf"^\| {kind.kind} \| `{kind.__name__}` \|", PAGE, re.MULTILINE)
