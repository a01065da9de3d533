"""The life of an index: built, opened, added to, removed from, merged, checked."""

import json
import shutil
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem import Document, Matches, PassageIndex, resources
from ibidem.errors import (
    ConfigurationError,
    CorpusError,
)
from ibidem.passages.query.statistics import SearchStatistics
from ibidem.similarity import jaccard
from ibidem.store import Store
from ibidem.text import Documents, Texts, make_tokenizer
from ibidem.weights import DocumentFrequencies, Weighting

FOX = "the quick brown fox jumps over the lazy dog and runs away"
POEM = "tyger tyger burning bright in the forests of the night"
SONG = "my bonnie lies over the ocean my bonnie lies over the sea"
OPTIONS = {"min_length": 4, "max_length": 40}


@pytest.fixture(autouse=True)
def _quiet_about_short_queries():
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="passages similar to this query")
        yield


def found(index, text, **options):
    """Ids of the documents that hold ``text``, sure to be complete."""
    return sorted({match.document for match in index.search(text, **{"threshold": 0.9, **options})})


def ordered(matches):
    return sorted(
        matches, key=lambda match: (match.document, match.starts or (match.start,), match.ends or (match.end,))
    )


def bytes_of(path):
    return {file.relative_to(path): file.read_bytes() for file in path.rglob("*") if file.is_file()}


@pytest.fixture
def index(tmp_path):
    with PassageIndex.build(tmp_path / "index", [("fox", FOX), ("poem", POEM)], **OPTIONS) as built:
        yield built


# Round trips.


def test_an_index_is_opened_as_it_was_built(index):
    with PassageIndex.open(index.path) as opened:
        assert opened.configuration == index.configuration
        assert len(opened) == 2
        assert opened.last_write is None
        for query in (FOX, POEM, "burning bright in the forest"):
            assert opened.search(query) == index.search(query)
        assert opened.info() == index.info()
        assert opened.check() == []


def test_info_counts_what_the_index_holds(index):
    index.add([("song", SONG)])
    index.remove(["poem"])
    info = index.info()
    assert (info["documents"], info["removed"], info["segments"]) == (2, 1, 2)
    assert info["tokens"] == len(FOX.split()) + len(POEM.split()) + len(SONG.split())
    assert info["generation"] == 3
    assert info["configuration"]["max_length"] == 40
    assert info["path"] == str(index.path)
    files = {name: data for name, data in bytes_of(index.path).items() if name.name != "lock"}
    assert sum(info["bytes"].values()) == sum(map(len, files.values()))
    json.dumps(info)


def test_a_report_says_what_was_written(index):
    report = index.add([("song", SONG), ("scrap", "two words"), ("nothing", "")])
    assert report is index.last_write
    assert (report.documents, report.tokens) == (3, 14)
    assert report.short == ["scrap", "nothing"]
    assert report.postings == index._store.segments[1].num_postings > 0
    assert report.seconds >= 0


def test_added_documents_are_found_and_the_old_ones_too(index):
    assert found(index, SONG) == []
    index.add([("song", SONG)])
    assert found(index, SONG) == ["song"]
    assert found(index, FOX) == ["fox"]
    with PassageIndex.open(index.path) as opened:
        assert found(opened, SONG) == ["song"]


def test_removed_documents_are_not_found_by_any_search(index):
    assert index.remove(["poem"]) == ["poem"]
    with PassageIndex.open(index.path) as opened:
        for each in (index, opened):
            assert len(each) == 1
            for options in ({}, {"select": "all"}, {"select": "longest"}):
                assert found(each, POEM, **options) == []
            assert found(each, FOX) == ["fox"]


def test_an_id_can_be_given_again_when_its_document_was_removed(index):
    index.remove(["poem"])
    index.add([("poem", SONG)])
    assert found(index, POEM) == []
    assert found(index, SONG) == ["poem"]
    index.remove(["poem"])
    assert found(index, SONG) == []
    assert len(index) == 1


def test_removing_nothing_changes_nothing(index):
    before = bytes_of(index.path)
    assert index.remove([]) == []
    assert bytes_of(index.path) == before


@pytest.mark.parametrize("ids", [["none"], ["poem", "none"]])
def test_an_unknown_id_is_named_and_nothing_is_removed(index, ids):
    before = bytes_of(index.path)
    with pytest.raises(CorpusError, match=r"'none'.*nothing was removed"):
        index.remove(ids)
    assert bytes_of(index.path) == before
    assert len(index) == 2


def test_a_removed_id_is_unknown(index):
    index.remove(["poem"])
    with pytest.raises(CorpusError, match="'poem'"):
        index.remove(["poem"])


def test_one_id_in_place_of_many_is_refused(tmp_path):
    with PassageIndex.build(tmp_path / "index", [("1", FOX), ("2", POEM)], **OPTIONS) as index:
        with pytest.raises(TypeError, match="12"):
            index.remove("12")
        assert len(index) == 2


def test_merging_leaves_one_segment_without_the_removed(index):
    index.add([("song", SONG)])
    index.remove(["poem"])
    report = index.merge()
    assert (report.documents, report.tokens) == (2, len(FOX.split()) + len(SONG.split()))
    info = index.info()
    assert (info["segments"], info["documents"], info["removed"]) == (1, 2, 0)
    assert found(index, FOX) == ["fox"]
    assert found(index, SONG) == ["song"]
    assert found(index, POEM) == []
    assert index.check() == []
    assert index.merge() is None


@pytest.mark.filterwarnings("ignore:this index holds no token")
def test_an_index_of_removed_documents_merges_to_an_empty_one(index):
    index.remove(["fox", "poem"])
    index.merge()
    assert (len(index), index.info()["segments"]) == (0, 0)
    assert index.search(FOX) == []
    index.add([("fox", FOX)])
    assert found(index, FOX) == ["fox"]


def test_a_merge_sees_what_another_process_has_added(index):
    with PassageIndex.open(index.path) as other:
        other.add([("song", SONG)])
    assert index.merge().documents == 3


def test_segments_that_would_not_become_one_are_not_merged_for_ever(tmp_path, monkeypatch):
    """Eight full segments are a crowded tier, and merging would give eight full segments again."""
    monkeypatch.setattr(resources, "memory_bytes", int)
    batches = [Documents.of([Document(f"{number}", FOX)]) for number in range(9)]
    with PassageIndex.build(tmp_path / "index", batches, memory=8 * 13, **OPTIONS) as index:
        assert index.info()["segments"] == 9
        index.add([("song", SONG)], memory=8 * 13)
        assert index.info()["segments"] == 10
        index.add([("poem", POEM)], memory=1 << 20)
        assert index.info()["segments"] < 9
        assert len(index) == 11


texts = st.lists(st.lists(st.sampled_from("abcdefg"), max_size=25).map(" ".join), min_size=1, max_size=3)
FAMILIES = [{}, {"family": "set"}, {"family": "weighted", "tf": "squared", "idf": "smooth"}]


@pytest.mark.filterwarnings("ignore:.*this index holds no token")
@settings(max_examples=10)
@given(
    parts=st.lists(texts, min_size=2, max_size=4), removed=st.sets(st.integers(0, 8)), family=st.sampled_from(FAMILIES)
)
def test_merging_changes_no_match(tmp_path_factory, parts, removed, family):
    folder = tmp_path_factory.mktemp("merge")
    named = [[(f"{part}.{row}", text) for row, text in enumerate(texts)] for part, texts in enumerate(parts)]
    ids = [document_id for part in named for document_id, _ in part]
    with PassageIndex.build(folder / "index", named[0], min_length=2, max_length=12, **family) as index:
        for part in named[1:]:
            index.add(part)
        index.remove([document_id for number, document_id in enumerate(ids) if number in removed])

        def matches():
            return [
                ordered(index.search(query, threshold=0.5, select=report))
                for query in ("a b c d e", "g g f a a b", named[-1][0][1] or "a")
                for report in ("best", "longest", "maximal", "all")
            ]

        before = matches()
        index.merge()
        assert matches() == before
        assert index.info()["segments"] <= 1
        assert index.check() == []


# Ids and metadata.


def test_an_id_that_occurs_twice_in_a_build_is_named_and_nothing_is_left(tmp_path):
    documents = [Documents.of([Document("a", FOX)]), Documents.of([Document("b", FOX)]), ("a", POEM)]
    with pytest.raises(CorpusError, match="'a' occurs twice"):
        PassageIndex.build(tmp_path / "index", documents, **OPTIONS)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("twice", [[("new", SONG), ("fox", SONG)], [("song", SONG), ("song", FOX)]])
def test_an_id_that_occurs_twice_in_an_addition_is_named_and_nothing_is_changed(index, twice):
    before = bytes_of(index.path)
    with pytest.raises(CorpusError, match=f"'{twice[1][0]}' occurs twice"):
        index.add(Documents.of([Document(*each)]) for each in twice)
    assert bytes_of(index.path) == before
    assert len(index) == 2
    assert found(index, SONG) == []
    index.add([("song", SONG)])
    assert found(index, SONG) == ["song"]


METADATA = {
    "plain": b'{"year":1903,"tags":["a",null,true],"nested":{"x":-1.5e-7}}',
    "huge": b'{"n":123456789012345678901234567890,"m":-99999999999999999999999999}',
    "escapes": b'{"\\u00e9\\ud83d\\ude00":"\\u0000\\n\\"\\\\"}',
    "unicode": '{"é":"😀\\u2028"}'.encode(),
    "none": b"{}",
}


def test_metadata_is_kept_whatever_is_done_with_the_documents(tmp_path):
    texts = [f"{name} {FOX}" for name in METADATA]
    batch = Documents(list(METADATA), Texts.from_strings(texts), list(METADATA.values()))
    with PassageIndex.build(tmp_path / "index", [batch], **OPTIONS) as index:
        index.add([Document("more", f"more {FOX}", {"n": 10**30}), {"id": "map", "text": f"map {FOX}", "year": 1903}])
        expected = {name: json.loads(data) for name, data in METADATA.items()}
        expected |= {"more": {"n": 10**30}, "map": {"year": 1903}}
        for _ in range(2):
            matches = index.search(FOX, threshold=0.8)
            assert {match.document: match.metadata for match in matches} == expected
            index.merge()


def test_metadata_with_half_of_a_surrogate_pair_is_kept(tmp_path):
    batch = Documents(["a"], Texts.from_strings([FOX]), [b'{"note":"\\ud83d"}'])
    with PassageIndex.build(tmp_path / "index", [batch], **OPTIONS) as index:
        (match,) = index.search(FOX)
        assert match.metadata == {"note": "\ud83d"}


def test_ids_and_texts_may_hold_half_of_a_surrogate_pair(tmp_path):
    text = f"{FOX} \ud83d tail"
    with PassageIndex.build(tmp_path / "index", [("id\udcff", text)], **OPTIONS) as index:
        (match,) = index.search(FOX)
        assert match.document == "id\udcff"
        assert text[match.start : match.end] == match.text
        assert index.remove(["id\udcff"]) == ["id\udcff"]


# Collections with little in them.

IDFS = [{}, *({"family": "weighted", "idf": idf} for idf in ("standard", "smooth", "probabilistic"))]


@pytest.mark.parametrize("weights", IDFS)
def test_an_empty_collection_can_be_added_to(tmp_path, weights):
    with PassageIndex.build(tmp_path / "index", [], **OPTIONS, **weights) as index:
        assert len(index) == 0
        assert index.last_write.documents == 0
        assert index.check() == []
        assert index.merge() is None
    with PassageIndex.open(tmp_path / "index") as index:
        index.add([("fox", FOX), ("poem", POEM), ("song", SONG)])
        assert found(index, POEM) == ["poem"]
    with PassageIndex.build(
        tmp_path / "whole", [("fox", FOX), ("poem", POEM), ("song", SONG)], **OPTIONS, **weights
    ) as whole:
        assert whole.search(POEM) == PassageIndex.open(tmp_path / "index").search(POEM)


@pytest.mark.filterwarnings("ignore:.*this index holds no token")
def test_a_search_of_an_empty_collection_finds_nothing(tmp_path):
    with PassageIndex.build(tmp_path / "index", [], **OPTIONS) as index:
        for options in ({}, {"select": "all"}):
            assert index.search(FOX, **options) == []


@pytest.mark.parametrize("weights", [{}, {"family": "weighted", "idf": "smooth"}])
def test_documents_that_are_all_empty_or_short_are_kept_and_named(tmp_path, weights):
    documents = [("a", ""), ("b", " \n"), ("c", "three words only"), ("d", "?!")]
    with PassageIndex.build(tmp_path / "index", documents, **OPTIONS, **weights) as index:
        assert index.last_write.short == ["a", "b", "c", "d"]
        assert len(index) == 4
        assert index.search("three words only and more") == []
        assert index.check() == []
        index.add([("fox", FOX)])
        assert index.last_write.short == []
        assert found(index, FOX) == ["fox"]
        index.remove(["a", "c"])
        index.merge()
        assert index.last_write.short == ["b", "d"]
        assert found(index, FOX) == ["fox"]


# Weights.


def weighted(folder, documents, **options):
    return PassageIndex.build(
        folder, documents, family="weighted", **{"tf": "logarithmic", "idf": "standard", **OPTIONS, **options}
    )


def test_an_addition_is_weighed_with_the_frequencies_of_the_build(tmp_path):
    first, second = [("fox", FOX), ("poem", POEM)], [("song", SONG), ("fox 2", FOX + " " + SONG)]
    with weighted(tmp_path / "added", first) as added:
        frozen = added._store.frequencies()
        tokens, counts, num_documents = frozen
        assert num_documents == 2
        added.add(second)
        added.merge()
        assert added._store.frequencies()[2] == 2
        with weighted(
            tmp_path / "given", first + second, frequencies=DocumentFrequencies(tokens, counts, num_documents)
        ) as given_:
            for query in (FOX, SONG, "the quick brown bonnie lies over the ocean"):
                for options in ({}, {"select": "all"}):
                    expected = ordered(given_.search(query, threshold=0.4, **options))
                    assert ordered(added.search(query, threshold=0.4, **options)) == expected
                    assert expected


def test_given_frequencies_are_kept_in_the_index(tmp_path):
    tokens = PassageIndex.build(tmp_path / "plain", [], **OPTIONS).tokenizer.encode(Texts.from_strings([FOX])).ids
    given_ = DocumentFrequencies(np.unique(tokens), np.full(len(np.unique(tokens)), 3), 100)
    with weighted(tmp_path / "index", [("fox", FOX)], frequencies=given_) as index:
        assert found(index, FOX) == ["fox"]
    with PassageIndex.open(tmp_path / "index") as opened:
        held = opened._store.frequencies()
        assert held[0].tolist() == given_.tokens.tolist()
        assert held[1].tolist() == given_.counts.tolist()
        assert held[2] == 100
        assert found(opened, FOX) == ["fox"]


def test_tokens_that_stand_in_every_document_weigh_nothing(tmp_path):
    """Of "the same", only the other words tell documents apart; passages of nothing else are like no other."""
    documents = [("1", "the same alpha beta gamma the same delta"), ("2", "the same one two three the same four")]
    with weighted(tmp_path / "index", documents) as index:
        (match,) = index.search("alpha beta gamma delta", threshold=0.9)
        assert match.document == "1"
        assert match.similarity == 1.0
        with pytest.raises(ValueError, match="no token that has a weight"):
            index.search("the same the same")
        assert index.search("the same one three", threshold=0.4)


def test_a_collection_whose_tokens_all_weigh_nothing_is_searched(tmp_path):
    with weighted(tmp_path / "index", [("1", FOX), ("2", FOX)]) as index:
        assert index.check() == []
        assert index.search("something else altogether") == []


# Tokenizers.


def letters(text):
    return [(letter, place, place + 1) for place, letter in enumerate(text) if letter.isalpha()]


def syllables(text):
    return [(text[place : place + 2], place, place + 2) for place in range(len(text) - 1)]


def test_an_index_made_with_a_function_needs_it_again(tmp_path):
    with PassageIndex.build(tmp_path / "index", [("fox", FOX)], tokenizer=letters, **OPTIONS) as index:
        (match,) = index.search("brown fox jumps", threshold=0.9)
        assert match.text == "brown fox jumps"
    with pytest.raises(ConfigurationError, match="letters"):
        PassageIndex.open(tmp_path / "index")
    with pytest.raises(ConfigurationError, match=r"letters.*syllables"):
        PassageIndex.open(tmp_path / "index", tokenizer=syllables)
    with PassageIndex.open(tmp_path / "index", tokenizer=letters) as opened:
        assert opened.search("brown fox jumps", threshold=0.9) == [match]


def test_an_index_is_not_opened_with_another_tokenizer(index):
    with pytest.raises(ConfigurationError, match=r"words.*characters"):
        PassageIndex.open(index.path, tokenizer="characters:5")
    PassageIndex.open(index.path, tokenizer="words").close()


# Readers and writers.


def test_an_addition_that_fails_changes_nothing(index):
    def documents():
        for number in range(5):
            yield Documents.of([Document(f"new {number}", SONG)])
        raise KeyboardInterrupt

    before = bytes_of(index.path)
    with pytest.raises(KeyboardInterrupt):
        index.add(documents())
    assert bytes_of(index.path) == before
    assert found(index, SONG) == []
    index.add([("song", SONG)])
    assert found(index, SONG) == ["song"]


def test_a_closed_index_says_so(index):
    index.close()
    with pytest.raises(ValueError, match="closed"):
        index.search(FOX)
    with pytest.raises(ValueError, match="closed"):
        index.add([SONG])


@pytest.mark.parametrize("threads", [1, 3])
def test_many_queries_give_what_each_gives_alone_and_warn_once(tmp_path, threads):
    verse = "tyger tyger burning bright in the forests of the night what immortal hand or eye"
    queries = ["burning bright in the forest of the night", "little lamb who made thee so", "what immortal hand or eye"]
    with PassageIndex.build(tmp_path / "index", [("blake", verse)], min_length=4) as index:
        with pytest.warns(UserWarning, match="of 3 queries: passages similar to this query") as raised:
            found = index.search_many(queries, threshold=0.4, threads=threads)
        assert len(raised) == 1
        with pytest.warns(UserWarning, match="passages similar"):
            alone = [index.search(query, threshold=0.4, name=str(number)) for number, query in enumerate(queries)]
        assert found == alone
        assert [len(each) for each in found] == [1, 0, 1]
        assert [each.query for each in found] == queries
        assert index.search_many([]) == []
        with pytest.raises(TypeError, match="not one str"):
            index.search_many("one string")


def test_many_queries_have_names_and_one_without_words_is_only_told_of(tmp_path):
    with PassageIndex.build(tmp_path / "index", [("fox", FOX)]) as index:
        with pytest.warns(UserWarning, match=r"1 of 3 queries: the query holds no token that has a weight"):
            named, empty, numbered = index.search_many([Document("jumper", "brown fox jumps"), "?!", "brown fox jumps"])
        assert not empty
        assert ({m.query_name for m in named}, {m.query_name for m in numbered}) == ({"jumper"}, {"2"})
        answers = index.explain_many(iter(["brown fox jumps", "?!"]), threshold=0.9)
        assert [(len(found), bool(work.notes)) for found, work in answers] == [(1, False), (0, True)]


# Weights of the caller's own.


def test_a_search_weighs_words_as_it_is_told(tmp_path):
    with PassageIndex.build(tmp_path / "index", [("fox", FOX), ("poem", POEM), ("song", SONG)]) as index:
        query, words = "the quick ocean of the night jumps", {"the": 0.0, "of": 0.25, "night": 4, "quick": 2.5}
        found = index.search(query, idf=words, threshold=0.05, select="document", limit=None)
        weighting = Weighting.of_words(words)
        tokens = dict(zip(("fox", "poem", "song"), (ids_of(text) for text in (FOX, POEM, SONG)), strict=True))
        best = {
            name: max(
                jaccard(ids_of(query), text[first:last], weighting)
                for first in range(len(text))
                for last in range(first + 1, len(text) + 1)
            )
            for name, text in tokens.items()
        }
        assert {match.document: match.similarity for match in found} == pytest.approx(best)
        with pytest.raises(ValueError, match="the weight of 'night' must be a number"):
            index.search(query, idf={"night": float("nan")})
        with pytest.raises(ValueError, match="give a dictionary of weights"):
            index.search(query, idf=len)
        with pytest.raises(ValueError, match="weights of words are for the family 'weighted'"):
            index.search(query, idf=words, family="set")


def test_an_index_is_built_with_an_idf_by_name_alone(tmp_path):
    with pytest.raises(ValueError, match="an index keeps an idf by its name alone"):
        PassageIndex.build(tmp_path / "index", [("fox", FOX)], family="weighted", idf={"fox": 2.0})


def ids_of(text):
    return make_tokenizer("words").encode(Texts.from_strings([text])).ids


def test_an_index_weighs_tokens_by_any_measure(tmp_path):
    with PassageIndex.build(tmp_path / "index", [("fox", FOX), ("song", SONG)]) as index:
        assert index.weighting() == Weighting.of("multiset")
        assert index.weighting(family="set") == Weighting.of("set")
        weighting = index.weighting(tf="squared", idf="smooth")
        assert (weighting.tf, weighting.idf) == ("squared", "smooth")
        over, bonnie = weighting.idf_of(index.tokenizer.encode(Texts.from_strings(["over bonnie"])).ids)
        assert over < bonnie
        with pytest.raises(ValueError, match="tf and idf are weights of the family 'weighted'"):
            index.weighting(family="set", idf="smooth")


# A tokenizer that is made of files.


def test_an_index_keeps_the_files_of_its_tokenizer(tmp_path, bpe_files):
    files = [Path(shutil.copy(file, tmp_path)) for file in bpe_files.values()]
    made = make_tokenizer("bpe:2", file=files[0], merges=files[1])
    with PassageIndex.build(tmp_path / "index", [("poem", POEM)], tokenizer=made, min_length=4) as index:
        expected = found(index, POEM)
    for file in files:
        file.unlink()
    (tmp_path / "index").rename(tmp_path / "moved")
    with PassageIndex.open(tmp_path / "moved") as index:
        index.add([("song", SONG)])
        index.remove(["poem"])
        index.merge()
        assert index.check() == []
    with PassageIndex.open(tmp_path / "moved") as index:
        assert (expected, found(index, SONG)) == (["poem"], ["song"])
        assert not {"file", "merges"} & index.configuration.tokenizer.keys()
        assert index.info()["bytes"]["attachments"] > 0
    with PassageIndex.open(tmp_path / "moved", tokenizer=make_tokenizer("bpe:2", **bpe_files)) as index:
        assert found(index, SONG) == ["song"]
    with pytest.raises(ConfigurationError, match="opened with"):
        PassageIndex.open(tmp_path / "moved", tokenizer=make_tokenizer("bpe", **bpe_files))


def test_an_index_without_documents_keeps_the_files_of_its_tokenizer(tmp_path, bpe_files):
    PassageIndex.build(tmp_path / "index", [], tokenizer=make_tokenizer("bpe", **bpe_files)).close()
    with PassageIndex.open(tmp_path / "index") as index:
        index.add([("song", SONG)])
        assert found(index, SONG) == ["song"]


def test_a_configuration_that_names_a_file_of_this_machine_is_refused(tmp_path, bpe_files):
    Store.create(
        tmp_path / "index",
        {"tokenizer": make_tokenizer("bpe", **bpe_files).config},
    )
    with pytest.raises(ConfigurationError, match=r"index: .* no file outside of it is read"):
        PassageIndex.open(tmp_path / "index")


@pytest.mark.parametrize("select", ["best", "longest", "maximal", "all", "document"])
def test_what_is_beyond_the_limit_is_counted_if_it_is_asked_for(tmp_path, select):
    texts = [f"{FOX} and {POEM} and {FOX}" for _ in range(7)]
    with PassageIndex.build(tmp_path / "index", texts, max_length=40) as index:
        for query in (FOX, f"{FOX} and {POEM} and {FOX} and {SONG}"):
            options = {"threshold": 0.8, "select": select}
            every, _ = index.explain(query, **options, limit=None)
            found, work = index.explain(query, **options, limit=2, count_all=True)
            assert len(every) > 3
            assert (work.passages, len(found)) == (len(every), 2)


class NotingSearcher:
    """Answers each query with a note that holds its name and text, and the threshold of the search."""

    def __init__(self, options):
        self.threshold = options.threshold

    def answer(self, query, threads):
        note = f"{query.id} {query.text} {self.threshold}"
        return Matches([], query=query.text, tokenizer=None), SearchStatistics(notes=(note,))

    def answer_each(self, queries, workers, threads):
        return (self.answer(query, threads) for query in queries)


@pytest.fixture
def noting_index(tmp_path, monkeypatch):
    with PassageIndex.build(tmp_path / "noting", ["one two three"]) as made:
        monkeypatch.setattr(made, "_searcher", NotingSearcher)
        yield made


def test_a_search_warns_of_what_explain_notes(noting_index) -> None:
    with pytest.warns(UserWarning, match=r"^mine tyger 0\.7$"):
        found = noting_index.search("tyger", threshold=0.7, name="mine")
    assert found.query == "tyger"
    found, statistics = noting_index.explain("tyger", threshold=0.7, name="mine")
    assert statistics.notes == ("mine tyger 0.7",)


def test_many_queries_are_named_by_number_or_id_and_warn_once(noting_index) -> None:
    queries = ["a", Document("own", "b"), "c"]
    notes = [statistics.notes[0] for _, statistics in noting_index.explain_many(queries, threshold=0.5)]
    assert notes == ["0 a 0.5", "own b 0.5", "2 c 0.5"]
    with pytest.warns(UserWarning, match=r"^3 of 3 queries: 0 a 0\.5$"):
        assert len(noting_index.search_many(queries, threshold=0.5)) == 3


def test_one_string_is_no_list_of_queries(noting_index) -> None:
    with pytest.raises(TypeError, match="not one str"):
        noting_index.explain_many("tyger")
