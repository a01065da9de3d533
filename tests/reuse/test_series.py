"""What is no reuse, by series, phrase or place, is left out and listed."""

from typing import Any

from ibidem import find_reuse

from .quotations import around, rows, words


def test_documents_of_one_series_are_not_compared_and_that_is_listed(quoted: list[dict[str, Any]]) -> None:
    documents = [document | {"paper": "Times" if document["id"] in ("d0", "d1") else None} for document in quoted]
    reuse = find_reuse(documents, series="paper")
    assert ("d0", "d1") not in {(pair["a"], pair["b"]) for pair in rows(reuse)}
    assert {(row["reason"], row["a"], row["b"]) for row in rows(reuse, "left_out")} == {("series", "d0", "d1")}
    assert reuse.summary["left_out_by_reason"] == {"series": reuse.left_out.num_rows}


def test_a_phrase_from_the_list_is_no_reuse_and_is_listed(quoted: list[dict[str, Any]]) -> None:
    reuse = find_reuse(quoted, phrases=[" ".join(words(101, 80)[20:75])])
    assert {(pair["a"], pair["b"]) for pair in rows(reuse)} >= {("d0", "d1")}
    assert {(row["reason"], row["a"], row["b"]) for row in rows(reuse, "left_out")} == {("phrase", "d2", "d3")}


def test_a_refrain_is_reuse_though_it_has_few_different_words() -> None:
    texts = [around(seed, ["quoth", "the", "raven", "nevermore"] * 15) for seed in (1, 2)]
    assert [(pair["a"], pair["b"]) for pair in rows(find_reuse(texts))] == [("0", "1")]


def test_a_masthead_is_told_from_reuse_and_can_be_kept() -> None:
    masthead, story = words(50, 45), words(51, 60)
    texts = [
        " ".join([*masthead, *words(60 + n, 200), *(story if n < 3 else []), *words(180 + n, 150)]) for n in range(20)
    ]
    reuse = find_reuse(texts)
    assert {(pair["a"], pair["b"]) for pair in rows(reuse)} == {("0", "1"), ("0", "2"), ("1", "2")}
    assert reuse.summary["left_out_by_reason"] == {"frequent": 19}
    reuse_with_boilerplate = find_reuse(texts, keep_boilerplate=True)
    assert reuse_with_boilerplate.pairs.num_rows == 3 + 20 * 19 // 2
    assert {row["boilerplate"] for row in rows(reuse_with_boilerplate, "clusters")} == {None}
