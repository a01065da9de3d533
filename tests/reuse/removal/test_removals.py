"""Whatever pairs are claimed, what goes duplicates something that stays, and ranges behave as sets of places."""

import tempfile
from itertools import pairwise
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.resources import Resources
from ibidem.reuse.collection import Collection
from ibidem.reuse.removal import removals
from ibidem.reuse.removal.duplicates import Duplicates
from ibidem.reuse.removal.parts import measure_similarity
from ibidem.reuse.removal.removals import Removal, choose_removals
from ibidem.text import make_tokenizer
from tests.reuse.small_collections import read_collection


def read_texts(texts: list[str]) -> Collection:
    documents = [(str(number), text) for number, text in enumerate(texts)]
    with tempfile.TemporaryDirectory() as folder:
        return read_collection([documents], make_tokenizer("words"), Path(folder), Resources.of("64M", 1, None))


def claim(*rows: tuple[int, int, int, int, int, int]) -> Duplicates:
    """Pairs of (document, document, first, last, first, last)."""
    table = np.array(rows, np.int64).reshape(-1, 6)
    return Duplicates(table[:, :2], table[:, 2:])


documents = st.lists(st.lists(st.sampled_from("abc"), min_size=3, max_size=12), min_size=1, max_size=4)


@given(documents, st.sampled_from([0.5, 0.8, 1.0]), st.integers(1, 4), st.data())
def test_what_goes_resembles_something_that_stays_whatever_is_claimed(
    texts: list[list[str]], threshold: float, least: int, data: st.DataObject
) -> None:
    rows = []
    for _ in range(data.draw(st.integers(0, 6))):
        pair = sorted(data.draw(st.integers(0, len(texts) - 1)) for _ in range(2))
        ends = [sorted(data.draw(st.tuples(*[st.integers(0, len(texts[document]))] * 2))) for document in pair]
        if all(first < last for first, last in ends):
            rows.append((*pair, *ends[0], *ends[1]))
    collection = read_texts([" ".join(text) for text in texts])
    removals = choose_removals(collection, claim(*rows), threshold, least)
    assert removals == sorted(removals)
    for removal in removals:
        begins = collection.bounds[[removal.document, removal.of]]
        passage = collection.tokens[begins[0] + removal.first : begins[0] + removal.last]
        place = collection.tokens[begins[1] + removal.of_first : begins[1] + removal.of_last]
        assert min(len(passage), len(place)) >= least
        assert removal.similarity == measure_similarity(passage, place, collection.idf) >= threshold - 1e-9
        for other in removals:
            if other.document == removal.of:  # what stays in place of another is whole
                assert other.last <= removal.of_first or removal.of_last <= other.first
    for one, other in pairwise(removals):
        assert one.document < other.document or one.last <= other.first


def test_the_later_document_loses_the_passage() -> None:
    collection = read_texts(["x a b c d", "y z a b c d"])
    removals = choose_removals(collection, claim((0, 1, 1, 5, 2, 6)), 1.0, 2)
    assert removals == [Removal(1, 2, 6, 0, 1, 5, 1.0, 4, 11)]


def test_what_duplicates_a_passage_that_is_gone_duplicates_what_that_duplicated() -> None:
    text = "a b c d e f"
    collection = read_texts([text, text, text])
    removals = choose_removals(collection, claim((0, 1, 0, 6, 0, 6), (1, 2, 0, 6, 0, 6)), 1.0, 2)
    assert [(removal.document, removal.of) for removal in removals] == [(1, 0), (2, 0)]


def test_what_is_too_short_or_not_similar_stays() -> None:
    collection = read_texts(["a b c d e f", "a b x y e f"])
    claimed = claim((0, 1, 0, 6, 0, 6))
    assert choose_removals(collection, claimed, 0.9, 3) == []
    assert [removal[1:3] for removal in choose_removals(collection, claimed, 0.9, 2)] == [(0, 2), (4, 6)]


spans = st.tuples(st.integers(0, 20), st.integers(1, 8)).map(lambda place: (place[0], sum(place)))


@given(st.lists(spans, max_size=10), spans)
def test_ranges_are_the_places_that_were_added(added: list[tuple[int, int]], span: tuple[int, int]) -> None:
    ranges = removals._Ranges()
    for added_span in added:
        ranges.add(added_span)
    places = {place for added_span in added for place in range(*added_span)}
    merged_spans = ranges.find((0, 100))
    assert [place for merged_span in merged_spans for place in range(*merged_span)] == sorted(places)
    assert ranges.meets(span) == bool(places.intersection(range(*span)))
    assert ranges.find(span) == [
        merged_span for merged_span in merged_spans if merged_span[0] < span[1] and span[0] < merged_span[1]
    ]
