import msgspec
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.errors import CorpusError
from ibidem.text import Document, Documents, Texts

strings = st.lists(st.text(st.characters(exclude_categories=()), max_size=12), max_size=6)
valid_strings = st.lists(st.text(max_size=12), max_size=6)


@given(strings)
def test_texts_give_back_every_string(given_strings):
    texts = Texts.from_strings(given_strings)
    assert list(texts) == given_strings
    assert [texts[i] for i in range(len(texts))] == given_strings
    assert texts.nbytes == sum(len(each.encode("utf-8", "surrogatepass")) for each in given_strings)


@pytest.mark.parametrize(
    "of", [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())]
)
@given(rows=valid_strings, skip=st.integers(0, 3))
def test_an_arrow_column_gives_the_strings_of_its_rows(of, rows, skip):
    column = pa.array(rows, pa.string()).cast(of)
    assert list(Texts.from_arrow(column)) == rows
    assert list(Texts.from_arrow(column.slice(skip))) == rows[skip:]
    chunked = pa.chunked_array([column.slice(0, skip), column.slice(skip)], type=of)
    assert list(Texts.from_arrow(chunked)) == rows
    assert len(Texts.from_arrow(pa.chunked_array([], type=of))) == 0


@pytest.mark.parametrize("of", [pa.string(), pa.large_string()])
def test_a_single_chunk_is_not_copied(of):
    column = pa.array(["zero", "copy"], of)
    assert Texts.from_arrow(column).data.ctypes.data == column.buffers()[2].address
    assert Texts.from_arrow(pa.chunked_array([column])).data.ctypes.data == column.buffers()[2].address


def test_a_null_is_an_error_that_names_its_row():
    with pytest.raises(ValueError, match="row 2 is null"):
        Texts.from_arrow(pa.chunked_array([["a", "b"], [None, "c"]]))


def test_a_column_of_numbers_is_refused():
    with pytest.raises(TypeError, match="not int64"):
        Texts.from_arrow(pa.array([1, 2]))


@pytest.mark.parametrize("bounds", [[], [0], [0, 4], [1, 3], [0, 2, 1, 3], [[0, 3]]])
def test_bounds_that_do_not_fit_the_bytes_are_refused(bounds):
    with pytest.raises(ValueError, match="bounds"):
        Texts(np.zeros(3, np.uint8), bounds)


def test_texts_are_immutable_however_they_were_made():
    bounds = np.array([0, 3])
    made = Texts(np.zeros(3, np.uint8), bounds), Texts.from_strings(["abc"]), Texts.from_arrow(pa.array(["abc"]))
    assert not any(texts.data.flags.writeable or texts.bounds.flags.writeable for texts in made)
    assert bounds.flags.writeable


def test_one_string_is_not_a_batch():
    with pytest.raises(TypeError, match="sequence of strings"):
        Texts.from_strings("abc")


def test_an_index_beyond_the_last_text_is_an_error():
    texts = Texts.from_strings(["a", "b"])
    assert texts[-1] == "b"
    with pytest.raises(IndexError):
        texts[2]


def test_documents_gather_ids_texts_and_metadata():
    batch = Documents.of([Document("a", "one", {"year": 1}), Document("b", "two")])
    assert batch.ids == ["a", "b"]
    assert list(batch.texts) == ["one", "two"]
    assert batch.metadata == [b'{"year":1}', b"{}"]
    assert len(Documents.of([]).texts) == 0


def test_metadata_may_hold_half_of_a_surrogate_pair():
    assert Documents.of([Document("a", "", {"key": "\ud800"})]).metadata == [b'{"key":"\\ud800"}']


@pytest.mark.parametrize("value", [object(), 1j])
def test_metadata_that_json_cannot_hold_is_an_error_that_names_the_document(value):
    with pytest.raises(CorpusError, match="document 'b'"):
        Documents.of([Document("a", ""), Document("b", "", {"key": value})])


def test_a_document_is_immutable_and_its_metadata_its_own():
    first, second = Document("a", ""), Document("b", "")
    assert first.metadata is not second.metadata
    with pytest.raises(AttributeError):
        first.text = "x"  # type: ignore[misc]
    assert msgspec.json.decode(msgspec.json.encode(first), type=Document) == first
