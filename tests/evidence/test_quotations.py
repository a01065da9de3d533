"""Which runs are quotations: so surprising, and so long."""

import math

import numpy as np
import pytest

from ibidem.evidence.null_model import learn_null_model
from ibidem.evidence.quotations import QuotationRule, find_quotations
from ibidem.evidence.seeds import Documents


def collection(run: int, texts: int = 40, length: int = 240) -> tuple[np.ndarray, np.ndarray]:
    """Texts of rare words; the first two share a run of so many."""
    tokens = np.random.default_rng(run).integers(0, 5_000, texts * length).astype(np.uint32)
    tokens[length + 50 : length + 50 + run] = tokens[100 : 100 + run]
    return tokens, np.arange(0, texts * length + 1, length)


def quotations(run: int, rule: QuotationRule) -> list[tuple[list[int], list[int], float]]:
    tokens, bounds = collection(run)
    side = np.full(len(bounds) - 1, -1, np.int32)
    model = learn_null_model(tokens, bounds, side)
    ids = np.searchsorted(model.background.names, tokens).astype(np.int32)
    documents = Documents.of(ids, bounds, side)
    runs, evidence = find_quotations(documents, model, rule, 1 << 20)
    return list(zip(runs.documents.tolist(), runs.ranges.tolist(), evidence.tolist(), strict=True))


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("run", [7, 8, 30, 31])
def test_a_quotation_has_more_than_an_eighth_of_the_shorter_text_or_eight_tokens_of_a_known_one(
    run: int, known: bool
) -> None:
    found = quotations(run, QuotationRule(1e-3, known=known))
    assert [row[:2] for row in found] == (
        [([0, 1], [100, 100 + run, 50, 50 + run])] if run >= (8 if known else 31) else []
    )


def test_a_least_length_that_is_asked_for_takes_the_place_of_both() -> None:
    assert len(quotations(6, QuotationRule(1e-3, 6))) == 1
    assert not quotations(6, QuotationRule(1e-3, 7))


def test_chance_gives_less_than_was_allowed() -> None:
    for _, _, evidence in quotations(12, QuotationRule(1e-3, 2)):
        assert 240 * 240 * math.exp(-evidence) <= 1e-3
    assert not quotations(12, QuotationRule(1e-300, 2))
