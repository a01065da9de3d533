"""Frequent text is what a plain count of shingles says, whatever the order, the side and the size of the pieces."""

from collections import defaultdict

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.reuse import frequent
from ibidem.reuse.frequent import ShingledTexts, find_frequent, find_phrases, hash_shingles

_Ints = npt.NDArray[np.int64]

WIDTH, VOCABULARY = 3, np.arange(100, 106, dtype=np.uint32)

collections = st.lists(st.lists(st.integers(0, 5), max_size=14), min_size=1, max_size=7)


def columns(documents: list[list[int]]) -> tuple[npt.NDArray[np.int32], _Ints]:
    tokens = np.array([token for document in documents for token in document], np.int32)
    return tokens, np.cumsum([0, *map(len, documents)])


def places_of(documents: list[list[int]]) -> dict[tuple[int, ...], list[tuple[int, int]]]:
    """Where each shingle stands: documents, and places in all tokens."""
    _, bounds = columns(documents)
    places = defaultdict(list)
    for number, document in enumerate(documents):
        for at in range(len(document) - WIDTH + 1):
            places[tuple(document[at : at + WIDTH])].append((number, int(bounds[number]) + at))
    return places


@given(collections, st.integers(1, 4), st.data())
@pytest.mark.parametrize("size", [4, 1 << 18])
def test_runs_cover_the_shingles_that_many_documents_hold(
    size: int, documents: list[list[int]], least: int, data: st.DataObject
) -> None:
    tokens, bounds = columns(documents)
    order = np.array(data.draw(st.permutations(range(len(documents)))), np.int64)
    side = np.array(data.draw(st.lists(st.integers(0, 1), min_size=len(documents), max_size=len(documents))), np.int32)
    rank = {int(document): nth for nth, document in enumerate(order)}
    ranks = np.array([rank[number] for number in range(len(documents))], np.int32)
    texts = ShingledTexts(tokens, bounds, VOCABULARY, ranks, side)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(frequent, "_PIECE", size)
        patched.setattr(frequent, "_SORTED", size)
        runs, hashes = find_frequent(texts, WIDTH, least)
        known_runs, known_hashes = find_frequent(texts, WIDTH, least, known_hashes=hashes)
    assert (known_runs.tolist(), known_hashes.tolist()) == (runs.tolist(), hashes.tolist())
    places = {key: at for key, at in places_of(documents).items() if len({number for number, _ in at}) >= least}
    covered = {place + step for at in places.values() for _, place in at for step in range(WIDTH)}
    assert {place for first, last, _, _ in runs.tolist() for place in range(first, last)} == covered
    for first, last, of, count in runs.tolist():
        document = int(np.searchsorted(bounds, first, side="right")) - 1
        place_lists = [places[tuple(tokens[at : at + WIDTH].tolist())] for at in range(first, last - WIDTH + 1)]
        assert count == max(len({number for number, _ in at}) for at in place_lists)
        other_places = [(rank[number], place) for number, place in place_lists[0] if side[number] != side[document]]
        assert of == (min(other_places)[1] if other_places else -1)
        if of >= 0:
            assert tokens[of : of + last - first].tolist() == tokens[first:last].tolist()


@given(collections, st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=4), max_size=3))
def test_phrases_are_found_wherever_they_stand(documents: list[list[int]], phrases: list[list[int]]) -> None:
    tokens, bounds = columns(documents)
    texts = ShingledTexts(tokens, bounds, VOCABULARY, np.arange(len(documents), dtype=np.int32))
    ranges = find_phrases(texts, [VOCABULARY[phrase] for phrase in phrases])
    expected = {
        (int(bounds[number]) + at, int(bounds[number]) + at + len(phrase))
        for number, document in enumerate(documents)
        for phrase in phrases
        for at in range(len(document) - len(phrase) + 1)
        if document[at : at + len(phrase)] == phrase
    }
    assert {(first, last) for first, last in ranges.tolist()} == expected


@given(st.lists(st.lists(st.integers(0, 3), max_size=20), max_size=4), st.integers(1, 9))
def test_shingles_have_one_hash_where_they_are_the_same(texts: list[list[int]], width: int) -> None:
    ids = np.array([token for text in texts for token in text], np.uint32)
    hashes, bounds = hash_shingles(ids, np.cumsum([0, *map(len, texts)]), width)
    shingles = [tuple(text[at : at + width]) for text in texts for at in range(len(text) - width + 1)]
    assert np.diff(bounds).tolist() == [max(0, len(text) - width + 1) for text in texts]
    assert len(hashes) == len(shingles)
    assert len(set(zip(shingles, hashes.tolist(), strict=True))) == len(set(shingles)) == len(set(hashes.tolist()))
