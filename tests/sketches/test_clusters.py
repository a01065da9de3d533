"""Clusters of sketches by a table of fingerprints (Broder 1997, section 4.4)."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.errors import ConfigurationError
from ibidem.sketches.bottom_s import BottomS
from ibidem.sketches.clusters import gather_sketches
from ibidem.sketches.signatures import KMins

collections = st.lists(st.frozensets(st.integers(0, 25), max_size=12), max_size=12)


def resemblance(representative, sketch):
    smallest = sorted(set(representative) | set(sketch))[:8]
    return sum(value in representative and value in sketch for value in smallest) / len(smallest)


def by_definition(sketches, threshold, popular):
    """Every representative is compared with every sketch."""
    labels, counts, representatives = [], {}, {}
    for number, sketch in enumerate(sketches):
        values = sketch.values.tolist()
        found = [(resemblance(r, values), -label) for label, r in representatives.items() if set(r) & set(values)]
        best, label = max(found, default=(0, 0))
        if best >= threshold:
            labels.append(-label)
            counts[-label].update(values)
            if popular:
                ranked = sorted(counts[-label].items(), key=lambda item: (-item[1], item[0]))
                representatives[-label] = [value for value, _ in ranked[:8]]
        else:
            labels.append(number)
            counts[number], representatives[number] = Counter(values), values
    return labels


@given(sets=collections, threshold=st.sampled_from([0.2, 0.5, 0.9, 1.0]), popular=st.booleans())
def test_the_table_finds_the_clusters_that_comparing_all_of_them_finds(sets, threshold, popular):
    sketches = [BottomS.of(each, 8) for each in sets]
    found = gather_sketches(sketches, threshold, "popular" if popular else "first")
    assert found.tolist() == by_definition(sketches, threshold, popular)


def test_a_representative_follows_what_is_popular():
    like_the_first, like_most, like_the_last = range(60), range(20, 80), range(35, 95)
    sketches = [BottomS.of(each, 60) for each in (like_the_first, like_most, like_most, like_most, like_the_last)]
    assert gather_sketches(sketches, 0.45, "first").tolist() == [0, 0, 0, 0, 4]
    assert gather_sketches(sketches, 0.45).tolist() == [0, 0, 0, 0, 0]


def test_sketches_without_a_value_stand_alone():
    assert gather_sketches([BottomS(8), BottomS(8)]).tolist() == [0, 1]
    assert gather_sketches([]).dtype == np.int64


def test_sketches_that_cannot_meet_or_choices_that_cannot_be_are_errors():
    with pytest.raises(ConfigurationError, match="of num_hashes 8 cannot be compared with one of num_hashes 9"):
        gather_sketches([BottomS(8), BottomS(9)])
    with pytest.raises(ConfigurationError, match="not of KMins"):
        gather_sketches([KMins(8)])
    for choices in ({"threshold": 0}, {"threshold": 1.1}, {"representative": "last"}):
        with pytest.raises(ValueError, match="not"):
            gather_sketches([BottomS(8)], **choices)
