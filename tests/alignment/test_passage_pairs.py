"""The steps on a pair of weighed texts, and the pairs around seeds that a caller gives."""

import numpy as np

from ibidem.alignment.passage_pairs import criteria_for, extend_seed_boxes, find_passage_pairs
from ibidem.alignment.weighted_pair import Pair, weigh_pair
from ibidem.weights import Weighting

COPY = np.arange(1000, 1080, dtype=np.uint32)


def pair_with_a_copy() -> Pair:
    """Two texts of different tokens; tokens 100 to 180 of the first are tokens 200 to 280 of the second."""
    a = np.concatenate([np.arange(100, dtype=np.uint32), COPY, np.arange(100, 200, dtype=np.uint32)])
    b = np.concatenate([np.arange(300, 500, dtype=np.uint32), COPY, np.arange(500, 550, dtype=np.uint32)])
    return weigh_pair(a, b, Weighting.of("multiset"), window=16)


def test_a_seed_box_inside_a_copy_leads_to_its_ends() -> None:
    pair = pair_with_a_copy()
    seed = np.array([[130, 150, 230, 250]])
    assert extend_seed_boxes(pair, seed, criteria_for(pair, 0.3, 40)).tolist() == [[100, 180, 200, 280]]


def test_seed_boxes_without_a_similar_passage_lead_to_nothing() -> None:
    pair = pair_with_a_copy()
    assert len(extend_seed_boxes(pair, np.array([[0, 40, 0, 40]]), criteria_for(pair, 0.3, 40))) == 0
    assert len(extend_seed_boxes(pair, np.empty((0, 4), np.int64), criteria_for(pair, 0.3, 40))) == 0


def test_two_seed_boxes_of_one_copy_lead_to_one_pair() -> None:
    pair = pair_with_a_copy()
    seeds = np.array([[100, 120, 200, 220], [160, 180, 260, 280]])
    assert extend_seed_boxes(pair, seeds, criteria_for(pair, 0.3, 40)).tolist() == [[100, 180, 200, 280]]


def test_the_seeds_of_the_pair_itself_lead_to_the_pairs_that_are_found() -> None:
    pair = pair_with_a_copy()
    found = find_passage_pairs(pair, criteria_for(pair, 0.3, 40), summaries=True)
    assert found.similar.tolist() == [[100, 180, 200, 280]]
    assert len(found.summaries) == 0
    assert found.exchange().similar.tolist() == [[200, 280, 100, 180]]
