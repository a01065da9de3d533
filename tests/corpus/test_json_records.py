"""The records of a file of JSON: lines, or the elements of an array."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus import read
from ibidem.corpus.records import read_records
from ibidem.errors import CorpusError

VALUES = [{"id": 7, "text": "a [rose]", "tags": [1, {"n": None}]}, {"id": "x", "text": 'é "quoted"', "tags": []}]


def documents_of(path, **columns):
    return [
        (id, text, json.loads(metadata))
        for batch in read(path, **columns)
        for id, text, metadata in zip(batch.ids, batch.texts, batch.metadata, strict=True)
    ]


EXPECTED = [("7", "a [rose]", {"tags": [1, {"n": None}]}), ("x", 'é "quoted"', {"tags": []})]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("start", ["", "\ufeff", "\n \n"], ids=["plain", "mark", "blank"])
def test_an_array_holds_a_document_in_each_element(tmp_path, indent, start):
    path = tmp_path / "notes.json"
    path.write_text(start + json.dumps(VALUES, indent=indent), "utf-8")
    assert documents_of(path) == EXPECTED
    assert [record.values for record in read_records(str(path))] == VALUES


def test_an_array_may_be_compressed_empty_or_hold_what_is_no_json(tmp_path):
    (tmp_path / "notes.json.gz").write_bytes(gzip.compress(json.dumps(VALUES).encode()))
    assert documents_of(tmp_path / "notes.json.gz") == EXPECTED
    (tmp_path / "none.json").write_text(" [ ] ")
    assert documents_of(tmp_path / "none.json") == []
    (tmp_path / "nan.json").write_text('[{"text": "a", "weight": NaN}]')
    with pytest.warns(UserWarning, match="NaN, which JSON cannot say"):
        held = documents_of(tmp_path / "nan.json")
    assert held == [(f"{tmp_path}/nan.json:0", "a", {"weight": None})]


def test_a_file_whose_name_says_json_may_still_hold_lines(tmp_path):
    path = tmp_path / "notes.json"
    path.write_text("\n".join(map(json.dumps, VALUES)), "utf-8")
    assert documents_of(path) == EXPECTED


def test_elements_without_an_id_are_numbered_whatever_their_lines(tmp_path):
    path = tmp_path / "notes.json"
    path.write_text('[{"text": "a"}, {"text": "b"},\n\n {"text": "c"}]')
    assert [id for id, _, _ in documents_of(path)] == [f"{path}:{number}" for number in range(3)]


@pytest.mark.parametrize(
    ("data", "cause"),
    [
        (b'[{"text": "a"},\n {"text": 1}]', "line 2, column 'text': the text is a number"),
        (b'[{"text": "a"},\n\n [2]]', "line 3: an array where an object should be"),
        (b'[{"text": "a"},\n {"text": }]', "line 2: invalid JSON: Expecting value at column 11; mend the array"),
        (b'[{"text": "a"}', "line 1: invalid JSON"),
        (b'[{"text": "a"}] {}', "line 1: invalid JSON: Extra data"),
        (b'[\n{"text": "\xff"}]', "line 2: invalid UTF-8"),
        (b"[" * 100_000, "JSON that cannot be read"),
    ],
)
def test_what_is_wrong_in_an_array_is_told_by_its_line(tmp_path, data, cause):
    path = tmp_path / "notes.json"
    path.write_bytes(data)
    with pytest.raises(CorpusError) as raised:
        documents_of(path)
    assert f"notes.json{',' if cause.startswith('line') else ':'} {cause}" in str(raised.value)


def test_a_line_of_json_lines_is_no_array(tmp_path):
    path = tmp_path / "notes.jsonl"
    path.write_text('[{"text": "a"}]')
    with pytest.raises(CorpusError, match="line 1: an array where an object should be"):
        documents_of(path)


@given(st.lists(st.dictionaries(st.text(max_size=3), st.integers() | st.text(max_size=5) | st.none(), max_size=3)))
def test_any_array_of_objects_gives_its_objects(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("arrays") / "values.json"
    path.write_bytes(json.dumps(values).encode())
    assert [record.values for record in read_records(str(path))] == values
