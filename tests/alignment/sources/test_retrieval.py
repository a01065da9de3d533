"""Which documents are likely sources: what the kernels find, beside sums over sets of tokens."""

import math
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem import PassageIndex
from ibidem.alignment.against_index import learn_from_segments, token_frequencies
from ibidem.alignment.sources.retrieval import LikelySource, likely_sources
from ibidem.alignment.sources.runs import Postings, SharedRuns
from ibidem.text import Texts

W = 32
STREAM = (np.random.default_rng(5).zipf(1.3, 90_000) % 8_000).tolist()
CUTS = [0, 7, 31, 32, 100, 2_000, 2_001, 9_000, 9_063, 20_000, 70_000, 90_000]
DOCUMENTS = [STREAM[first:last] for first, last in pairwise(CUTS)]
REMOVED = "4"


def words(tokens: list[int]) -> str:
    return " ".join(f"w{token}" for token in tokens)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PassageIndex]:
    """Two segments, a removed document in one of them."""
    named = [(str(number), words(each)) for number, each in enumerate(DOCUMENTS)]
    with PassageIndex.build(tmp_path_factory.mktemp("sources") / "index", named[:8]) as built:
        built.add(named[8:])
        built.remove([REMOVED])
        yield built


STAYING = {str(number): tokens for number, tokens in enumerate(DOCUMENTS) if str(number) != REMOVED}
COUNTS = Counter(token for tokens in STAYING.values() for token in tokens)
PLACES = {id: [set(tokens[at : at + 2 * W]) for at in range(0, len(tokens), W)] for id, tokens in STAYING.items()}


def evidence_of_documents(query: list[int], threshold: float) -> dict[str, float]:
    """The greatest evidence of a place of each document, for the documents by their ids."""
    share = threshold / (1 + threshold)
    chance = {token: 1 - math.exp(-2 * W * max(COUNTS[token], 1) / COUNTS.total()) for token in query}
    held = {token: math.log(share / chance[token]) for token in query}
    lacking = {token: math.log((1 - share) / (1 - chance[token])) for token in query}
    windows = [set(query[first : first + 2 * W]) for first in range(0, max(len(query) - W, 1), W)]
    telling = [{token for token in window if chance[token] < share} for window in windows]
    lacking_all = [sum(lacking[token] for token in window) for window in telling]
    return {
        id: max(
            without + sum(held[token] - lacking[token] for token in window & place)
            for place in places
            for window, without in zip(telling, lacking_all, strict=True)
        )
        for id, places in PLACES.items()
    }


@st.composite
def queries(draw: st.DrawFn) -> list[int]:
    """Pieces of documents, some of them with words lost, and words that stand in none."""
    query: list[int] = []
    for _ in range(draw(st.integers(1, 4))):
        first = draw(st.integers(0, len(STREAM) - 1))
        piece = STREAM[first : first + draw(st.integers(1, 120))]
        query += piece[:: draw(st.integers(1, 3))]
        query += range(9_000, 9_000 + draw(st.integers(0, 50)))
    return query


@settings(max_examples=25)
@given(query=queries(), threshold=st.sampled_from([0.1, 0.3, 1.0]))
def test_sources_are_the_documents_whose_best_place_is_beyond_chance(
    index: PassageIndex, query: list[int], threshold: float
) -> None:
    found = find(index, query, threshold)
    total = len(STREAM) - len(DOCUMENTS[int(REMOVED)])
    windows, places = max(1, math.ceil(len(query) / W) - 1), total // W
    needed = math.log(10 * windows * places)
    expected = evidence_of_documents(query, threshold)
    evidence = {source.segment.document_id(source.row): source.evidence for source in found}
    rounding = 0.05  # evidence is counted in whole units
    assert {id for id, value in expected.items() if value > needed + rounding} <= set(evidence)
    found_by_runs = set(ids_of_runs(index, query))
    by_places = {id: value for id, value in evidence.items() if id not in found_by_runs}
    assert all(abs(value - expected[id]) < rounding and value >= needed for id, value in by_places.items())
    assert found_by_runs <= set(evidence)


def ids_of_runs(index: PassageIndex, query: list[int]) -> Iterator[str]:
    """The documents with a long run of the query's words."""
    vocabulary, ids = np.unique(encoded(index, query), return_inverse=True)
    model = learn_from_segments(index.segments)
    runs = SharedRuns.of(vocabulary, ids, token_frequencies(index.segments), model, 0.1)
    for segment in index.segments:
        postings = Postings.read(segment, vocabulary, np.ones(len(vocabulary), np.bool_))
        for row in np.flatnonzero(runs.find(segment, postings)[:, 0]).tolist():
            yield segment.document_id(row)


def encoded(index: PassageIndex, query: list[int]) -> np.ndarray:
    return index.tokenizer.encode(Texts.from_strings([words(query)])).ids


def find(index: PassageIndex, query: list[int], threshold: float = 0.3) -> list[LikelySource]:
    segments = index.segments
    return likely_sources(
        encoded(index, query), segments, token_frequencies(segments), learn_from_segments(segments), threshold
    )


def test_a_text_of_unknown_words_or_of_none_has_no_source(index: PassageIndex) -> None:
    assert find(index, list(range(9_000, 9_400))) == []
    assert find(index, []) == []
    assert (
        likely_sources(encoded(index, DOCUMENTS[9][:200]), [], token_frequencies([]), learn_from_segments([]), 0.3)
        == []
    )


def test_a_text_made_of_chance_has_no_source(index: PassageIndex) -> None:
    drawn = (np.random.default_rng(6).zipf(1.3, 5_000) % 8_000).tolist()
    assert find(index, drawn) == []


def test_a_removed_document_is_no_source(index: PassageIndex) -> None:
    removed = DOCUMENTS[int(REMOVED)]
    assert REMOVED not in {source.segment.document_id(source.row) for source in find(index, removed)}


def test_a_source_names_the_places_that_share_most_with_the_text(index: PassageIndex) -> None:
    document = DOCUMENTS[9]
    [source] = find(index, document[640:1_000])
    base = source.segment.token_bounds[source.row]
    windows, places = source.places.T
    assert (np.abs(places - base - 640 - windows) <= W).all()
    assert len(places) >= 8
