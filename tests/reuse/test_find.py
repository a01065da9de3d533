"""``find_reuse`` on planted passages: what is found, what it depends on, and what is left out."""

import random
from typing import Any

import pytest

from ibidem import find_reuse
from ibidem.errors import CorpusError
from ibidem.reuse import windows

from .quotations import around, rows, words

PLACES = ("a", "a_start", "a_end", "b", "b_start", "b_end")


def test_pairs_of_all_documents_that_share_a_passage_are_found_each_once(quoted: list[dict[str, Any]]) -> None:
    reuse = find_reuse(quoted)
    expected = [("d0", "d1"), ("d0", "d2"), ("d0", "d4"), ("d1", "d2"), ("d1", "d4"), ("d2", "d3"), ("d2", "d4")]
    assert [(pair["a"], pair["b"]) for pair in rows(reuse)] == expected
    texts = {document["id"]: document["text"] for document in quoted}
    for pair in rows(find_reuse(quoted, texts=True)):
        assert pair["a_text"] == texts[pair["a"]][pair["a_start"] : pair["a_end"]]
        assert pair["similarity"] >= 0.3
        planted = words(101, 80) if (pair["a"], pair["b"]) == ("d2", "d3") else words(100, 60)[5:50]
        assert " ".join(planted) in pair["a_text"]
        assert len(pair["a_text"].split()) <= len(planted) + 25


def test_passages_make_two_clusters_and_the_earliest_is_the_source(quoted: list[dict[str, Any]]) -> None:
    reuse = find_reuse(quoted, date="year")
    assert sorted(cluster["documents"] for cluster in rows(reuse, "clusters")) == [2, 4]
    sources = {(row["document"], row["cluster"]): row["source"] for row in rows(reuse, "passages")}
    often = next(cluster["cluster"] for cluster in rows(reuse, "clusters") if cluster["documents"] == 4)
    assert [sources[name, often] for name in ("d0", "d1", "d2", "d4")] == [None, "d0", "d0", "d0"]
    assert {row["date"] for row in rows(reuse, "passages")} == {1900, 1901, 1902, 1903, 1904}


def test_nothing_depends_on_the_order_of_the_input_the_threads_or_the_memory(quoted: list[dict[str, Any]]) -> None:
    reuse_of_one_thread = find_reuse(quoted, threads=1, texts=True, date="year")
    reuse_of_three = find_reuse(quoted[::-1], threads=3, memory="64M", texts=True, date="year")
    for table in ("pairs", "passages", "clusters", "documents", "document_pairs", "left_out"):
        assert getattr(reuse_of_one_thread, table).equals(getattr(reuse_of_three, table)), table


def test_clusters_keep_their_names_when_documents_are_added(quoted: list[dict[str, Any]]) -> None:
    names = {row["cluster"] for row in rows(find_reuse(quoted), "clusters")}
    more = [*quoted, {"id": "new", "text": around(30, words(100, 60)), "year": 1}, ("other", around(31, []))]
    assert {row["cluster"] for row in rows(find_reuse(more), "clusters")} == names


def test_documents_have_the_columns_of_the_input_and_what_is_reused(quoted: list[dict[str, Any]]) -> None:
    rows_by_document = {row["document"]: row for row in rows(find_reuse(quoted), "documents")}
    assert rows_by_document["d5"]["year"] == 1905
    assert rows_by_document["d5"]["reused_tokens"] == 0
    assert rows_by_document["d0"]["tokens"] == 330
    assert 55 <= rows_by_document["d0"]["reused_tokens"] <= 66


def test_a_pair_of_documents_says_how_much_of_either_stands_in_the_other(quoted: list[dict[str, Any]]) -> None:
    shares = {(row["a"], row["b"]): row for row in rows(find_reuse(quoted), "document_pairs")}
    pair = shares["d0", "d1"]
    assert pair["passages"] == 1
    assert (pair["a_words"], pair["a_moved"]) == (330, 0)
    assert pair["a_identical_share"] == pytest.approx(pair["a_identical"] / 330)
    assert 0.14 < pair["a_identical_share"] <= pair["a_similar_share"] < 0.18


def test_against_compares_with_the_other_collection_alone(quoted: list[dict[str, Any]]) -> None:
    reuse = find_reuse(quoted[:2], against=quoted[2:])
    assert {(pair["a"], pair["b"]) for pair in rows(reuse)} == {("d0", "d2"), ("d0", "d4"), ("d1", "d2"), ("d1", "d4")}


def test_against_has_the_input_first_whatever_the_ids(quoted: list[dict[str, Any]]) -> None:
    reuse, exchanged = find_reuse(quoted[:2], against=quoted[2:]), find_reuse(quoted[2:], against=quoted[:2])
    for table in ("pairs", "document_pairs"):
        assert {row["a"] for row in rows(exchanged, table)} == {row["b"] for row in rows(reuse, table)}
    assert [row["a"] for row in rows(exchanged)] == sorted(row["a"] for row in rows(exchanged))
    texts = {document["id"]: document["text"] for document in quoted}
    places = [
        sorted(
            tuple(texts[row[side]][row[f"{side}_start"] : row[f"{side}_end"]] for side in sides) for row in rows(result)
        )
        for result, sides in ((reuse, "ab"), (exchanged, "ba"))
    ]
    assert places[0] == places[1]


@pytest.mark.filterwarnings("ignore:no pair of passages is reported")
def test_against_has_the_input_first_in_what_is_left_out(quoted: list[dict[str, Any]]) -> None:
    documents = [dict(document, paper="x") for document in quoted]
    reuse = find_reuse(documents[2:], against=documents[:2], series="paper")
    assert {row["reason"] for row in rows(reuse, "left_out")} == {"series"}
    assert {row["a"] for row in rows(reuse, "left_out")} == {"d2", "d4"}


@pytest.mark.parametrize("against", [False, True])
def test_pairs_carry_columns_of_both_documents(quoted: list[dict[str, Any]], against: bool) -> None:
    sides = (quoted[2:], quoted[:2]) if against else (quoted, None)
    reuse = find_reuse(sides[0], against=sides[1], columns=["year"])
    assert rows(reuse)
    for row in rows(reuse):
        assert (f"d{row['a_year'] - 1900}", f"d{row['b_year'] - 1900}") == (row["a"], row["b"])


@pytest.mark.parametrize(
    ("column", "message"), [("printed", "no document has a column 'printed'"), ("start", "columns a_start and b_start")]
)
def test_a_column_that_pairs_cannot_carry_is_refused(quoted: list[dict[str, Any]], column: str, message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        find_reuse(quoted, columns=[column])


def test_a_passage_that_stands_twice_in_one_document_is_found_if_asked_for() -> None:
    passage = words(7, 70)
    text = " ".join([*words(1, 100), *passage, *words(2, 90), *passage, *words(3, 100)])
    documents = [("litany", text), ("other", around(8, []))]
    assert not rows(find_reuse(documents))
    (pair,) = rows(find_reuse(documents, within=True, texts=True))
    assert pair["a"] == pair["b"] == "litany"
    assert pair["a_text"] == pair["b_text"] == " ".join(passage)


def test_a_document_that_holds_another_whole() -> None:
    inner = " ".join(words(4, 200))
    (pair,) = rows(find_reuse([("inner", inner), ("outer", around(5, inner.split()))], texts=True))
    assert pair["a_text"] == pair["b_text"] == inner


def test_a_passage_in_every_document_is_one_cluster_and_is_not_paired_each_with_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(windows.BandJoin, "most", 16)
    passage = words(9, 60)
    reuse = find_reuse([(f"{n:03}", around(500 + n, passage, 70, 60)) for n in range(80)])
    assert [(row["documents"], row["boilerplate"]) for row in rows(reuse, "clusters")] == [(80, "frequent")]
    assert reuse.summary["left_out_by_reason"].keys() == {"frequent"}
    assert 79 <= reuse.left_out.num_rows < 80 * 16 / 2


def test_three_hundred_identical_documents_are_one_cluster() -> None:
    text = " ".join(words(3, 60))
    documents = [*((f"{number:03}", text) for number in range(300)), ("other", around(6, []))]
    reuse = find_reuse(documents)
    assert [cluster["documents"] for cluster in rows(reuse, "clusters")] == [300]
    assert set(rows(reuse, "documents")[0]) >= {"reused", "common_tokens"}
    assert {row["pairs"] for row in rows(reuse, "documents")} == {0, 216}


@pytest.mark.filterwarnings("ignore:no document has a token")
@pytest.mark.parametrize("documents", [[], [("a", "")], [("a", ""), ("b", "   ")], [("a", "one word"), ("b", "")]])
def test_documents_without_tokens_share_nothing(documents: list[tuple[str, str]]) -> None:
    reuse = find_reuse(documents)
    assert reuse.pairs.num_rows == 0
    assert reuse.documents.num_rows == len(documents)


def test_recall_one_finds_what_bands_find(quoted: list[dict[str, Any]]) -> None:
    places = [[tuple(pair[name] for name in PLACES) for pair in rows(find_reuse(quoted, recall=r))] for r in (0.99, 1)]
    assert places[0] == places[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"threshold": 0}, "threshold must be"),
        ({"min_pair_length": 0}, "min_pair_length must be"),
        ({"recall": 1.5}, "recall must be"),
        ({"seed": -1}, "a seed is"),
        ({"phrases": "one phrase"}, "not as one string"),
        ({"columns": "year"}, "not as one string"),
    ],
)
def test_a_wrong_argument_is_a_value_error(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        find_reuse([], **arguments)


def test_two_documents_of_one_id_are_refused() -> None:
    with pytest.raises(CorpusError, match="'x' occurs twice: documents 0 and 2"):
        find_reuse([("x", "one"), ("y", "two"), ("x", "three")])


def test_a_date_that_is_none_is_refused() -> None:
    with pytest.raises(CorpusError, match="no document has a value in the column 'printed'"):
        find_reuse([("x", "one"), ("y", "two")], date="printed")


def test_long_documents_share_what_was_quoted_and_no_more() -> None:
    quotation = words(500, 80)
    documents = [("a", around(501, quotation, 20_000, 15_000)), ("b", around(502, quotation, 15_000, 20_000))]
    (pair,) = rows(find_reuse(documents, texts=True))
    assert " ".join(quotation) in pair["a_text"]
    assert len(pair["a_text"].split()) < 120


def test_a_threshold_of_1_finds_copies_word_for_word() -> None:
    source = random.Random(3)
    vocabulary = [f"w{number}" for number in range(2000)]
    weights = [1 / (number + 1) for number in range(2000)]
    documents = []
    for number in range(60):
        copied = source.choices(vocabulary, weights, k=source.randint(20, 120) + 300)
        for name in "ab":
            around = source.choice([0, 0, 150])
            before, after = (source.choices(vocabulary, weights, k=around) for _ in range(2))
            documents.append((f"{name}{number}", " ".join([*before, *copied, *after])))
    pairs = find_reuse(documents, threshold=1.0).pairs.to_pylist()
    assert {(pair["a"][1:], pair["b"][1:]) for pair in pairs} == {(str(number), str(number)) for number in range(60)}


def test_documents_of_one_word_are_no_pair() -> None:
    documents = [("a", "hello"), ("b", "hello"), ("c", "Ada King Lovelace"), ("d", "Ada King Lovelace")]
    assert [row["a"] for row in find_reuse(documents).pairs.to_pylist()] == ["c"]
