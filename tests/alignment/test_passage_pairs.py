"""The steps on a pair of weighed texts, and the pairs around seeds that a caller gives."""

import numpy as np
import numpy.typing as npt
import pytest

from ibidem.alignment import passage_pairs
from ibidem.alignment.extension import Measures
from ibidem.alignment.passage_pairs import criteria_for, extend_seed_boxes, find_in_windows
from ibidem.alignment.weighted_pair import Pair, weigh_pair
from ibidem.weights import Weighting

COPY = np.arange(1000, 1080, dtype=np.uint32)
NO_BOX = np.empty((0, 4), np.int64)


def pair_with_a_copy() -> Pair:
    """Two texts of different tokens; tokens 100 to 180 of the first are tokens 200 to 280 of the second."""
    a = np.concatenate([np.arange(100, dtype=np.uint32), COPY, np.arange(100, 200, dtype=np.uint32)])
    b = np.concatenate([np.arange(300, 500, dtype=np.uint32), COPY, np.arange(500, 550, dtype=np.uint32)])
    return weigh_pair(a, b, Weighting.of("multiset"), window=16)


def extend(pair: Pair, boxes: npt.ArrayLike) -> list[list[int]]:
    """The similar passages that some boxes lead to."""
    seeds = np.array(boxes, np.int64).reshape(-1, 4)
    similar: list[list[int]] = extend_seed_boxes(
        Measures(pair), seeds, [32], criteria_for(pair, 0.3, 40), summaries=True
    ).similar.tolist()
    return similar


def test_a_seed_box_inside_a_copy_leads_to_its_ends() -> None:
    assert extend(pair_with_a_copy(), [[130, 150, 230, 250]]) == [[100, 180, 200, 280]]


def test_seed_boxes_without_a_similar_passage_lead_to_nothing() -> None:
    assert extend(pair_with_a_copy(), [[0, 40, 0, 40]]) == []
    assert extend(pair_with_a_copy(), []) == []


def test_two_seed_boxes_of_one_copy_lead_to_one_pair() -> None:
    assert extend(pair_with_a_copy(), [[100, 120, 200, 220], [160, 180, 260, 280]]) == [[100, 180, 200, 280]]


def pair_with_an_edited_copy(kept: str) -> Pair:
    """Tokens 100 and on of the first text are tokens 150 and on of the second, where ``kept`` has an x."""
    a, b = np.arange(300, dtype=np.uint32), np.arange(1000, 1300, dtype=np.uint32)
    places = np.flatnonzero(np.array(list(kept)) == "x")
    b[150 + places] = a[100 + places]
    return weigh_pair(a, b, Weighting.of("multiset"), window=16)


def test_near_boxes_that_lead_to_nothing_other_seeds_are_sought(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = pair_with_an_edited_copy("x..x.x.xx......x.x.xxxxxxx..xx.xxxxxx.xxxxxx.x..xx")
    box = [[125, 145, 165, 195]]  # half of a passage beside text that is none
    assert extend(pair, box) == [[110, 150, 165, 200]]
    monkeypatch.setattr(passage_pairs, "find_in_windows", lambda *_, **__: passage_pairs.PassagePairs(NO_BOX, NO_BOX))
    assert extend(pair, box) == []


def test_the_seeds_of_the_pair_itself_lead_to_the_pairs_that_are_found() -> None:
    pair = pair_with_a_copy()
    found = find_in_windows(Measures(pair), [16], criteria_for(pair, 0.3, 40), summaries=True)
    assert found.similar.tolist() == [[100, 180, 200, 280]]
    assert len(found.summaries) == 0
    assert found.exchange().similar.tolist() == [[200, 280, 100, 180]]
