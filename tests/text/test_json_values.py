"""Which values are kept, and that what is written as JSON comes back, half of a surrogate pair included."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem import Document, PassageIndex
from ibidem.corpus import read
from ibidem.errors import CorpusError
from ibidem.text.json_values import (
    MOST_DEPTH,
    MOST_DIGITS,
    decode_json,
    encode_json,
    find_unreadable,
    has_surrogate,
    replace_surrogates,
)

NINES = "9" * 5000


def nest(depth: int) -> str:
    return "[" * depth + "1" + "]" * depth


def make_object(value: str) -> str:
    return '{"a": ' + value + "}"


# The object itself is the first bracket.
READABLE = [
    "{}",
    make_object(nest(MOST_DEPTH - 1)),
    make_object(NINES[:MOST_DIGITS]),
    make_object(f'"{NINES}"'),
    make_object('"' + "[" * 500 + '\\"' + "{" * 500 + '"'),
    make_object("[1e308, -1.5E+0307, 1e-400, 0e999, " + "9" * 400 + ", " + "9" * 310 + "e-300]"),
    make_object('["1e999", "' + "9" * 400 + '.5"]'),
    make_object("[" + ", ".join(["[]", "{}"] * 500) + "]"),
]
UNREADABLE = {
    make_object(nest(MOST_DEPTH)): "brackets are nested more than 100 deep",
    make_object(nest(960)): "brackets are nested more than 100 deep",
    make_object(NINES): "a number has more than 4300 digits",
    make_object(f"[1, -{NINES}.5]"): "a number has more than 4300 digits",
    make_object("[1, -1e999]"): "a number is out of range",
    make_object("1.5E+0309"): "a number is out of range",
    make_object("9" * 400 + ".5"): "a number is out of range",
    make_object("9" * 250 + "e99"): "a number is out of range",
}


@pytest.mark.parametrize("metadata", READABLE)
def test_what_readers_of_json_take_is_kept_and_comes_back(tmp_path, metadata):
    assert find_unreadable(metadata.encode()) is None
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "a", "text": "one two three four", ' + metadata[1:] + "\n")
    if metadata == "{}":
        path.write_text('{"id": "a", "text": "one two three four"}\n')
    with PassageIndex.build(tmp_path / "index", read(path), min_length=3) as index:
        (match,) = index.search("one two three four")
        assert match.metadata == json.loads(metadata)


@pytest.mark.parametrize("metadata", UNREADABLE)
def test_what_could_not_be_read_back_is_refused_with_file_and_line(tmp_path, metadata):
    assert find_unreadable(metadata.encode()) == UNREADABLE[metadata]
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "a", "text": "one"}\n{"id": "b", "text": "two", ' + metadata[1:] + "\n")
    with pytest.raises(
        CorpusError, match=r"a\.jsonl, line 2: (brackets are|a number has|a number is|JSON that cannot be read)"
    ):
        list(read(path))


def test_metadata_of_a_call_is_refused_alike(tmp_path):
    deep: list = []
    for _ in range(200):
        deep = [deep]
    with pytest.raises(CorpusError, match="document 'a': its metadata could not be read back: brackets are nested"):
        PassageIndex.build(tmp_path / "index", [Document("a", "one two three", {"deep": deep})], min_length=3)
    assert not (tmp_path / "index").exists()


TEXTS = st.text(st.characters())  # halves of pairs among them
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
    max_leaves=8,
)


@given(VALUES)
def test_values_are_written_and_read_back(value):
    assert decode_json(encode_json(value)) == value
    assert json.loads(encode_json(value)) == value


@pytest.mark.parametrize("data", [b"", b"\xff", b"[" * 100_000, b'{"a": ', b"1 2"])
def test_what_is_no_json_is_a_value_error(data):
    with pytest.raises(ValueError, match=r"."):
        decode_json(data)


def test_integers_have_any_size():
    assert decode_json(b"1" + b"0" * 400) == 10**400


@given(TEXTS)
def test_a_text_without_halves_is_valid_unicode_of_the_same_length(text):
    valid = replace_surrogates(text)
    assert len(valid) == len(text)
    assert valid.encode("utf-8").decode("utf-8") == valid
    assert has_surrogate(text) == (valid != text)
