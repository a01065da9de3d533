"""What the guide promises of each passage that goes, by brute force, for every boundary, tokenizer and action."""

import tempfile
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem.corpus.writing.cutting import find_words
from ibidem.resources import Resources
from ibidem.reuse.collection import Collection
from ibidem.reuse.removal.cutting import ACTIONS, BOUNDARIES
from ibidem.reuse.removal.deduplicate import deduplicate_passages
from ibidem.reuse.removal.result import PassageDeduplication, Repeated
from ibidem.text import make_tokenizer
from tests.reuse.small_collections import read_collection

_Range = tuple[int, int]


class Oracle:
    """The texts, their tokens and weights, and what is left of them, looked at place by place."""

    def __init__(self, texts: dict[str, str], tokenizer: str, found: PassageDeduplication) -> None:
        self.texts, self.cuts = texts, found.cuts()
        self.collection = _read(texts, tokenizer)
        self.numbers = {name: number for number, name in enumerate(self.collection.ids)}

    def tokens_in(self, document: str, start: int, end: int) -> _Range:
        """The tokens that have a part in some code points."""
        starts, ends = self.collection.places(self.numbers[document])
        inside = np.flatnonzero((starts < end) & (ends > start))
        return (int(inside[0]), int(inside[-1]) + 1) if len(inside) else (0, 0)

    def similarity(self, own: tuple[str, _Range], other: tuple[str, _Range]) -> float:
        """The weighted Jaccard similarity of two passages, as multisets."""
        a, b = (self._count(*passage) for passage in (own, other))
        idf = self.collection.idf
        either = sum(idf[token] * number for token, number in (a | b).items())
        return float(sum(idf[token] * number for token, number in (a & b).items()) / either)

    def best_that_stays(self, own: tuple[str, _Range], least: int) -> float:
        """The greatest similarity of a passage to any of so many tokens that no cut touches."""
        best = 0.0
        for name, number in self.numbers.items():
            starts, ends = self.collection.places(number)
            for first in range(len(starts)):
                for last in range(first + least, len(starts) + 1):
                    place = int(starts[first]), int(ends[first:last].max())
                    if not any(place[0] < end and start < place[1] for start, end in self.cuts.get(name, [])):
                        best = max(best, self.similarity(own, (name, (first, last))))
        return best

    def _count(self, document: str, span: _Range) -> Counter[int]:
        first = int(self.collection.bounds[self.numbers[document]])
        return Counter(self.collection.tokens[first + span[0] : first + span[1]].tolist())


def _read(texts: dict[str, str], tokenizer: str) -> Collection:
    with tempfile.TemporaryDirectory() as folder:
        return read_collection(
            [list(texts.items())], make_tokenizer(tokenizer), Path(folder), Resources.of("64M", 1, None)
        )


def require_promises(texts: dict[str, str], threshold: float, least: int, boundary: str, tokenizer: str) -> int:
    """Check all that is promised of what goes; how many passages that is."""
    deduplication = deduplicate_passages(
        texts.items(), threshold=threshold, min_length=least, boundary=boundary, tokenizer=tokenizer
    )
    oracle = Oracle(texts, tokenizer, deduplication)
    for passage in deduplication.removed:
        _require_similar(oracle, passage, threshold, least)
        if boundary == "lines":
            _require_whole_lines(texts[passage.document], passage.start, passage.end)
    for spans in deduplication.cuts().values():
        assert all(end <= start for (_, end), (start, _) in pairwise(sorted(spans)))
    for name, text in texts.items():
        _require_other_words(deduplication, name, text)
    return len(deduplication.removed)


def _require_similar(oracle: Oracle, passage: Repeated, threshold: float, least: int) -> None:
    own = passage.document, oracle.tokens_in(passage.document, passage.start, passage.end)
    other = passage.duplicate_of, oracle.tokens_in(passage.duplicate_of, passage.of_start, passage.of_end)
    assert own[1][1] - own[1][0] == passage.tokens >= least
    assert other[1][1] - other[1][0] >= least
    assert passage.similarity == pytest.approx(oracle.similarity(own, other))
    assert passage.similarity >= threshold - 1e-9
    assert not any(s < passage.of_end and passage.of_start < e for s, e in oracle.cuts.get(passage.duplicate_of, []))
    assert oracle.best_that_stays(own, least) >= passage.similarity - 1e-9


def _require_whole_lines(text: str, start: int, end: int) -> None:
    before, behind = text[:start], text[end:]
    assert not before or before[-1] == "\n"
    assert not behind or text[end - 1] == "\n"


def _require_other_words(found: PassageDeduplication, name: str, text: str) -> None:
    cuts = found.cuts().get(name, [])
    outside = [text[s:e] for s, e in find_words(text) if not any(s < end and start < e for start, end in cuts)]
    for action in ACTIONS:
        edited = found.edit(name, text, action)
        if action == "annotate":
            assert edited == text
        else:
            assert [edited[s:e] for s, e in find_words(edited)] == outside
        if action == "mask":
            assert len(edited) == len(text)


_BETWEEN = st.sampled_from([" ", " ", " ", "\n", "\n", ". ", ", ", "-", "\n\n"])
_PARAGRAPHS = [[f"{chr(97 + p)}{w}" for w in range(7)] for p in range(4)]


@st.composite
def documents(draw: st.DrawFn) -> dict[str, str]:
    """A few texts of shared paragraphs, in lines, some of whose words are changed."""
    texts = {}
    for number in range(draw(st.integers(2, 3))):
        text = ""
        for paragraph in draw(st.lists(st.sampled_from(_PARAGRAPHS), min_size=1, max_size=4)):
            changed = draw(st.sets(st.integers(0, 6), max_size=2))
            for place, word in enumerate(paragraph):
                text += (f"x{number}{place}" if place in changed else word) + draw(_BETWEEN)
        texts[f"d{number}"] = text
    return texts


@settings(max_examples=60, deadline=None)
@given(documents(), st.sampled_from([0.5, 0.7, 0.8, 1.0]), st.integers(3, 8), st.sampled_from(BOUNDARIES))
def test_each_cut_resembles_a_passage_that_stays(
    texts: dict[str, str], threshold: float, least: int, boundary: str
) -> None:
    require_promises(texts, threshold, least, boundary, "words")


@settings(max_examples=30, deadline=None)
@given(documents(), st.sampled_from([0.7, 0.9]), st.sampled_from(BOUNDARIES))
def test_each_cut_resembles_a_passage_that_stays_in_characters(
    texts: dict[str, str], threshold: float, boundary: str
) -> None:
    require_promises({name: text[:60] for name, text in texts.items()}, threshold, 12, boundary, "characters")


def test_a_line_between_two_duplicates_is_judged_by_itself() -> None:
    first, last = (" ".join(f"{letter}{n}x" for n in range(30)) for letter in "ac")
    before, behind = (" ".join(f"{letter}{n}x" for n in range(30)) for letter in "nm")
    texts = {
        "A": f"{first} \n we meet on monday at nine in hall two \n {last}",
        "B": f"{before} {first} \n we meet on friday at seven in hall four \n {last} {behind}",
    }
    assert require_promises(texts, 0.8, 8, "lines", "words") == 0
    assert require_promises(texts, 0.8, 8, "words", "words") == 1


def test_whole_lines_of_a_passage_go_though_a_line_among_them_is_new() -> None:
    lines = [" ".join(f"{letter}{n}" for n in range(12)) for letter in "abcd"]
    other = " ".join(f"o{n}" for n in range(12))
    texts = {"A": "\n".join(lines), "B": "\n".join([lines[0] + " tail", lines[1], other, lines[2], "head " + lines[3]])}
    assert require_promises(texts, 0.8, 8, "lines", "words") == 2


def test_words_on_either_side_of_a_cut_stay_apart() -> None:
    shared = "甲乙丙丁戊己庚辛壬癸"
    texts = {"A": f"one {shared} two", "B": f"three{shared}four"}
    assert require_promises(texts, 0.8, 8, "words", "words") == 1
