"""Runs of tokens that a text and a document share, beside those that are found by comparing every two positions."""

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem import PassageIndex
from ibidem.alignment.against_index import learn_from_segments, token_frequencies
from ibidem.alignment.sources.runs import LEAST, Postings, SharedRuns, choose_anchors
from ibidem.text import Texts

DRAWN = random.Random(3)
DOCUMENTS = [[f"w{int(3_000 ** DRAWN.random())}" for _ in range(size)] for size in (5, 300, 12, 900, 40, 2_000)]
REMOVED = "4"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> PassageIndex:
    named = [(str(number), " ".join(each)) for number, each in enumerate(DOCUMENTS)]
    built = PassageIndex.build(tmp_path_factory.mktemp("runs") / "index", named)
    built.remove([REMOVED])
    return built


def longest_evidence(text: list[str], runs: SharedRuns) -> dict[str, float]:
    """The most nats of a run of each document that is not removed, of those that ``runs`` asks for."""
    stay = {str(number): each for number, each in enumerate(DOCUMENTS) if str(number) != REMOVED}
    counts = Counter(word for each in stay.values() for word in each)
    least, behind = min(LEAST, len(text)), np.diff(runs.behind)
    best = {}
    for id, words in stay.items():
        for a in range(len(text)):
            for b in range(len(words)):
                if a and b and text[a - 1] == words[b - 1]:
                    continue
                length = 0
                while a + length < len(text) and b + length < len(words) and text[a + length] == words[b + length]:
                    length += 1
                run = text[a : a + length]
                if not run:
                    continue
                nats = runs.alone[a] + sum(behind[a + 1 : a + length])
                # Of its rarest words one is an anchor.
                if length >= least and nats >= runs.needed and min(counts[word] for word in run) <= counts.total() / 64:
                    best[id] = max(best.get(id, 0.0), nats)
    return best


@st.composite
def texts(draw: st.DrawFn) -> list[str]:
    """Pieces of documents, and words of none, of few, and of many."""
    text: list[str] = []
    for _ in range(draw(st.integers(1, 4))):
        document = DOCUMENTS[draw(st.integers(0, len(DOCUMENTS) - 1))]
        first = draw(st.integers(0, len(document) - 1))
        text += document[first : first + draw(st.integers(1, 40))]
        text += draw(st.lists(st.sampled_from(["w1", "w2", "none"]), max_size=3))
    return text


@settings(max_examples=20, deadline=None)
@given(text=texts())
def test_each_document_with_a_long_run_is_found_with_the_run_of_most_evidence(
    index: PassageIndex, text: list[str]
) -> None:
    ids = index.tokenizer.encode(Texts.from_strings([" ".join(text)])).ids
    vocabulary, places = np.unique(ids, return_inverse=True)
    model = learn_from_segments(index.segments)
    runs = SharedRuns.of(vocabulary, places, token_frequencies(index.segments), model, 0.1)
    [segment] = index.segments
    expected = longest_evidence(text, runs)
    anchors = np.isin(np.arange(len(vocabulary)), runs.anchor_ids)
    postings = Postings.read(segment, vocabulary, anchors)
    for row, (nats, in_text, in_segment) in enumerate(runs.find(segment, postings).tolist()):
        id = segment.document_id(row)
        assert nats == pytest.approx(expected.get(id, 0), abs=1)
        if nats:
            least = min(LEAST, len(ids))
            assert (ids[in_text : in_text + least] == segment.tokens[in_segment : in_segment + least]).all()
            assert segment.token_bounds[row] <= in_segment < segment.token_bounds[row + 1]


@given(counts=st.lists(st.integers(0, 4), max_size=30), length=st.integers(1, 8))
def test_every_run_of_tokens_that_occur_holds_an_anchor(counts: list[int], length: int) -> None:
    anchors = choose_anchors(np.array(counts, np.int64), length).tolist()
    assert all(counts[anchor] > 0 for anchor in anchors)
    for first in range(len(counts) - length + 1):
        run = range(first, first + length)
        rarest = min(counts[position] for position in run)
        assert rarest == 0 or any(position in run and counts[position] == rarest for position in anchors)


def test_word_for_word_items_in_documents_are_found_however_common_their_words(tmp_path: Path) -> None:
    drawn = random.Random(9)
    words = [f"w{int(40 ** drawn.random())}" for _ in range(30_000)]  # as few words as a form has
    items = [words[first : first + drawn.randrange(20, 61)] for first in range(0, 15_000, 300)]
    documents = [
        (str(number), " ".join([*words[first : first + 120], *item, *words[first + 120 : first + 240]]))
        for number, (item, first) in enumerate(zip(items, range(15_000, 30_000, 300), strict=True))
    ]
    with PassageIndex.build(tmp_path / "index", documents) as index:
        for number, item in enumerate(items):
            assert str(number) in {match.document for match in index.align(" ".join(item), min_pair_length=12)}
