"""Rewritten passages grow to the least length; copies stay as they are."""

import numpy as np
import pytest

from ibidem.alignment.extension import Measures, climb, extend_box
from ibidem.alignment.lengthening import lengthen_rewritten
from ibidem.alignment.selection import Criteria
from ibidem.alignment.weighted_pair import Pair


def a_sentence_in_two_texts(kept: int) -> tuple[Pair, np.ndarray]:
    """Two texts that share ``kept`` of every three words of a sentence of 30, and where a climb puts it."""
    copy = np.arange(100, 130)
    rewritten = np.where(np.arange(30) % 3 < kept, copy, copy + 100)
    a = np.concatenate([np.arange(50), copy, np.arange(50, 80)]).astype(np.int32)
    b = np.concatenate([np.arange(230, 270), rewritten, np.arange(270, 300)]).astype(np.int32)
    pair = Pair(a, b, np.ones(300), np.ones(100), 8)
    return pair, extend_box(pair, np.zeros((2, 300), np.int64), np.array([50, 80, 40, 70]))


def test_a_short_passage_that_was_rewritten_grows_to_the_least_length() -> None:
    pair, box = a_sentence_in_two_texts(kept=2)
    criteria = Criteria(0.3, 40, 5.0)
    [grown] = lengthen_rewritten(Measures(pair), box[np.newaxis], criteria)
    assert max(grown[1] - grown[0], grown[3] - grown[2]) == 40
    assert (grown[::2] <= box[::2]).all()
    assert (grown[1::2] >= box[1::2]).all()
    assert Measures(pair).of(grown)[0] > Measures(pair).of(np.array([40, 80, 30, 70]))[0]
    for pair_of_enough in (criteria._replace(min_pair_length=20), criteria._replace(nats=1e3)):
        assert not len(lengthen_rewritten(Measures(pair), box[np.newaxis], pair_of_enough))


def test_few_places_are_tried_for_a_passage_that_must_become_long(monkeypatch: pytest.MonkeyPatch) -> None:
    climbs = []

    def count(pair: Pair, counts: np.ndarray, box: np.ndarray, moves: int) -> tuple[float, float]:
        climbs.append(box)
        reached: tuple[float, float] = climb(pair, counts, box, moves)
        return reached

    monkeypatch.setattr("ibidem.alignment.lengthening.climb", count)
    short, _ = a_sentence_in_two_texts(kept=2)
    margin = np.zeros(5000, np.int32)
    pair = short._replace(a=np.concatenate([margin, short.a, margin]), b=np.concatenate([margin, short.b, margin]))
    pair = pair._replace(growth=np.ones(11_000))
    box = np.array([5050, 5080, 5040, 5070])
    [grown] = lengthen_rewritten(Measures(pair), box[np.newaxis], Criteria(0.3, 5000, 5.0))
    assert grown[1] - grown[0] >= 5000
    assert climbs
    assert len(climbs) <= 41


def test_a_short_copy_is_left_as_it_is() -> None:
    pair, box = a_sentence_in_two_texts(kept=3)
    assert box.tolist() == [50, 80, 40, 70]
    assert not len(lengthen_rewritten(Measures(pair), box[np.newaxis], Criteria(0.3, 40, 5.0)))
