"""The longest common runs, beside a comparison of every position of the text with every one of the documents."""

import random
import tempfile
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ibidem import PassageIndex
from ibidem.alignment.against_index import token_frequencies
from ibidem.alignment.longest_runs import Cover, ExactMatch, count_holders, cover_with_runs, list_runs
from ibidem.text import Texts

words = st.lists(st.sampled_from("abc"), max_size=30)
collections = st.lists(words, min_size=1, max_size=6)


def longest_run_over_each(text: list[str], documents: list[list[str]], least: int) -> list[int]:
    """The same, word by word."""
    best = [0] * len(text)
    for document in documents:
        for first in range(len(text)):
            for place in range(len(document)):
                shared = 0
                while text[first + shared : first + shared + 1] == document[place + shared : place + shared + 1] != []:
                    shared += 1
                for token in range(first, first + shared if shared >= least else first):
                    best[token] = max(best[token], shared)
    return best


def build(documents: list[list[str]], folder: str, parts: int = 1, removed: int = 0) -> PassageIndex:
    """An index of several segments, some documents of which are removed again."""
    named = [(str(number), " ".join(document)) for number, document in enumerate(documents)]
    gone = [(f"gone-{number}", text) for number, (_, text) in enumerate(named[:removed])]
    index = PassageIndex.build(folder + "/index", gone)
    for part in range(parts):
        index.add(named[part::parts])
    index.remove([id for id, _ in gone])
    return index


@settings(max_examples=60, deadline=None)
@given(text=words, documents=collections, least=st.integers(1, 5), parts=st.integers(1, 2))
@example(text=list("aaaaaaa"), documents=[list("aaaa"), list("aaa")], least=2, parts=1)
@example(text=list("abcabc"), documents=[list("ab"), list("cabc")], least=2, parts=1)
def test_the_cover_is_what_comparing_all_positions_gives(
    text: list[str], documents: list[list[str]], least: int, parts: int
) -> None:
    with tempfile.TemporaryDirectory() as folder, build(documents, folder, parts, removed=1) as index:
        ids = index.tokenizer.encode(Texts.from_strings([" ".join(text)])).ids
        cover = cover_with_runs(ids, index.segments, token_frequencies(index.segments), least)
        assert cover.lengths.tolist() == longest_run_over_each(text, documents, least)
        for token in np.flatnonzero(cover.lengths).tolist():
            segment = index.segments[cover.segments[token]]
            assert segment.tokens[cover.positions[token]] == ids[token]
            assert segment.alive[segment.document_of(cover.positions[token : token + 1])[0]]


@settings(max_examples=40, deadline=None)
@given(documents=collections, run=st.lists(st.sampled_from("abc"), min_size=1, max_size=5))
def test_documents_that_hold_a_run_are_counted(documents: list[list[str]], run: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder, build(documents, folder, removed=1) as index:
        ids = index.tokenizer.encode(Texts.from_strings([" ".join(run)])).ids
        held = sum(" ".join(run) in " ".join(document) for document in documents)
        assert count_holders(ids, index.segments) == held


def test_a_run_that_a_longer_one_cuts_short_is_listed_as_far_as_it_goes() -> None:
    cover = Cover(np.array([0, 3, 3, 4, 4, 4, 4, 2, 2]), np.zeros(9, int), np.array([0, 7, 8, 1, 2, 3, 4, 0, 1]))
    assert list_runs(cover, 3) == [ExactMatch(1, 3, 0, 7), ExactMatch(3, 7, 0, 1)]
    assert list_runs(cover, 5) == []


@pytest.mark.parametrize("seed", range(3))
def test_the_runs_of_a_cover_are_as_long_as_they_say_where_nothing_cuts_them(seed: int) -> None:
    drawn = random.Random(seed)
    source = [f"w{drawn.randrange(300)}" for _ in range(400)]
    text = [f"x{n}" for n in range(20)] + source[50:120] + [f"y{n}" for n in range(9)] + source[200:212]
    with tempfile.TemporaryDirectory() as folder, build([source], folder) as index:
        ids = index.tokenizer.encode(Texts.from_strings([" ".join(text)])).ids
        cover = cover_with_runs(ids, index.segments, token_frequencies(index.segments), 10)
        assert list_runs(cover, 10) == [ExactMatch(20, 90, 0, 50), ExactMatch(99, 111, 0, 200)]
        lengths = [(length, len(list(group))) for length, group in groupby(cover.lengths.tolist()) if length]
        assert lengths == [(70, 70), (12, 12)]


def test_an_index_gives_the_longest_run_over_each_token(tmp_path: Path) -> None:
    words = [f"word{number}" for number in range(30)]
    documents = [("whole", " ".join(words)), ("part", " ".join(words[:20])), ("other", "nothing of this")]
    with PassageIndex.build(tmp_path / "index", documents) as index:
        runs = index.find_runs("So: " + " ".join(words[5:15]) + ", and " + " ".join(words[18:23]), min_length=5)
        assert runs.lengths.tolist() == [0, *[10] * 10, 0, *[5] * 5]
        first, second = runs.list(5)
        assert [runs.count_documents(run) for run in (first, second)] == [2, 1]
        assert runs.make_match(second, "letter").text == " ".join(words[18:23])
        assert runs.list(6) == [first]
        with pytest.raises(ValueError, match="min_length must be 1 or more"):
            index.find_runs("text", min_length=0)
