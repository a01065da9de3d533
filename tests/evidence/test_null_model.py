"""What a collection says of tokens, in the numbers of other texts, and the sample from which it is learnt."""

import numpy as np
import pytest

from ibidem import NullModel
from ibidem.evidence import null_model
from ibidem.evidence.background import weigh_behind
from ibidem.evidence.null_model import learn_null_model

WORDS = np.array([7, 11, 4_000_000_000, 23, 5], np.uint32)
TEXTS = np.random.default_rng(1).choice(WORDS, 600)
BOUNDS, SIDE = np.array([0, 200, 400, 600]), np.full(3, -1, np.int32)


def surprise(model: NullModel, names: np.ndarray, tokens: list[int]) -> list[float]:
    """That of each of ``tokens``, given by name, in a background with these ``names``."""
    behind = np.zeros(len(tokens))
    ids = np.array([list(names).index(token) for token in tokens], np.int32)
    weigh_behind(model.background, ids, behind)
    return behind.tolist()


def test_other_numbers_of_the_same_tokens_change_no_surprise() -> None:
    model = learn_null_model(TEXTS, BOUNDS, SIDE)
    run, names = [11, 7, 4_000_000_000, 11], np.array([4_000_000_000, 99, 11, 7], np.uint32)
    renumbered = model._replace(background=model.background.renumber(names))
    assert surprise(renumbered, names, run) == surprise(model, model.background.names, run)


def test_a_token_that_the_collection_lacks_is_more_surprising_than_all_that_it_has() -> None:
    model = learn_null_model(TEXTS, BOUNDS, SIDE)
    alone = model.background.renumber(np.array([99, *WORDS], np.uint32)).alone
    assert alone[0] > alone[1:].max()


def test_a_sample_is_every_so_manieth_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(null_model, "SAMPLE", 100)
    monkeypatch.setattr(null_model, "_PIECE", 10)
    documents = [np.arange(first, first + 35, dtype=np.uint32) for first in range(0, 1000, 100)]
    sample = null_model._draw_sample([[document] for document in documents])
    begins = [first + at for first in range(0, 1000, 100) for at in range(0, 35, 10)]
    assert [piece[0] for piece in sample.pieces] == begins[::4]
    assert sum(map(len, sample.pieces)) <= 100
    assert sample.share == 0.25
    whole = null_model._draw_sample([[np.arange(35, dtype=np.uint32)]] * 2)
    assert np.concatenate(whole.pieces).tolist() == list(range(35)) * 2
    assert whole.share == 1


def test_two_sides_are_learnt_apart() -> None:
    documents = [f"one{n} two{n} three{n} four{n}" for n in range(3)]
    assert NullModel.of(documents, against=documents[:1]).background.names.size == 12
    assert NullModel.of([]).chance == NullModel.of(documents).chance
