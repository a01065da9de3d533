"""The life of an index of sketches, and its searches against brute force over every passage of every document."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem import Document, PassageIndex, SketchIndex
from ibidem.errors import ConfigurationError, CorpusError, IndexExistsError
from ibidem.similarity import jaccard
from ibidem.sketches.index import reading
from ibidem.text import Texts
from ibidem.weights import NoWeightError

WEIGHTS = [
    {"family": "set"},
    {"family": "multiset"},
    {"family": "weighted", "tf": "logarithmic", "idf": "smooth"},
    {"tf": "squared"},
    {"family": "set", "sketch": "oph"},
    {"sketch": "oph"},
    {"family": "weighted", "tf": "logarithmic", "idf": "smooth", "sketch": "oph", "weight_units": 3},
    {"idf": {"a": 2.5, "b": 0.2, "c": 0}, "tf": "logarithmic"},
    {"idf": {"a": 2.5, "b": 0.2, "c": 0}, "sketch": "oph", "weight_units": 3},
]

VERSE = "tyger tyger burning bright in the forests of the night what immortal hand or eye"
SONG = "my bonnie lies over the ocean my bonnie lies over the sea"
OPTIONS = {"min_length": 4, "max_length": 40, "num_hashes": 32}

words = st.lists(st.sampled_from("abcdefgh"), min_size=0, max_size=40)


def tokens_of(index, text):
    return index.tokenizer.encode(Texts.from_strings([text])).ids


def reported(index, matches):
    """The passages that matches of select="all" stand for, (document, first, last): each word is one letter."""
    return [
        (int(match.document), start // 2, (end - 1) // 2)
        for match in matches
        for start in range(match.starts[0], match.starts[1] + 1, 2)
        for end in range(match.ends[0], match.ends[1] + 1, 2)
    ]


def lies_inside(passage, other):
    return passage != other and passage[0] == other[0] and other[1] <= passage[1] and passage[2] <= other[2]


def maximal(passages):
    return sorted(passage for passage in passages if not any(lies_inside(passage, other) for other in passages))


@settings(max_examples=60)
@given(
    texts=st.lists(words, min_size=1, max_size=3),
    query=st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=20),
    threshold=st.sampled_from([0.25, 0.5, 2 / 3, 1.0]),
    lengths=st.sampled_from([(1, 100), (3, 12)]),
    weights=st.sampled_from(WEIGHTS),
)
def test_a_search_reports_exactly_the_passages_that_sketches_estimate_to_be_similar(
    tmp_path_factory, texts, query, threshold, lengths, weights
):
    folder = tmp_path_factory.mktemp("search")
    choices = {"min_length": lengths[0], "max_length": lengths[1], "num_hashes": 4, **weights}
    with SketchIndex.build(folder / "index", [" ".join(text) for text in texts], **choices) as index:
        scheme, weighting, asked = index._scheme, index._weighting, tokens_of(index, " ".join(query))
        if not (weighting.idf_of(asked) > 0).any():
            return
        wanted = scheme.sketch(asked)
        encoded = [tokens_of(index, " ".join(text)) for text in texts]
        estimated = {
            (document, first, last): encoded[document][first : last + 1]
            for document, text in enumerate(texts)
            for first in range(len(text))
            for last in range(first + lengths[0] - 1, min(len(text), first + lengths[1]))
            if scheme.estimate(scheme.sketch(encoded[document][first : last + 1]), wanted) >= threshold
        }
        similar = {
            passage
            for passage, tokens in estimated.items()
            if jaccard(asked, tokens, weighting) >= threshold * (1 - 1e-12) and (weighting.idf_of(tokens) > 0).any()
        }
        for expected, verify in ((set(estimated), False), (similar, True)):
            choices = {"threshold": threshold, "verify": verify}
            found = reported(index, index.search(" ".join(query), select="all", **choices))
            assert len(found) == len(set(found))
            assert set(found) == expected
            longest = index.search(" ".join(query), **choices)
            places = sorted((int(match.document), match.start // 2, (match.end - 1) // 2) for match in longest)
            assert places == maximal(expected)
            for match in longest:
                tokens = tokens_of(index, match.text)
                assert match.estimate == scheme.estimate(scheme.sketch(tokens), wanted) >= threshold
                assert match.similarity == (jaccard(asked, tokens, weighting) if verify else None)


@pytest.mark.parametrize("sketch", ["minhash", "oph"])
def test_windows_read_in_many_stretches_give_what_those_read_in_one_give(tmp_path, monkeypatch, sketch):
    random = np.random.default_rng(5)
    texts = [" ".join(random.choice(list("abc"), size)) for size in (300, 1500)]
    options = {"num_hashes": 8, "min_length": 4, "max_length": 64, "sketch": sketch}
    with SketchIndex.build(tmp_path / "index", texts, **options) as index:
        whole = [index.search(" ".join("abcab" * 4), threshold=0.5, select=select) for select in ("all", "maximal")]
        monkeypatch.setattr(reading, "STRETCH_POSTINGS", 40)
        assert all(whole)
        cut = [index.search(" ".join("abcab" * 4), threshold=0.5, select=select) for select in ("all", "maximal")]
        assert cut[1] == whole[1]
        assert set(reported(index, cut[0])) == set(reported(index, whole[0]))


@pytest.fixture
def index(tmp_path):
    with SketchIndex.build(
        tmp_path / "index", [("verse", VERSE), Document("song", SONG, {"by": "?"})], **OPTIONS
    ) as made:
        yield made


def documents(index, text, **options):
    return sorted({match.document for match in index.search(text, **{"threshold": 1.0, **options})})


def test_an_index_is_opened_as_it_was_built_and_says_what_it_is(index):
    with SketchIndex.open(index.path) as opened:
        assert opened.configuration == index.configuration
        assert opened.search(SONG) == index.search(SONG)
        assert opened.info() == index.info()
        assert opened.check() == []
    assert repr(index).endswith("2 documents, passages of 4 to 40 tokens, multiset, minhash of 32")
    (match,) = pickle.loads(pickle.dumps(index)).search(SONG, threshold=1.0, name="mine")
    assert (match.query_name, match.document, match.text, match.metadata) == ("mine", "song", SONG, {"by": "?"})
    with pytest.raises(IndexExistsError):
        SketchIndex.build(index.path, [VERSE])


def test_documents_are_added_removed_and_merged(index):
    report = index.add([("more", f"{SONG} {SONG}"), ("scrap", "two words")])
    assert (report.documents, report.short) == (2, ["scrap"])
    assert documents(index, SONG) == ["more", "song"]
    index.remove(["song"])
    before = index.search(SONG, threshold=0.5, select="all")
    assert {match.document for match in before} == {"more"}
    assert index.merge().documents == 3
    assert index.search(SONG, threshold=0.5, select="all") == before
    assert index.check() == []
    with pytest.raises(CorpusError, match="'more' occurs twice"):
        index.add([("more", VERSE)])


@pytest.mark.parametrize("weights", [{}, {"idf": "smooth"}])
def test_an_empty_index_finds_nothing_until_it_has_documents(tmp_path, weights):
    with SketchIndex.build(tmp_path / "index", [], **OPTIONS, **weights) as index:
        assert index.search(SONG) == []
        index.add([("song", SONG), ("verse", VERSE)])
        assert documents(index, SONG) == ["song"]


def test_what_makes_no_sense_is_refused(index):
    with pytest.raises(ValueError, match="threshold"):
        index.search(SONG, threshold=0)
    with pytest.raises(ValueError, match="select is one of maximal, all, not 'best'"):
        index.search(SONG, select="best")
    for nothing in ("", "?!"):
        with pytest.raises(NoWeightError, match="no token that has a weight"):
            index.search(nothing)


def test_an_index_of_another_kind_is_refused(tmp_path, index):
    PassageIndex.build(tmp_path / "passages", [VERSE]).close()
    with pytest.raises(ConfigurationError, match="passages: an index of passages, not of sketches"):
        SketchIndex.open(tmp_path / "passages")
    with pytest.raises(ConfigurationError, match="index: an index of sketches, not of passages"):
        PassageIndex.open(index.path)
    with pytest.raises(ConfigurationError, match="opened with"):
        SketchIndex.open(index.path, tokenizer="characters")


def test_a_tokenizer_that_is_a_function_is_needed_again(tmp_path):
    def letters(text):
        return [(letter, place, place + 1) for place, letter in enumerate(text) if letter.isalpha()]

    with SketchIndex.build(tmp_path / "index", [("verse", VERSE)], tokenizer=letters, **OPTIONS) as made:
        found = made.search("burning bright", threshold=0.9)
        assert found
    with pytest.raises(ConfigurationError, match="letters"):
        SketchIndex.open(tmp_path / "index")
    with SketchIndex.open(tmp_path / "index", tokenizer=letters) as opened:
        assert opened.search("burning bright", threshold=0.9) == found
