"""Stretches of frequent text, and the places where their parts stand first."""

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.resources import Resources
from ibidem.reuse.collection import Collection
from ibidem.reuse.frequent import choose_shingle_width
from ibidem.reuse.removal.frequent_passages import find_frequent
from ibidem.text import make_tokenizer
from tests.reuse.small_collections import read_collection

from ..quotations import words

SHARED = words(700, 40)


def read(texts: list[list[str]], folder: str) -> Collection:
    documents = [(f"{number:02}", " ".join(text)) for number, text in enumerate(texts)]
    return read_collection([documents], make_tokenizer("words"), Path(folder), Resources.of("64M", 1, None))


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(8, 40), st.integers(0, 20)), min_size=4, max_size=8))
def test_stretches_are_long_and_their_boxes_hold_the_first_place_of_each_part(
    pieces: list[tuple[int, int, int]],
) -> None:
    texts = [
        [*words(1_000 + number, before), *SHARED[first : first + 20], *words(1_100 + number, 9)]
        for number, (first, _, before) in enumerate(pieces)
    ]
    with tempfile.TemporaryDirectory() as folder:
        collection = read(texts, folder)
        frequent = find_frequent(collection, 2, 8, 14)
        width = choose_shingle_width(len(collection.tokens), int(collection.input.lengths("texts").sum()))
    tokens, bounds = collection.tokens.tolist(), collection.bounds
    places: dict[tuple[int, ...], list[int]] = {}
    for document in range(len(collection)):
        for at in range(bounds[document], bounds[document + 1] - width + 1):
            places.setdefault(tuple(tokens[at : at + width]), []).append(at)
    held_by = {key: len({int(np.searchsorted(bounds, at, side="right")) for at in ats}) for key, ats in places.items()}
    covered = {at + n for key, ats in places.items() if held_by[key] > 2 for at in ats for n in range(width)}
    for first, last in frequent.ranges.tolist():
        assert last - first >= 14
        assert {first, last - 1} <= covered
        assert first - 1 not in covered or first in bounds
        for key, ats in places.items():
            if held_by[key] > 2:
                for at in ats:
                    if first <= at < last and at != ats[0]:
                        assert any(
                            box[2:] == [first, last] and box[0] <= ats[0] and ats[0] + width <= box[1]
                            for box in frequent.boxes.tolist()
                        )


def test_text_of_few_documents_and_short_text_is_no_stretch() -> None:
    texts = [[*words(number, 30), *(SHARED if number < 3 else []), *SHARED[:10]] for number in range(8)]
    with tempfile.TemporaryDirectory() as folder:
        frequent = find_frequent(read(texts, folder), 3, 8, 20)
    assert len(frequent.ranges) == len(frequent.boxes) == 0
