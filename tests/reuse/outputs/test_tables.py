"""The tables of a result agree with the texts and with each other."""

from typing import Any

import pyarrow as pa
import pytest

from ibidem import find_reuse
from ibidem.errors import CorpusError
from ibidem.reuse.outputs.result import TABLES, Reuse
from ibidem.text.look_alikes import count_look_alikes

from ..quotations import around, rows, words
from .conftest import TEXTS

OFTEN, SELDOM = words(100, 60), words(101, 80)


@pytest.fixture(scope="module")
def quoted() -> Reuse:
    """One passage in three documents, another in two, one of which has both."""
    texts = [around(1, OFTEN), around(2, OFTEN), around(3, [*OFTEN, *words(900, 40), *SELDOM]), around(4, SELDOM)]
    return find_reuse(
        [{"id": f"d{number}", "text": text, "year": 1900 + number} for number, text in enumerate([*texts, "no word"])],
        date="year",
    )


def test_a_place_counts_code_points_from_the_first_token_to_the_end_of_the_last(reuse: Reuse) -> None:
    for pair in rows(reuse):
        for side in "ab":
            passage = TEXTS[pair[side]][pair[f"{side}_start"] : pair[f"{side}_end"]]
            assert passage.startswith("the curfew tolls")
            assert passage.endswith("over the lea")


def test_a_place_ends_where_the_last_of_overlapping_tokens_ends() -> None:
    text = "abcdefghijklmnopqrstuvwxyz0123456789"
    documents = [("a", f"<{text}>"), ("b", f"({text})")]
    [pair] = rows(find_reuse(documents, tokenizer="characters:5", min_pair_length=10, texts=True))
    assert pair["a_text"] == pair["b_text"] == text


def test_a_document_counts_its_tokens_in_pairs_once(quoted: Reuse) -> None:
    rows_by_document = {row["document"]: row for row in rows(quoted, "documents")}
    assert [rows_by_document[f"d{number}"]["pairs"] for number in range(5)] == [2, 2, 3, 1, 0]
    assert 60 <= rows_by_document["d0"]["reused_tokens"] <= 66
    assert 140 <= rows_by_document["d2"]["reused_tokens"] <= 152
    for row in rows_by_document.values():
        assert row["reused"] == pytest.approx(row["reused_tokens"] / row["tokens"])


def test_tables_count_what_the_others_list(quoted: Reuse) -> None:
    pairs, passages = rows(quoted), rows(quoted, "passages")
    for row in rows(quoted, "document_pairs"):
        assert row["passages"] == sum((pair["a"], pair["b"]) == (row["a"], row["b"]) for pair in pairs)
    for cluster in rows(quoted, "clusters"):
        members = [row for row in passages if row["cluster"] == cluster["cluster"]]
        assert cluster["size"] == len(members)
        assert cluster["documents"] == len({row["document"] for row in members})
        central = (cluster["central"], cluster["central_start"], cluster["central_end"])
        assert central in {(row["document"], row["start"], row["end"]) for row in members}
    assert quoted.summary["tokens"] == sum(row["tokens"] for row in rows(quoted, "documents"))
    assert {name: quoted.summary[name] for name in TABLES} == {name: len(rows(quoted, name)) for name in TABLES}


def test_a_source_is_another_passage_of_the_table_and_ends_the_chain(quoted: Reuse) -> None:
    passages = rows(quoted, "passages")
    places = {(row["document"], row["start"], row["end"]) for row in passages}
    for row in passages:
        if row["source"] is None:
            assert (row["source_start"], row["source_end"], row["chain"]) == (None, None, [])
        else:
            assert (row["source"], row["source_start"], row["source_end"]) in places
            assert row["chain"][0] == row["source"]
    assert sum(row["source"] is None for row in passages) == 2


@pytest.mark.parametrize(
    ("years", "kind"),
    [((1900, 1901), pa.int64()), ((1900.5, 1901), pa.float64()), (("1900-01-02", "1901"), pa.string())],
)
def test_the_column_of_dates_has_the_kind_of_the_dates(years: tuple[Any, Any], kind: pa.DataType) -> None:
    documents = [{"id": str(number), "text": around(number, OFTEN), "year": year} for number, year in enumerate(years)]
    column = find_reuse(documents, date="year").passages.column("date")
    assert column.type == kind
    assert len(column) == 2


def test_an_empty_result_has_all_columns_and_their_types(quoted: Reuse) -> None:
    nothing = find_reuse([("a", "no word")])
    for name in ("pairs", "clusters", "document_pairs"):
        assert getattr(nothing, name).schema == getattr(quoted, name).schema, name
    assert nothing.passages.column_names == quoted.passages.column_names


def test_columns_of_several_kinds_become_strings() -> None:
    documents = [{"id": "a", "text": "x", "year": 1900}, {"id": "b", "text": "y", "year": "c. 1900"}]
    assert find_reuse(documents).documents.column("year").type == pa.string()


def test_half_of_a_surrogate_pair_is_replaced_where_a_table_cannot_hold_it() -> None:
    half, valid = "\ud800", "\N{REPLACEMENT CHARACTER}"
    quoted = f"{' '.join(OFTEN)} {half} {' '.join(OFTEN[:9])}"
    texts = [around(number, quoted.split()) for number in range(2)]
    documents = [
        {"id": "a", "text": texts[0], "who": half, "all": [half]},
        {"id": "b", "text": texts[1], "who": "x", "all": 1},
    ]
    reuse = find_reuse(documents, date="who", texts=True)
    [pair] = rows(reuse)
    assert pair["a_text"] == pair["b_text"] == quoted.replace(half, valid)
    rows_by_document = {row["document"]: row for row in rows(reuse, "documents")}
    assert (rows_by_document["a"]["who"], rows_by_document["a"]["all"]) == (valid, str([half]).replace(half, valid))
    assert {row["date"] for row in rows(reuse, "passages")} == {"x", valid}


def test_an_id_that_no_table_can_hold_is_refused() -> None:
    with pytest.raises(CorpusError, match=r"document id 'a\\ud800': half of a surrogate pair"):
        find_reuse([("a\ud800", "one two three"), ("b", "four")])


def test_pairs_say_how_many_words_have_letters_of_another_script() -> None:
    plain = [f"ma{word}" for word in OFTEN]
    hidden = [word.replace("a", "\u0430") for word in plain]
    documents = [("a", around(1, plain)), ("b", around(2, hidden)), ("c", "\u0430lone, w\u043ere. " + around(3, ["x"]))]
    [pair] = rows(find_reuse(documents))
    text = dict(documents)["b"][pair["b_start"] : pair["b_end"]]
    assert pair["a_look_alikes"] == 0
    assert pair["b_look_alikes"] == count_look_alikes(text) > 50
    [pair] = rows(find_reuse([documents[0], ("b", around(2, plain)), documents[2]]))
    assert "a_look_alikes" not in pair
