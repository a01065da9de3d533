"""DocumentIndex against an oracle that compares a query with every document."""

import random
import shutil
import tempfile
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem.documents.deduplicate import deduplicate
from ibidem.documents.index import DocumentIndex
from ibidem.errors import ConfigurationError, CorpusError, IndexExistsError, NotAnIndexError
from ibidem.passages.index import PassageIndex
from ibidem.text import Document, Documents, make_tokenizer

SURE = {"recall": 1 - 1e-7, "num_hashes": 256, "shingle": "words:2"}


def shingles(text):
    words = text.casefold().split()
    return {tuple(words[i : i + 2]) for i in range(max(1, len(words) - 1))} if words else set()


def resemblance(a, b):
    if a == b:
        return 1.0
    a, b = shingles(a), shingles(b)
    return len(a & b) / len(a | b) if a | b else 0.0  # without a token, like nothing but itself


@pytest.fixture(scope="module")
def texts():
    source = random.Random(2)
    made = {}
    for number in range(40):
        base = [source.choice("abcdefgh") + str(source.randrange(40)) for _ in range(30)]
        for version in range(3):
            changed = [word if source.random() < 0.97 else "changed" for word in base]
            made[f"{number}.{version}"] = " ".join(changed)
    return {**made, "short": "alone", "empty": "", "blank": " \n"}


def expected(texts, query, threshold):
    similarities = {name: resemblance(text, query) for name, text in texts.items()}
    return sorted(
        ((name, similarity) for name, similarity in similarities.items() if similarity >= threshold),
        key=lambda each: (-each[1], each[0]),
    )


def matched_documents(matches):
    return [(match.document, match.similarity) for match in matches]


@pytest.mark.parametrize("threshold", [0.5, 0.7, 1.0])
def test_a_query_finds_the_documents_that_resemble_it(tmp_path, texts, threshold):
    with DocumentIndex.build(tmp_path / "index", texts.items(), threshold=0.5, **SURE) as index:
        queries = list(texts.values())
        answers = index.search_many(queries, threshold=threshold)
        for query, matches in zip(queries, answers, strict=True):
            assert matched_documents(matches) == expected(texts, query, threshold)
        assert matched_documents(index.search(queries[7], threshold=threshold)) == matched_documents(answers[7])
        assert index.search("nothing like it at all") == []
        assert matched_documents(index.search("")) == [("empty", 1.0)]
        assert index.search("\t") == []


@pytest.mark.parametrize("threads", [1, 3])
def test_many_queries_give_what_each_gives_alone_however_many_threads_search(tmp_path, monkeypatch, texts, threads):
    monkeypatch.setattr("ibidem.documents.index._TOGETHER", 7)
    queries = list(texts.values())
    with DocumentIndex.build(tmp_path / "index", texts.items(), threshold=0.5, **SURE) as index:
        alone = [index.search(query, threshold=0.6) for query in queries]
        assert index.search_many(queries, threads=threads, threshold=0.6) == alone
        assert index.search_many([], threads=threads) == []
        with pytest.raises(ValueError, match=r"not from 0\.4"):
            index.search_many(queries, threads=threads, threshold=0.4)


def test_what_is_added_is_found_what_is_removed_is_not_and_merging_changes_neither(tmp_path, texts):
    names = list(texts)
    with DocumentIndex.build(tmp_path / "index", [], threshold=0.5, **SURE) as index:
        assert index.search(texts["0.0"]) == []
        for part in range(3):
            index.add([(name, texts[name]) for name in names[part::3]], threads=part + 1)
        index.remove(["0.0", "7.1"])
        living = {name: text for name, text in texts.items() if name not in ("0.0", "7.1")}
        assert len(index) == len(living)
        for _ in range(2):
            for query in (texts["0.0"], texts["0.1"], texts["7.2"], "alone"):
                assert matched_documents(index.search(query)) == expected(living, query, 0.5)
            index.merge()
        assert index.info()["segments"] == 1
        assert index.info()["removed"] == 0
        assert index.merge() is None
        assert index.check() == []
    with DocumentIndex.open(tmp_path / "index") as again:
        assert matched_documents(again.search(texts["0.1"])) == expected(living, texts["0.1"], 0.5)


def test_many_small_additions_are_merged(tmp_path):
    with DocumentIndex.build(tmp_path / "index", []) as index:
        for number in range(10):
            index.add([(str(number), f"the same text again and again in all {number % 2}")])
        assert index.info()["segments"] < 8
        assert [match.document for match in index.search("the same text again and again in all 1")] == list("13579")


def test_the_report_names_short_and_empty_documents(tmp_path, texts):
    with DocumentIndex.build(tmp_path / "index", texts.items(), shingle="words:2") as index:
        assert index.last_write.documents == len(texts)
        assert sorted(index.last_write.short) == ["blank", "empty", "short"]
        assert index.last_write.empty == ["empty", "blank"]


def test_a_match_has_the_metadata_of_its_document(tmp_path):
    documents = [Document("a", "one two three four five six", {"year": 1903})]
    with DocumentIndex.build(tmp_path / "index", documents) as index:
        (match,) = index.search("One, two, three, four, five, six!")
        assert (match.document, match.similarity, match.metadata) == ("a", 1.0, {"year": 1903})


def test_the_nearest_document_is_the_most_similar_one(tmp_path, texts):
    batch = Documents.of([Document(name, text) for name, text in texts.items()])
    parts = [list(texts.items())[part::2] for part in range(2)]
    with DocumentIndex.build(tmp_path / "index", parts[0], threshold=0.5, **SURE) as index:
        index.add(parts[1])
        for (name, text), nearest in zip(texts.items(), index.nearest(batch), strict=True):
            best = expected(texts, text, 0.5)
            assert nearest == ((*best[0], texts[best[0][0]] == text) if best else None), name
        other = Documents.of([Document("other", f"{texts['0.1']} more")])
        assert index.nearest(other) != [None]
        assert index.nearest(other, threshold=1.0) == [None]


def test_a_document_without_a_token_is_found_by_its_own_text_alone(tmp_path):
    documents = [("dots", "..."), ("nothing", ""), ("words", "one two three"), ("dots again", "..."), ("marks", "!!!")]
    with DocumentIndex.build(tmp_path / "index", documents, shingle="words:2") as index:
        assert matched_documents(index.search("...")) == [("dots", 1.0), ("dots again", 1.0)]
        assert index.search("..") == []
        asked = Documents.of([Document(str(n), text) for n, text in enumerate(["", "!!!", "?", "one two three"])])
        assert index.nearest(asked) == [("nothing", 1.0, True), ("marks", 1.0, True), None, ("words", 1.0, True)]
        index.remove(["dots"])
        index.merge()
        assert matched_documents(index.search("...")) == [("dots again", 1.0)]


TEXTS = st.lists(st.sampled_from(["a", "b", "c", "d", "!"]), max_size=7).map(" ".join)


@settings(max_examples=40, deadline=None)
@pytest.mark.filterwarnings("ignore:no document has a token")
@given(
    st.lists(TEXTS, max_size=14),
    st.lists(st.integers(0, 14), max_size=4),
    st.sampled_from([0.3, 0.5, 0.8, 1.0]),
)
def test_batch_by_batch_the_same_documents_are_kept_as_at_once(texts, cuts, threshold):
    documents = [(str(number), text) for number, text in enumerate(texts)]
    choices = {"threshold": threshold, "shingle": "words:2", "recall": 1.0}
    at_once = deduplicate(documents, **choices)
    edges = sorted({0, len(texts), *(min(cut, len(texts)) for cut in cuts)})
    with (
        tempfile.TemporaryDirectory() as folder,
        DocumentIndex.build(f"{folder}/index", **choices) as index,
    ):
        for first, end in pairwise(edges):
            batch = documents[first:end]
            nearest = index.nearest(Documents.of([Document(*each) for each in batch]))
            new = deduplicate([each for each, old in zip(batch, nearest, strict=True) if old is None], **choices)
            index.add([each for each in batch if each[0] in {*new.ids} - {*new.removed}])
        assert index.ids() == {*at_once.ids} - {*at_once.removed}


def test_what_stands_in_the_index_twice_or_not_at_all_is_refused_and_nothing_changes(tmp_path):
    with DocumentIndex.build(tmp_path / "index", [("a", "one two three four five")]) as index:
        with pytest.raises(CorpusError, match="document id 'a' occurs twice"):
            index.add([("b", "x"), ("a", "y")])
        with pytest.raises(CorpusError, match="no document has the id 'b'"):
            index.remove(["a", "b"])
        with pytest.raises(TypeError, match="not as one string"):
            index.remove("a")
        with pytest.raises(TypeError, match="not one str"):
            index.search_many("a")
        with pytest.raises(ValueError, match=r"from a resemblance of 0\.8 on, not from 0\.5"):
            index.search("a", threshold=0.5)
        assert len(index) == 1
        assert len(index.search("one two three four five")) == 1


def test_an_index_that_cannot_be_made_leaves_nothing_behind(tmp_path):
    path = tmp_path / "index"
    for options, message in (
        ({"threshold": 0}, "threshold must be above 0"),
        ({"recall": 2}, "recall must be above 0 and at most 1"),
        ({"num_hashes": 0}, "at least 1 function"),
        ({"seed": -1}, "a seed is a number"),
        ({"shingle": "verses"}, "no tokenizer is called"),
        ({"memory": "1"}, "64M or more"),
    ):
        with pytest.raises(ValueError, match=message):
            DocumentIndex.build(path, ["a"], **options)
    with pytest.raises(CorpusError, match="'a' occurs twice"):
        DocumentIndex.build(path, [("a", "x"), ("a", "y")])
    assert not path.exists()
    DocumentIndex.build(path, ["a"]).close()
    with pytest.raises(IndexExistsError):
        DocumentIndex.build(path, ["a"])


def test_an_index_of_another_kind_or_with_other_shingles_is_told_apart(tmp_path):
    DocumentIndex.build(tmp_path / "documents", ["a b c"]).close()
    PassageIndex.build(tmp_path / "passages", ["a b c"], min_length=2).close()
    with pytest.raises(ConfigurationError, match="passages: an index of passages, not of documents"):
        DocumentIndex.open(tmp_path / "passages")
    with pytest.raises(ConfigurationError, match="documents: an index of documents, not of passages"):
        PassageIndex.open(tmp_path / "documents")
    with pytest.raises(ConfigurationError, match="opened with"):
        DocumentIndex.open(tmp_path / "documents", shingle="words:3")
    with pytest.raises(NotAnIndexError):
        DocumentIndex.open(tmp_path / "nothing")


def test_an_index_keeps_the_files_of_its_tokenizer(tmp_path, bpe_files):
    text = "in the same place, in the same words"
    files = [Path(shutil.copy(file, tmp_path)) for file in bpe_files.values()]
    tokenizer = make_tokenizer("bpe:3", file=files[0], merges=files[1])
    DocumentIndex.build(tmp_path / "index", [("one", text)], shingle=tokenizer).close()
    for file in files:
        file.unlink()
    with DocumentIndex.open(tmp_path / "index") as index:
        assert [match.document for match in index.search(text)] == ["one"]
    with DocumentIndex.open(tmp_path / "index", shingle=make_tokenizer("bpe:3", **bpe_files)) as index:
        assert index.check() == []
