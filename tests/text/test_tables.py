"""Documents from tables of other libraries, and what is refused."""

import io
import json

import pandas
import polars
import pyarrow
import pyarrow.dataset
import pytest

from ibidem import DocumentIndex, PassageIndex, deduplicate
from ibidem.errors import CorpusError
from ibidem.text import as_batches
from ibidem.text.tables import is_table

ROWS = {
    "name": ["blake", "again", "lamb"],
    "verse": ["tyger tyger burning bright", "tyger tyger burning bright", "little lamb who made thee"],
    "year": [1794, 1801, 1789],
}
TABLES = {
    "polars": polars.DataFrame(ROWS),
    "pandas": pandas.DataFrame(ROWS),
    "pyarrow": pyarrow.table(ROWS),
    "chunks": pyarrow.concat_tables([pyarrow.table(ROWS).slice(0, 1), pyarrow.table(ROWS).slice(1)]),
    "reader": pyarrow.table(ROWS),
    "lazy": polars.LazyFrame(ROWS),
    "dataset": pyarrow.dataset.dataset(pyarrow.table(ROWS)),
}


class OldPandas:
    """A DataFrame of a pandas that does not speak Arrow yet."""

    def __new__(cls) -> object:
        old = type("DataFrame", (), {"__module__": "pandas.core.frame"})
        return old()


class Dataset:
    """A Dataset as Hugging Face has it, as far as it is read."""

    __module__ = "datasets.arrow_dataset"

    def with_format(self, name):
        assert name == "arrow"
        return self

    def iter(self, batch_size):
        table = pyarrow.table(ROWS)
        yield from (table.slice(at, 2) for at in range(0, len(table), 2))


TABLES["datasets"] = Dataset()


def rows_of(batches):
    return [
        (id, text, json.loads(metadata))
        for batch in batches
        for id, text, metadata in zip(batch.ids, batch.texts, batch.metadata, strict=True)
    ]


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_a_table_has_a_document_in_each_row(table):
    expected = [
        (name, verse, {"year": year})
        for name, verse, year in zip(ROWS["name"], ROWS["verse"], ROWS["year"], strict=True)
    ]
    assert rows_of(as_batches(table, "verse", "name")) == expected


def test_rows_without_ids_are_numbered_through_all_batches(monkeypatch):
    monkeypatch.setattr("ibidem.text.tables._ROWS", 2)
    found = rows_of(as_batches(TABLES["polars"], "verse"))
    assert [row[0] for row in found] == ["0", "1", "2"]
    assert found[2][2] == {"name": "lamb", "year": 1789}


def test_a_pandas_without_arrow_is_a_table_by_way_of_pyarrow():
    assert is_table(OldPandas())


@pytest.mark.parametrize(
    "column",
    [
        polars.Series(ROWS["verse"]),
        pandas.Series(ROWS["verse"]),
        pyarrow.array(ROWS["verse"]),
        pyarrow.table(ROWS)["verse"],
    ],
    ids=["polars", "pandas", "pyarrow", "pyarrow, of a table"],
)
def test_a_column_by_itself_is_an_iterable_of_texts(column):
    assert [row[:2] for row in rows_of(as_batches(column))] == list(zip("012", ROWS["verse"], strict=True))


def test_an_index_of_pandas_is_a_column_if_it_has_a_name():
    some = TABLES["pandas"].iloc[[2, 0]]
    assert rows_of(as_batches(some, "verse", "name"))[0][2] == {"year": 1789}
    named = some.set_index("name")
    assert rows_of(as_batches(named, "verse", "name")) == rows_of(as_batches(some, "verse", "name"))
    numbered = TABLES["pandas"].set_index(pandas.RangeIndex(5, 8, name="key"))
    assert [row[0] for row in rows_of(as_batches(numbered, "verse", "key"))] == ["5", "6", "7"]
    both = some.set_index("year", drop=False)
    assert rows_of(as_batches(both, "verse", "name")) == rows_of(as_batches(some, "verse", "name"))


def test_a_null_in_a_column_by_itself_is_named():
    with pytest.raises(CorpusError, match=r"document 1: .*, not None"):
        list(as_batches(pyarrow.array(["a", None])))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"text": ["a", None]}, "row 1, column 'text': the text is null"),
        ({"text": [1, 2]}, "column 'text': the text is of type int64, not a string"),
        ({"verse": ["a"]}, "the table has no column 'text'; say text= with one that it has: 'verse'"),
        ({"text": ["a"], "id": [""]}, "row 0, column 'id': the id is empty"),
    ],
)
def test_what_cannot_be_used_is_named(table, message):
    with pytest.raises(CorpusError, match=message):
        list(as_batches(polars.DataFrame(table)))


def test_a_column_of_ids_that_was_named_must_be_there():
    with pytest.raises(CorpusError, match="no column 'key'; say id= with one that it has"):
        list(as_batches(pyarrow.table({"text": ["a"]}), id="key"))


@pytest.mark.parametrize("columns", [["text", "mixed"], ["text", "text"]], ids=["mixed", "twice"])
def test_a_table_of_pandas_that_arrow_cannot_hold_is_refused(columns):
    with pytest.raises(CorpusError, match="the table cannot be read"):
        list(as_batches(pandas.DataFrame([["a", 1], ["b", "one"]], columns=columns)))


@pytest.mark.parametrize(
    "wrong",
    ["a text", b"bytes", {"text": "a"}, 3, None, io.StringIO("a\nb")],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_collection_is_refused_at_once(wrong):
    with pytest.raises(TypeError, match=r"documents are a table .* or an iterable of Documents"):
        as_batches(wrong)


def test_mappings_have_the_keys_that_are_named():
    found = rows_of(as_batches([{"name": "a", "verse": "one two", "year": 1}], "verse", "name"))
    assert found == [("a", "one two", {"year": 1})]


@pytest.mark.parametrize("name", ["polars", "pandas"])
def test_every_call_that_takes_documents_takes_a_table(tmp_path, name):
    table = TABLES[name]
    found = deduplicate(table, text="verse", id="name", shingle="words:2")
    assert (found.ids, found.removed) == (ROWS["name"], ["again"])
    columns = {"text": "verse", "id": "name"}
    with PassageIndex.build(tmp_path / "passages", table, min_length=3, **columns) as passages:
        assert passages.ids() == set(ROWS["name"])
        (match,) = passages.search("little lamb who made", threshold=0.7)
        assert (match.document, match.metadata) == ("lamb", {"year": 1789})
        more = polars.DataFrame({"name": ["more"], "verse": ["in the forests of the night"]})
        passages.add(more, **columns)
        assert len(passages) == 4
    with DocumentIndex.build(tmp_path / "documents", table, shingle="words:2", **columns) as documents:
        assert [each.document for each in documents.search(ROWS["verse"][0])] == ["again", "blake"]


def test_types_nested_deeper_than_arrow_hands_over_are_refused() -> None:
    kind, value = pyarrow.int64(), 1
    for _ in range(120):  # metadata of such depth could not be read back either
        kind, value = pyarrow.list_(kind), [value]
    table = pyarrow.table({"text": ["one", "two"], "deep": pyarrow.array([None, value], kind)})
    with pytest.raises(CorpusError, match="the table cannot be read: Recursion level"):
        list(as_batches(table))
