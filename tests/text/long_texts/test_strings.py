"""Long strings are decoded in pieces, and say what they would say as a whole."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.text import Texts
from ibidem.text.long_texts import strings
from ibidem.text.long_texts.strings import find_invalid_utf8, split_text, unescape_long

SIGNS = st.text(st.sampled_from('ab "\\\n\t/é漢😀\U0010ffff\x00'), max_size=60)


@pytest.fixture(autouse=True, scope="module")
def short_pieces():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strings, "_PIECE", 16)
        yield


@given(SIGNS, st.booleans())
def test_a_json_string_in_pieces_is_the_string(text: str, ascii: bool) -> None:
    encoded = json.dumps(text, ensure_ascii=ascii).encode()
    assert bytes(unescape_long(memoryview(encoded))).decode() == text


@pytest.mark.parametrize("inner", [b"\xff" * 40, b"a" * 30 + b"\\ud800" + b"b" * 30, b"a" * 40 + b"\\x", b"\\" * 41])
def test_what_msgspec_does_not_read_is_refused_in_pieces_too(inner):
    with pytest.raises(ValueError, match=r"."):
        unescape_long(memoryview(b'"%b"' % inner))


def fault_of(data: bytes) -> tuple[int, str] | None:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start, error.reason
    return None


@given(st.binary(max_size=70) | SIGNS.map(str.encode))
def test_invalid_utf8_is_found_where_the_decoder_of_the_whole_finds_it(data: bytes) -> None:
    found = find_invalid_utf8(memoryview(data))
    assert (found and (found.start, found.reason)) == fault_of(data)


@given(st.lists(st.text(max_size=40), min_size=1, max_size=3))
def test_the_pieces_of_a_text_join_to_it_and_are_short(texts: list[str]) -> None:
    held = Texts.from_strings(texts)
    for row, text in enumerate(texts):
        pieces = list(split_text(held, row))
        assert "".join(pieces) == text
        assert all(0 < len(piece) <= 16 for piece in pieces)
