"""Documents of a segment that resemble a query, against the definition of resemblance."""

from pathlib import Path

import numpy as np
import pytest

from ibidem.documents.index import DocumentIndex
from ibidem.documents.index_builder import make_keys
from ibidem.documents.index_search import find_similar
from ibidem.text import Texts

WORDS = [
    "the",
    "tide",
    "is",
    "out",
    "and",
    "the",
    "village",
    "walks",
    "down",
    "to",
    "the",
    "flats",
    "with",
    "lamps",
    "and",
    "baskets",
]
QUERY = " ".join(WORDS)
STORED = {
    "same": QUERY,
    "near": " ".join([*WORDS[:-1], "many", "bags"]),
    "far": "a garden of beans along the wall is late this year",
}


def shingles(text: str) -> set[tuple[str, ...]]:
    words = text.split()
    return {tuple(words[first : first + 2]) for first in range(len(words) - 1)}


def test_pairs_have_the_resemblance_of_their_shingles_and_reach_the_threshold(tmp_path: Path) -> None:
    with DocumentIndex.build(tmp_path / "index", STORED.items(), shingle="words:2", threshold=0.5) as index:
        [segment] = index._store.segments
        tokens = index._shingler.tokens(Texts.from_strings([QUERY, "nothing like it"]))
        keys = make_keys(index.configuration, 2, tokens)
        pairs = find_similar(segment, tokens, keys, 2, 0.5)
    expected = {
        name: len(shingles(QUERY) & shingles(text)) / len(shingles(QUERY) | shingles(text))
        for name, text in STORED.items()
    }
    assert pairs.queries.tolist() == [0, 0]
    names = [list(STORED)[row] for row in pairs.rows.tolist()]
    assert dict(zip(names, pairs.similarities.tolist(), strict=True)) == pytest.approx(
        {name: value for name, value in expected.items() if value >= 0.5}
    )
    assert pairs.similarities.dtype == np.float64
    contained = [len(shingles(QUERY) & shingles(STORED[name])) / len(shingles(STORED[name])) for name in names]
    assert pairs.containments.tolist() == contained
