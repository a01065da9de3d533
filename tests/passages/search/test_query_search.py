"""The search against brute force over every passage of every document."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem import PassageIndex
from ibidem.similarity import jaccard

WEIGHTS = [
    ("set", {}),
    ("multiset", {}),
    ("weighted", {"tf": "logarithmic", "idf": "smooth"}),
    ("weighted", {"tf": "squared"}),
]

words = st.lists(st.sampled_from("abcdefgh"), min_size=0, max_size=40)


@pytest.fixture(autouse=True)
def _quiet_about_short_queries():
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="passages similar to this query")
        yield


def build(folder, texts, family, options, **more):
    return PassageIndex.build(folder / "index", [" ".join(text) for text in texts], family=family, **options, **more)


def weighting_of(index):
    return index.configuration.weighting(index._frequencies.of(index.configuration))


def tokens_of(index, text):
    from ibidem.text import Texts

    return index.tokenizer.encode(Texts.from_strings([text])).ids


def all_passages(index, texts):
    """Every passage of the allowed lengths: (document, first, last)."""
    low, high = index.configuration.min_length, index.configuration.max_length
    for document, text in enumerate(texts):
        for first in range(len(text)):
            for last in range(first + low - 1, min(len(text), first + high)):
                yield document, first, last


def reported(index, matches):
    """The passages that matches of select="all" stand for: each word is one letter and a space."""
    low, high = index.configuration.min_length, index.configuration.max_length
    return [
        (int(match.document), start // 2, (end - 1) // 2)
        for match in matches
        for start in range(match.starts[0], match.starts[1] + 1, 2)
        for end in range(match.ends[0], match.ends[1] + 1, 2)
        if low <= (end - 1) // 2 - start // 2 + 1 <= high
    ]


@settings(max_examples=60)
@pytest.mark.filterwarnings("ignore:this index holds no token")
@given(
    texts=st.lists(words, min_size=1, max_size=4),
    query=st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=20),
    threshold=st.sampled_from([0.3, 0.5, 2 / 3, 0.8, 1.0]),
    lengths=st.sampled_from([(1, 100), (3, 12), (5, 8)]),
    weights=st.sampled_from(WEIGHTS),
)
def test_a_search_reports_exactly_the_similar_passages(tmp_path_factory, texts, query, threshold, lengths, weights):
    family, options = weights
    folder = tmp_path_factory.mktemp("search")
    with build(folder, texts, family, options, min_length=lengths[0], max_length=lengths[1]) as index:
        query = query[: lengths[1]]
        weighting = weighting_of(index)
        asked = tokens_of(index, " ".join(query))
        encoded = [tokens_of(index, " ".join(text)) for text in texts]
        if not (weighting.idf_of(asked) > 0).any():
            return
        expected = {
            (document, first, last)
            for document, first, last in all_passages(index, texts)
            if jaccard(asked, encoded[document][first : last + 1], weighting) >= threshold * (1 - 1e-12)
            and (weighting.idf_of(encoded[document][first : last + 1]) > 0).any()
        }
        found = reported(index, index.search(" ".join(query), threshold=threshold, select="all"))
        assert len(found) == len(set(found))
        assert set(found) == expected
        for match in index.search(" ".join(query), threshold=threshold):
            assert match.similarity >= threshold * (1 - 1e-12)
            passage = tokens_of(index, match.text)
            assert match.similarity == pytest.approx(jaccard(asked, passage, weighting), abs=1e-12)


def test_long_queries_are_cut_searched_and_chained(tmp_path):
    rng = np.random.default_rng(1)
    passage = [f"p{number}" for number in rng.integers(0, 4000, 600)]
    before, after = ([f"q{number}" for number in rng.integers(0, 4000, 300)] for _ in range(2))
    document = " ".join([f"r{number}" for number in rng.integers(0, 4000, 500)] + passage + before[:20])
    query = " ".join(before + passage + after)
    with PassageIndex.build(tmp_path / "index", [("d", document)], min_length=16, max_length=64) as index:
        matches = index.search(query, threshold=0.6)
        best = max(matches, key=lambda match: match.end - match.start)
        assert best.document == "d"
        inside = " ".join(passage)
        start, end = document.index(inside), document.index(inside) + len(inside)
        assert min(best.end, end) - max(best.start, start) >= 0.9 * (end - start)
        assert best.similarity >= 0.6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"threshold": 0.0}, "threshold"),
        ({"threshold": 1.1}, "threshold"),
        ({"threshold": math.nan}, "threshold"),
        ({"select": "some"}, "best, longest, maximal, all"),
    ],
)
def test_arguments_out_of_range_are_refused(tmp_path, arguments, message):
    with (
        PassageIndex.build(tmp_path / "index", ["a b c"], min_length=1) as index,
        pytest.raises(ValueError, match=message),
    ):
        index.search("a b c", **arguments)


@pytest.mark.parametrize("query", ["", " \n", "?!"])
def test_a_query_without_tokens_is_refused(tmp_path, query):
    with (
        PassageIndex.build(tmp_path / "index", ["a b c"], min_length=1) as index,
        pytest.raises(ValueError, match="no token"),
    ):
        index.search(query)


def test_threads_and_memory_do_not_change_the_postings(tmp_path):
    rng = np.random.default_rng(3)
    documents = [" ".join(f"w{number}" for number in rng.zipf(1.3, 3000) % 500) for _ in range(20)]
    for name, threads in {"one": 1, "many": 5}.items():
        PassageIndex.build(tmp_path / name, documents, min_length=8, max_length=100, threads=threads).close()
    one, many = (
        {
            path.relative_to(tmp_path / name): path.read_bytes()
            for path in (tmp_path / name).rglob("*")
            if path.is_file()
        }
        for name in ("one", "many")
    )
    assert one == many
