"""A search finds what a walk over all passages finds, whatever is asked of it, and positions are sorted in any room."""

import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from ibidem import DocumentFrequencies, PassageIndex, Weighting, jaccard
from ibidem.passages.positions import write_positions
from ibidem.store import Store
from ibidem.text import Documents, Texts, Tokens

RANDOM = np.random.default_rng(21)
WORDS = [f"w{number}" for number in range(60)]


def text(length):
    return " ".join(WORDS[number] for number in RANDOM.zipf(1.3, length) % len(WORDS))


DOCUMENTS = [(str(number), text(90)) for number in range(6)]
QUERY = " ".join((DOCUMENTS[2][1].split()[20:44]) + ["other"] * 3)


def tokens_of(index, text):
    return index.tokenizer.encode(Texts.from_strings([text])).ids


def passages_similar_to(index, query, weighting, threshold, shortest, longest):
    """Document, first character and last of every similar passage, and its similarity."""
    asked = tokens_of(index, query)
    for name, document in DOCUMENTS:
        words, tokens = document.split(), tokens_of(index, document)
        ends = np.cumsum([len(word) + 1 for word in words]) - 1
        for i in range(len(words)):
            for j in range(i + shortest, min(i + longest, len(words)) + 1):
                similarity = jaccard(asked, tokens[i:j], weighting)
                if similarity >= threshold:
                    yield (name, int(ends[i]) - len(words[i]), int(ends[j - 1])), similarity


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("exact") / "index"
    with PassageIndex.build(folder, DOCUMENTS[:4], min_length=8, max_length=50) as built:
        built.add(DOCUMENTS[4:])
        yield built


def weighting_of(index, family=None, tf=None, idf=None):
    if family in ("set", "multiset"):
        return Weighting.of(family)
    tokens = index.tokenizer.encode(Texts.from_strings([document for _, document in DOCUMENTS]))
    return Weighting(tf or "raw", idf or "unary", DocumentFrequencies.count([tokens]))


@pytest.mark.parametrize("threshold", [0.4, 0.7, 1.0])
@pytest.mark.parametrize(
    "measure", [{}, {"family": "set"}, {"idf": "smooth"}, {"tf": "logarithmic", "idf": "standard"}, {"tf": "squared"}]
)
def test_a_search_reports_exactly_the_similar_passages_under_the_measure_that_it_asks_for(index, measure, threshold):
    weighting = weighting_of(index, **measure)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        matches = index.search(QUERY, threshold=threshold, select="all", **measure)
    expected = dict(passages_similar_to(index, QUERY, weighting, threshold, 8, 50))
    found = set()
    texts = dict(DOCUMENTS)
    for match in matches:
        assert match.similarity == pytest.approx(expected[match.document, match.start, match.end])
        words = texts[match.document]
        starts = [at for at in range(*match.starts) if at == 0 or words[at - 1] == " "] + [match.starts[1]]
        ends = [at for at in range(match.ends[0], match.ends[1] + 1) if at == len(words) or words[at] == " "]
        found |= {(match.document, start, end) for start in starts for end in ends}
    assert found == set(expected)


def test_lengths_can_be_chosen_with_the_search(index):
    words = QUERY.split()[:12]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        matches = index.search(" ".join(words), threshold=0.9, min_length=2)
    assert matches[0].text == " ".join(words)
    assert matches[0].similarity == 1.0
    with pytest.warns(UserWarning, match="holds passages of 49 or more"):
        assert not index.search(QUERY, threshold=0.7, min_length=49, max_length=50)


def test_a_measure_that_is_not_asked_for_is_that_of_the_index(tmp_path):
    with PassageIndex.build(tmp_path / "index", DOCUMENTS, family="weighted", idf="smooth", min_length=8) as weighted:
        assert weighted.search(QUERY, threshold=0.6) == weighted.search(QUERY, threshold=0.6, idf="smooth")
        assert weighted.search(QUERY, threshold=0.6) != weighted.search(QUERY, threshold=0.6, family="set")


def test_a_measure_that_does_not_exist_is_refused(index):
    for wrong in ({"family": "sets"}, {"idf": "rare"}, {"family": "set", "idf": "smooth"}, {"min_length": 90}):
        with pytest.raises(ValueError):
            index.search(QUERY, **wrong)


@pytest.mark.parametrize("words", [["a"], [f"x{number}" for number in range(3_000)]])
def test_texts_of_one_word_and_of_all_different_words_are_searched(tmp_path, words):
    document = " ".join(words * (3_000 // len(words)))
    with PassageIndex.build(tmp_path / "index", [document], min_length=8) as index:
        asked = " ".join(document.split()[100:140])
        (match,) = index.search(asked, threshold=0.9)[:1]
        assert match.similarity == 1.0


def test_an_index_without_a_token_finds_nothing_and_says_so(tmp_path):
    with (
        PassageIndex.build(tmp_path / "index", [""], min_length=8) as index,
        pytest.warns(UserWarning, match="this index holds no token"),
    ):
        assert index.search(QUERY) == []


@pytest.mark.parametrize("memory", [40, 400, 4000, 100_000])
def test_positions_sorted_by_ranges_of_keys_are_those_sorted_as_a_whole(tmp_path, memory):
    generator = np.random.default_rng(3)
    words = np.concatenate((generator.zipf(1.2, 2000) % 500, np.full(700, 7), [2**32 - 1, 0, 2**16, 2**16 - 1]))
    tokens = words.astype(np.uint32)
    written = []
    for name, room in (("whole", 10**9), ("divided", memory)):
        with Store.create(tmp_path / name, {}) as store, store.writer() as writer:
            segment = writer.new_segment()
            documents = Documents(["a"], Texts.from_strings(["text"]), [b"{}"])
            segment.append_documents(documents, Tokens(tokens, np.array([0, len(tokens)])))
            told = []
            with ThreadPoolExecutor(1) as pool:
                assert write_positions(segment, room, pool, told.append) == len(tokens)
            assert sum(told) == len(tokens)
            writer.commit()
            (reader,) = store.segments
            keys, bounds = reader.directory(0)
            found = reader.list_bounds(0, np.append(keys, np.uint32(5_000_000)))
            starts = reader.postings(0, len(tokens))[0]
            written.append((len(told), keys.tolist(), bounds.tolist(), found.tolist(), starts.tolist()))
            assert store.check().problems == []
    assert written[0][1:] == written[1][1:]
    assert written[0][0] == 1
    assert (written[1][0] > 1) == (memory < 100_000)
