"""Whatever a caller calls documents becomes batches of them."""

import math
from types import MappingProxyType

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem import Document
from ibidem.errors import CorpusError
from ibidem.text import Documents, Texts, as_batches, collection, cut_batches
from ibidem.text.collection import as_documents


def in_order(batches):
    return [
        (document_id, text, metadata)
        for batch in batches
        for document_id, text, metadata in zip(batch.ids, batch.texts, batch.metadata, strict=True)
    ]


def test_documents_of_every_kind_become_batches_in_their_order():
    batch = Documents(["x", "y"], Texts.from_strings(["five", "six"]), [b"{}", b'{"n":1}'])
    given = [
        "zero",
        ("one", "first"),
        (7, "second"),
        {"id": "three", "text": "third", "year": 1903},
        MappingProxyType({"text": "fourth"}),
        batch,
        Document("seven", "seventh", {"a": [1, None]}),
        {"id": None, "text": "last"},
    ]
    assert in_order(as_batches(iter(given))) == [
        ("0", "zero", b"{}"),
        ("one", "first", b"{}"),
        ("7", "second", b"{}"),
        ("three", "third", b'{"year":1903}'),
        ("4", "fourth", b"{}"),
        ("x", "five", b"{}"),
        ("y", "six", b'{"n":1}'),
        ("seven", "seventh", b'{"a":[1,null]}'),
        ("7", "last", b"{}"),
    ]


def test_batches_close_when_they_are_large(monkeypatch):
    monkeypatch.setattr(collection, "BATCH_SIZE", 10)
    assert [batch.ids for batch in as_batches(["abcdef", "ghijkl", "m"])] == [["0", "1"], ["2"]]


@pytest.mark.parametrize("document", [None, 5, ["a", "b"], ("a", 5), ("a", "b", "c"), b"bytes", Document("a", None)])
def test_what_is_no_document_is_refused_with_its_number(document):
    with pytest.raises(CorpusError, match="document 1: "):
        list(as_batches(["fine", document]))


def test_what_is_no_document_is_shown_in_one_line():
    table = pa.table({"text": ["a", "b"]})
    with pytest.raises(CorpusError) as refused:
        list(as_batches(iter(table.to_batches())))
    assert "not pyarrow.RecordBatch text: string" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_mapping_without_text_is_refused_with_what_it_has():
    with pytest.raises(CorpusError, match=r"document 0: .*'text'; it has \['1', 'body'\]"):
        list(as_batches([{"body": "x", 1: 2}]))


@given(st.lists(st.lists(st.text("ab", max_size=9), max_size=6), max_size=4), st.integers(1, 12))
def test_batches_are_cut_to_a_size_and_no_document_is(texts, most):
    batches = [
        Documents([f"{number}.{row}" for row in range(len(each))], Texts.from_strings(each), [b"{}"] * len(each))
        for number, each in enumerate(texts)
    ]
    parts = list(cut_batches(batches, most))
    assert in_order(parts) == in_order(batches)
    for part in parts:
        assert part.texts.nbytes <= most + max((len(text) for text in part.texts), default=0)


def test_one_warning_of_a_call_names_the_first_number_that_becomes_null():
    documents = [{"text": "a", "n": None}, {"text": "b", "n": {"deep": [1.0, math.nan]}}, {"text": "c", "n": math.inf}]
    with pytest.warns(UserWarning, match="read as null") as warned:
        (batch,) = as_batches(documents)
    assert batch.metadata == [b'{"n":null}', b'{"n":{"deep":[1.0,null]}}', b'{"n":null}']
    expected = "document '1', metadata 'n': nan, which JSON cannot say, is read as null, here and in later documents"
    assert [str(each.message) for each in warned] == [expected]


def test_one_warning_of_a_table_names_the_row_and_the_column():
    table = pa.table({"text": list("abc"), "n": [1.0, math.inf, math.nan]})
    with pytest.warns(UserWarning, match="read as null") as warned:
        list(as_batches(table))
    expected = "row 1, column 'n': inf, which JSON cannot say, is read as null, here and in later rows"
    assert [str(each.message) for each in warned] == [expected]


def test_the_name_of_a_file_is_not_taken_for_a_text(tmp_path):
    path = tmp_path / "a.parquet"
    path.touch()
    for name in (str(path), str(tmp_path)):
        with pytest.raises(CorpusError, match="is a file or folder here, and no text"):
            list(as_batches([name, "other"]))
    [batch] = as_batches(["a.parquet is no file here", "\0", "", "."])
    assert len(batch.ids) == 4


@pytest.mark.parametrize("name", ["a.parquet", "s3://bucket/crawl/*.jsonl.gz", "./in/A.CSV.ZST"])
def test_the_name_of_a_file_that_is_not_there_is_no_text_in_silence(name):
    with pytest.warns(UserWarning, match="looks like the name of a file that is not here"):
        assert [document.text for document in as_documents([name])] == [name]


@pytest.mark.parametrize("text", ["See a.parquet", "Version 2.0.", "e.g.", "a.parquet\nb.parquet", "", "U.S.", "x.y.z"])
def test_a_text_is_taken_for_no_name_of_a_file(text):
    assert [document.text for document in as_documents([text, "a.parquet"])] == [text, "a.parquet"]
    assert [document.id for document in as_documents([("a", "a.parquet")])] == ["a"]
