"""The evidence of tokens follows from their share of the collection, and what two places need of it from its size."""

import math
import random
from pathlib import Path

import numpy as np
import pytest

from ibidem.resources import Resources
from ibidem.reuse.collection import Collection, Comparable
from ibidem.reuse.evident import require_evidence
from ibidem.reuse.windows import WindowJoin
from ibidem.text import make_tokenizer
from tests.reuse.small_collections import read_collection


def collect(folder: Path, texts: int) -> Collection:
    generator = random.Random(texts)
    documents = [(f"{n:03}", " ".join(f"w{int(900 ** generator.random())}" for _ in range(400))) for n in range(texts)]
    return read_collection([documents], make_tokenizer("words"), folder, Resources.of("64M", 1, None))


@pytest.mark.parametrize("texts", [2, 200])
def test_the_evidence_of_a_token_is_the_likelihood_ratio_of_a_place_of_64_tokens(tmp_path: Path, texts: int) -> None:
    collection = collect(tmp_path, texts)
    comparable = require_evidence(Comparable.of(collection, 32), collection, WindowJoin())
    counts = np.bincount(collection.tokens, minlength=len(collection.vocabulary))
    share = 0.3 / 1.3
    for token in (0, int(counts.argmin()), int(counts.argmax())):
        # In fewer tokens than 2^16, no token is common.
        by_chance = min(1 - math.exp(-int(counts[token]) * 64 / max(len(collection.tokens), 1 << 16)), share)
        lacked = math.log((1 - share) / (1 - by_chance))
        assert comparable.absence[token] / 4096 == pytest.approx(lacked, abs=1e-3)
        assert comparable.presence[token] / 4096 == pytest.approx(math.log(share / by_chance) - lacked, abs=1e-3)
    places = 400 / 32 * len(collection.tokens) / 32
    assert comparable.least_evidence / 4096 == pytest.approx(np.full(texts, math.log(places)), abs=1e-3)


def test_the_exact_join_asks_for_no_evidence(tmp_path: Path) -> None:
    collection = collect(tmp_path, 2)
    comparable = require_evidence(Comparable.of(collection, 32), collection, WindowJoin(recall=1.0))
    assert len(comparable.presence) == len(comparable.least_evidence) == 0
