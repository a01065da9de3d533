"""Deduplication against an oracle that compares every pair, and its rules about what is kept."""

import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from ibidem.documents import candidates, comparison
from ibidem.documents.deduplicate import deduplicate
from ibidem.documents.result import Deduplication
from ibidem.errors import CorpusError
from ibidem.text import Document

SURE = {"recall": 1 - 1e-7, "num_hashes": 512}
"""So that an oracle that misses nothing is a fair one."""

words = st.lists(st.sampled_from("abcdefghij"), max_size=12)


def shingles(text, width):
    tokens = text.casefold().split()
    width = min(width, len(tokens))
    return {tuple(tokens[i : i + width]) for i in range(len(tokens) - width + 1)} if tokens else set()


def resemblance(a, b):
    return len(a & b) / len(a | b) if a | b else 0.0  # empty documents are like nothing


def oracle(texts, threshold, width, order):
    """For each text the one that is kept in its place, and the clusters, by comparing every pair."""
    sets = [shingles(text, width) for text in texts]

    def similarity(i, j):
        return 1.0 if texts[i] == texts[j] else resemblance(sets[i], sets[j])

    kept, place = [], {}
    for i in order:
        copied = next((j for j in place if texts[j] == texts[i]), None)
        if copied is not None:  # copies share the fate of their text
            place[i] = place[copied]
            continue
        best = max(kept, key=lambda j: (similarity(i, j), -order.index(j)), default=None)
        if best is None or similarity(i, best) < threshold:
            kept.append(i)
            best = i
        place[i] = best
    clusters = list(range(len(texts)))
    for i in range(len(texts)):
        for j in range(i):
            if similarity(i, j) >= threshold:
                old, new = clusters[i], clusters[j]
                clusters = [min(old, new) if each in (old, new) else each for each in clusters]
    return [place[i] for i in range(len(texts))], clusters, similarity


@pytest.fixture(params=[1, 2, 64], ids=lambda small: f"buckets to {small}")
def small(request, monkeypatch):
    """Buckets that hold more documents than this are joined instead of listed."""
    monkeypatch.setattr(candidates, "SMALL", request.param)
    return request.param


@pytest.mark.usefixtures("small")
@pytest.mark.filterwarnings("ignore:no document has a token")
@settings(max_examples=60, deadline=None)
@example(["a b", "d c a b", "a c d", "d c a b"], 0.3, 1, "first")
@given(
    st.lists(words.map(" ".join), max_size=9),
    st.sampled_from([0.3, 0.5, 0.8, 1.0]),
    st.integers(1, 3),
    st.sampled_from(["first", "longest"]),
)
def test_what_is_kept_is_what_comparing_every_pair_keeps(texts, threshold, width, keep):
    deduplication = deduplicate(texts, threshold=threshold, shingle=f"words:{width}", keep=keep, threads=1, **SURE)
    order = list(range(len(texts)))
    if keep == "longest":
        order.sort(key=lambda i: -len(texts[i]))
        assume(len({len(text) for text in texts}) == len(set(texts)))  # a tie is settled by the hash of the content
    expected, clusters, similarity = oracle(texts, threshold, width, order)
    assert [texts[i] for i in deduplication.duplicate_of] == [texts[i] for i in expected]
    assert deduplication.clusters.tolist() == clusters
    assert deduplication.kept.tolist() == [i == j for i, j in enumerate(deduplication.duplicate_of)]
    for i, j in enumerate(deduplication.duplicate_of.tolist()):
        assert deduplication.similarity[i] == pytest.approx(1.0 if i == j else similarity(i, j), abs=1e-12)
        assert deduplication.exact[i] == (i != j and texts[i] == texts[j])
    for (i, j), each in zip(deduplication.pairs.tolist(), deduplication.pair_similarities.tolist(), strict=True):
        assert i < j
        assert threshold <= each == pytest.approx(similarity(i, j))


def variants(count, source):
    """Texts of 60 words, each in a few versions that differ in some words; and their ids."""
    texts = []
    for number in range(count):
        base = [source.choice("abcdefghijklmnop") + str(source.randrange(300)) for _ in range(60)]
        for _ in range(source.randrange(1, 5)):
            changed = list(base)
            for _ in range(source.randrange(4)):
                changed[source.randrange(60)] = "changed"
            texts.append((f"{number}.{len(texts)}", " ".join(changed)))
    return texts


def by_id(deduplication):
    """The result without the order of the documents."""
    clusters = {}
    for document, label in zip(deduplication.ids, deduplication.clusters.tolist(), strict=True):
        clusters.setdefault(label, set()).add(document)
    pairs = {
        frozenset((deduplication.ids[i], deduplication.ids[j])): similarity
        for (i, j), similarity in zip(
            deduplication.pairs.tolist(), deduplication.pair_similarities.tolist(), strict=True
        )
    }
    kept = {document for document, kept in zip(deduplication.ids, deduplication.kept, strict=True) if kept}
    return {frozenset(cluster) for cluster in clusters.values()}, pairs, kept


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("mode", ["representative", "connected"])
def test_pairs_and_clusters_do_not_depend_on_the_order_of_the_input(mode):
    documents = [*variants(25, random.Random(3)), ("none", ""), ("dash", "-")]
    shuffled = random.Random(4).sample(documents, len(documents))
    one, other = (
        by_id(deduplicate(each, threshold=0.6, shingle="words:2", keep="longest", cluster_mode=mode))
        for each in (documents, shuffled)
    )
    assert one == other
    assert len(one[2]) < len(documents)


@pytest.mark.usefixtures("small")
def test_the_result_depends_neither_on_threads_nor_on_memory(monkeypatch):
    documents = variants(40, random.Random(5))
    results = []
    for threads, size in ((1, 1 << 20), (3, 1 << 20), (2, 8)):
        monkeypatch.setattr(comparison, "BLOCK_SHINGLES", size)
        monkeypatch.setattr(candidates, "_TOGETHER", size)
        results.append(deduplicate(documents, threshold=0.5, shingle="words:2", threads=threads))
    for one, other in pairwise(results):
        for name in Deduplication.__annotations__:
            assert np.array_equal(getattr(one, name), getattr(other, name)), name


def test_a_chain_is_cut_where_a_document_is_not_similar_to_the_one_that_is_kept():
    chain = [" ".join(map(str, range(start, start + 40))) for start in (0, 5, 10, 15)]
    cut = deduplicate(chain, threshold=0.75, shingle="words:1")
    assert cut.duplicate_of.tolist() == [0, 0, 2, 2]
    assert cut.similarity.tolist() == [1.0, 35 / 45, 1.0, 35 / 45]
    assert cut.clusters.tolist() == [0, 0, 0, 0]
    assert cut.weakest.tolist() == [35 / 45] * 4
    deduplication = deduplicate(chain, threshold=0.75, shingle="words:1", cluster_mode="connected")
    assert deduplication.duplicate_of.tolist() == [0, 0, 0, 0]
    assert deduplication.similarity.tolist() == [1.0, 35 / 45, 30 / 50, 25 / 55]


@pytest.mark.parametrize("insertions", ["once", "Once upon"])
def test_a_word_inserted_at_the_front_of_a_long_document_is_found(insertions):
    source = random.Random(6)
    text = " ".join(str(source.randrange(10**6)) for _ in range(2000))
    for seed in range(20):
        deduplication = deduplicate([text, f"{insertions} {text}"], threshold=0.95, seed=seed)
        assert deduplication.kept.tolist() == [True, False]


def test_short_and_empty_documents_are_told_and_follow_their_rule():
    texts = ["", "one two", "One, two!", "one two three", "...", "", "--", "one two three four five"]
    deduplication = deduplicate(texts, threshold=0.5)
    assert deduplication.short.tolist() == [1, 2, 3]
    assert deduplication.empty.tolist() == [0, 4, 5, 6]
    assert deduplication.duplicate_of.tolist() == [0, 1, 1, 3, 4, 0, 6, 7]
    assert deduplication.exact.tolist() == [False] * 5 + [True, False, False]


def test_pairs_name_each_text_once_by_the_copy_that_is_put_first():
    texts = [("a", "one two three four", 1), ("b", "one two three four", 2), ("c", "one two three four five", 3)]
    documents = [Document(name, text, {"year": year}) for name, text, year in texts]
    for keep, copy in (("first", 0), ("max(year)", 1)):
        deduplication = deduplicate(documents, shingle="words:1", threshold=0.5, keep=keep)
        assert deduplication.pairs.tolist() == [[copy, 2]]


def test_many_identical_documents_are_compared_with_no_other():
    deduplication = deduplicate(
        [("first", "the same text again and again"), *((str(n), "a b c d e f") for n in range(5000))]
    )
    assert deduplication.candidates == 0
    assert deduplication.kept.sum() == 2
    assert deduplication.exact.sum() == 4999


@pytest.mark.parametrize("mode", ["representative", "connected"])
def test_documents_that_differ_in_a_word_each_are_compared_about_once(mode):
    words = " ".join(map(str, range(200)))
    deduplication = deduplicate([f"{words} {n}" for n in range(10_000, 10_700)], threshold=0.9, cluster_mode=mode)
    assert deduplication.kept.sum() == 1
    assert deduplication.candidates < 5 * 700
    assert len(set(deduplication.clusters.tolist())) == 1


RECORDS = [
    {"id": "a", "text": "one two three", "quality": 3, "date": "2020-01-02"},
    {"id": "b", "text": "one  two three", "quality": 10, "date": "2021-01-02"},
    {"id": "c", "text": "One two three", "quality": 10, "date": "2020-05-02"},
    {"id": "d", "text": "One, two, three", "date": "2019-01-01"},
]


@pytest.mark.parametrize(
    ("keep", "kept"),
    [
        ("first", "a"),
        ("longest", "d"),
        ("max(quality), min(date)", "c"),
        ("max(quality),max( date )", "b"),
        ("min(quality)", "a"),
        ("min(date)", "d"),
    ],
)
def test_the_keep_policy_says_which_of_similar_documents_stays(keep, kept):
    for records in (RECORDS, RECORDS[::-1]):
        if keep == "first":
            records = RECORDS
        deduplication = deduplicate(records, keep=keep)
        assert [deduplication.ids[row] for row in np.flatnonzero(deduplication.kept)] == [kept]


def test_of_the_same_text_the_one_that_the_policy_prefers_stays():
    records = [{"id": str(n), "text": "one and the same", "rank": rank} for n, rank in enumerate(["2", "11", "none"])]
    records[2]["rank"] = None
    assert deduplicate(records, keep="max(rank)").kept.tolist() == [False, True, False]
    assert deduplicate(records, keep="min(rank)").kept.tolist() == [True, False, False]


def test_words_are_ordered_as_words_and_null_comes_last_in_either_sense():
    records = [{"id": str(n), "text": "one and the same", "name": name} for n, name in enumerate([None, "b", "a", ""])]
    assert deduplicate(records, keep="min(name)").duplicate_of.tolist() == [2] * 4
    assert deduplicate(records, keep="max(name)").duplicate_of.tolist() == [1] * 4


@pytest.mark.parametrize("nothing", [None, ""])
@pytest.mark.parametrize("keep", ["max(q)", "min(q)"])
def test_where_all_values_are_null_documents_are_equal_and_the_next_term_decides(keep, nothing):
    records = [{"id": name, "text": "one and the same", "q": nothing, "year": ord(name)} for name in "bac"]
    assert deduplicate(records, keep=keep).kept.tolist() == [False, True, False]
    assert deduplicate(records, keep=f"{keep}, max(year)").kept.tolist() == [False, False, True]


@pytest.mark.parametrize(
    ("documents", "options", "message"),
    [
        ([("a", "x"), ("b", "y"), ("a", "z")], {}, "document id 'a' occurs twice: documents 0 and 2"),
        (RECORDS, {"keep": "max(score)"}, "no document has the column 'score'"),
        (
            [*RECORDS, {"id": "e", "text": "one two three", "quality": "good"}],
            {"keep": "max(quality)"},
            "document 'e', column 'quality': a word in a column that has numbers",
        ),
        (
            [*RECORDS, {"id": "e", "text": "one two three", "quality": [1]}],
            {"keep": "max(quality)"},
            r"document 'e', column 'quality': \[1\] cannot be compared",
        ),
        ([Document("a", None)], {}, "document 0: id and text must be strings"),
        ([{"id": "a", "text": None}], {}, "document 0: a mapping needs a string under 'text'"),
    ],
)
def test_documents_that_cannot_be_used_are_named(documents, options, message):
    with pytest.raises(CorpusError, match=message):
        deduplicate(documents, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": 0}, "threshold must be above 0 and at most 1, not 0"),
        ({"threshold": 1.1}, "threshold must be above 0"),
        ({"recall": 1.1}, "recall must be above 0 and at most 1"),
        ({"keep": "last"}, "a keep policy is first, longest, or terms like"),
        ({"keep": "max(a) min(b)"}, "a keep policy is first"),
        ({"cluster_mode": "broken"}, "cluster_mode is one of representative, connected"),
        ({"threshold": 0.01}, "num_hashes=128 cannot have a recall"),
        ({"seed": -1}, "a seed is a number"),
        ({"memory": "1K"}, "64M or more"),
        ({"shingle": "words:0"}, "a shingle is made of 1 token or more"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        deduplicate(["a"], **options)


@pytest.mark.parametrize("count", [20, 150])
def test_a_recall_of_one_finds_every_similar_pair(count):
    source = random.Random(count)
    documents = [" ".join(source.choices("abcdefghij", k=6)) for _ in range(count)]
    sets = [set(document.split()) for document in documents]
    deduplication = deduplicate(
        documents, threshold=0.4, shingle="words:1", recall=1, num_hashes=4, cluster_mode="connected"
    )
    alone = [
        all(len(one & sets[j]) / len(one | sets[j]) < 0.4 for j in range(count) if j != i) for i, one in enumerate(sets)
    ]
    assert [deduplication.clusters.tolist().count(each) == 1 for each in deduplication.clusters] == alone


def test_nothing_is_a_collection_too():
    deduplication = deduplicate([])
    assert deduplication.ids == []
    assert deduplication.pairs.shape == (0, 2)


def test_progress_is_told_and_an_interrupt_leaves_no_thread_behind(tmp_path):
    told = []
    deduplicate(["a b c", "d e f"], progress=lambda *each: told.append(each), folder=tmp_path)
    assert told[0] == ("reading", 2, None)
    assert told[-1][0] == "comparing"
    assert told[-1][1] == told[-1][2]

    def interrupt(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        deduplicate(["a b c"], progress=interrupt)
