"""A whole document against a collection: what aligning it with every document of the collection gives."""

import random
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ibidem
from ibidem import Match, PassageIndex
from ibidem.alignment.against_index import learn_from_segments, token_frequencies
from ibidem.alignment.align_tokens import AlignmentOptions, align_tokens
from ibidem.alignment.sources.retrieval import likely_sources
from ibidem.alignment.text_quotations import Quoting
from ibidem.text import Texts
from ibidem.weights import Weighting


def some_words(count: int, seed: int) -> list[str]:
    """Words as frequent as in a language."""
    drawn = random.Random(seed)
    return [f"w{int(3000 ** drawn.random())}" for _ in range(count)]


SOURCES = {f"source {number}": some_words(30 + 60 * number, number) for number in range(12)}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PassageIndex]:
    """Three segments, a removed document in one of them."""
    named = [{"id": id, "text": " ".join(source), "words": len(source)} for id, source in SOURCES.items()]
    with PassageIndex.build(tmp_path_factory.mktemp("collection") / "index", named[:6]) as built:
        built.add([*named[6:9], {"id": "removed", "text": named[7]["text"]}])
        built.add(named[9:])
        built.remove(["removed"])
        yield built


def aligned_with_every_source(
    index: PassageIndex, text: str, threshold: float = 0.3, min_pair_length: int | None = None
) -> list[Match]:
    frequencies, model = token_frequencies(index.segments), learn_from_segments(index.segments)
    weighting = Weighting.of("weighted", tf="logarithmic", idf="smooth", frequencies=frequencies)
    options, matches = AlignmentOptions(threshold, min_pair_length, False, 0.1), []
    for id, source in SOURCES.items():
        other = " ".join(source)
        tokens = index.tokenizer.encode(Texts.from_strings([text, other]), offsets=True)
        quoting = Quoting.of_known(0.1, min_pair_length, model, len(source) / frequencies.num_documents)
        for each in align_tokens(tokens, weighting, options, quoting=quoting):
            match = Match(
                query_name="it",
                query_start=each.a_start,
                query_end=each.a_end,
                document=id,
                start=each.b_start,
                end=each.b_end,
                similarity=each.similarity,
                text=other[each.b_start : each.b_end],
                metadata={"words": len(source)},
                expected=each.expected,
            )
            matches.append(match)
    return sorted(matches, key=lambda match: (match.query_start, match.query_end))


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Passages of sources, copied, thinned or shuffled, between words of no source."""
    text: list[str] = []
    drawn = random.Random(draw(st.integers(0, 2**32)))
    for number in range(draw(st.integers(0, 3))):
        source = SOURCES[draw(st.sampled_from(sorted(SOURCES)))]
        first = drawn.randrange(len(source))
        passage = source[first : first + drawn.randrange(20, 200)]
        change = draw(st.sampled_from(["copied", "thinned", "shuffled"]))
        if change == "thinned":
            passage = [word for word in passage if drawn.random() < 0.7]
        elif change == "shuffled":
            drawn.shuffle(passage)
        text += [f"own{drawn.randrange(500)}" for _ in range(drawn.randrange(100))] + [f"n{number}", *passage]
    return " ".join(text)


LONG = 12
"""Words in a row of which chance gives none."""


def longest_run(text: str, match: Match) -> int:
    """Words in a row that the two passages of a match share."""
    ours, theirs = text[match.query_start : match.query_end].split(), match.text.split()
    runs, longest = [0] * (len(theirs) + 1), 0
    for word in ours:
        runs = [0] + [runs[x] + 1 if word == other else 0 for x, other in enumerate(theirs)]
        longest = max(longest, *runs)
    return longest


@settings(max_examples=40)
@given(text=documents(), threshold=st.sampled_from([0.2, 0.3, 0.6]), min_pair_length=st.sampled_from([None, 10, 50]))
def test_a_document_is_aligned_with_its_sources_as_with_every_document_of_the_collection(
    index: PassageIndex, text: str, threshold: float, min_pair_length: int | None
) -> None:
    found = index.align(text, threshold=threshold, min_pair_length=min_pair_length, summaries=False, name="it")
    expected = aligned_with_every_source(index, text, threshold=threshold, min_pair_length=min_pair_length)
    tokens = index.tokenizer.encode(Texts.from_strings([text])).ids
    segments = index.segments
    collection = token_frequencies(segments), learn_from_segments(segments)
    likely = likely_sources(tokens, segments, *collection, min(threshold, 0.3))
    sources = {each.segment.document_id(each.row) for each in likely}
    assert [match for match in expected if match not in found and longest_run(text, match) >= LONG] == []
    # A source without similar windows around its best places is passed over: it has weaker pairs at most.
    aligned = {match.document for match in found}
    assert found == [match for match in expected if match.document in aligned]
    assert aligned >= {match.document for match in expected if match.similarity >= 0.3} & sources


@settings(max_examples=20)
@given(number=st.integers(1, 11), seed=st.integers(0, 2**32))
def test_the_document_that_a_passage_was_copied_or_thinned_from_is_a_source(
    index: PassageIndex, number: int, seed: int
) -> None:
    drawn, source = random.Random(seed), SOURCES[f"source {number}"]
    first = drawn.randrange(len(source) - 60)
    passage = [word for word in source[first : first + 60] if drawn.random() < 0.8]
    text = " ".join([f"own{drawn.randrange(500)}" for _ in range(300)] + passage)
    frequencies = token_frequencies(index.segments)
    expected = ibidem.align(text, " ".join(source), idf="smooth", frequencies=frequencies)
    assert expected
    found = [match for match in index.align(text) if match.document == f"source {number}"]
    assert [(match.start, match.end) for match in found] == [(pair.b_start, pair.b_end) for pair in expected]


def test_what_was_added_is_found_and_what_was_removed_is_not(tmp_path: Path) -> None:
    passage = " ".join(some_words(80, 99))
    with PassageIndex.build(tmp_path / "index", [("first", passage)]) as index:
        assert [match.document for match in index.align(passage)] == ["first"]
        index.add([("second", passage)])
        assert [match.document for match in index.align(passage)] == ["first", "second"]
        index.remove(["first"])
        assert [match.document for match in index.align(passage)] == ["second"]


def test_a_match_says_where_it_stands_in_both_texts(index: PassageIndex) -> None:
    passage = " ".join(SOURCES["source 9"][100:180])
    [match] = index.align(f"Whatever. {passage} And so on.")
    assert (match.query_start, match.query_end) == (10, 10 + len(passage))
    assert match.text == passage
    assert match.document == "source 9"
    assert match.similarity == 1.0


def test_a_text_without_words_shares_none(index: PassageIndex) -> None:
    assert index.align("") == []
    assert index.align("?!") == []


@pytest.mark.parametrize("wrong", [{"threshold": 0}, {"threshold": 1.1}, {"min_pair_length": 0}])
def test_settings_out_of_range_are_refused(index: PassageIndex, wrong: dict) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        index.align("so it was", **wrong)


def test_a_summary_of_a_document_is_found_unless_it_is_not_wanted(tmp_path: Path) -> None:
    source, drawn = [f"source{n}" for n in range(900)], random.Random(4)
    summary = source[::9]
    drawn.shuffle(summary)
    text = " ".join([*some_words(300, 31), *summary, *some_words(300, 32)])
    with PassageIndex.build(tmp_path / "index", [("source", " ".join(source))]) as index:
        assert index.align(text, summaries=False) == []
        [match] = index.align(text)
        assert (match.kind, match.containment) == ("summary", 1.0)
        assert match.text == " ".join(source)
        assert match.similarity < 0.2


def test_the_matches_do_not_depend_on_the_number_of_threads(index: PassageIndex) -> None:
    text = " ".join(" ".join(SOURCES[f"source {number}"][100:180]) for number in (5, 9, 3, 7))
    [one, *others] = [index.align(text, threads=threads) for threads in (1, 2, 7, None)]
    assert len(one) > 3
    assert all(each == one for each in others)


@pytest.mark.filterwarnings("ignore:this index holds no token")
@settings(max_examples=8)
@given(text=documents(), order=st.permutations(sorted(SOURCES)), removed=st.sets(st.sampled_from(sorted(SOURCES))))
def test_an_index_with_removals_answers_as_one_that_never_had_what_was_removed(
    tmp_path_factory: pytest.TempPathFactory, text: str, order: list[str], removed: set[str]
) -> None:
    folder = tmp_path_factory.mktemp("removals")
    stay = [id for id in order if id not in removed]
    settings = {"threshold": 0.2, "min_pair_length": 10}
    with (
        PassageIndex.build(folder / "removals", [(id, " ".join(SOURCES[id])) for id in sorted(SOURCES)]) as index,
        PassageIndex.build(folder / "fresh", [(id, " ".join(SOURCES[id])) for id in stay]) as fresh,
    ):
        index.remove(removed)
        assert in_order(index.align(text, **settings)) == in_order(fresh.align(text, **settings))
        for measure in ({}, {"family": "weighted", "idf": "smooth"}):
            query = " ".join(text.split()[:60]) or "w1"
            assert in_order(index.search(query, threshold=0.3, **measure)) == in_order(
                fresh.search(query, threshold=0.3, **measure)
            )
        assert (
            token_frequencies(index.segments).counts.tolist(),
            index.weighting(family="weighted", idf="smooth").idf_of(np.arange(9, dtype=np.uint32)).tolist(),
        ) == (
            token_frequencies(fresh.segments).counts.tolist(),
            fresh.weighting(family="weighted", idf="smooth").idf_of(np.arange(9, dtype=np.uint32)).tolist(),
        )


def in_order(matches: Iterable[Match]) -> list[Match]:
    return sorted(matches, key=lambda match: (match.query_start, match.query_end, match.document, match.start))


@settings(max_examples=15)
@given(text=documents(), lengths=st.tuples(st.integers(4, 60), st.integers(4, 60)))
def test_what_a_greater_least_length_finds_in_an_index_meets_what_a_lower_one_finds(
    index: PassageIndex, text: str, lengths: tuple[int, int]
) -> None:
    lower, greater = (index.align(text, min_pair_length=length) for length in sorted(lengths))
    for match in greater:
        assert any(
            each.document == match.document
            and each.query_start < match.query_end
            and match.query_start < each.query_end
            and each.start < match.end
            and match.start < each.end
            for each in lower
        )
