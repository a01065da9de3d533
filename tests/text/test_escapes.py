"""Escapes of ids: any two stay different, and what is written holds no control character."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from ibidem.text.escapes import escape_controls, name_file, unescape_controls

ids = st.text(st.sampled_from('a0u9\\%~./\t\r\n\0\x1b\x85\u2028\ufffe\ud800"é'), min_size=1, max_size=12)


@given(ids)
def test_an_escaped_id_is_read_back_and_has_no_control_character(id: str) -> None:
    escaped = escape_controls(id)
    assert unescape_controls(escaped) == id
    assert not {unicodedata.category(character) for character in escaped} & {"Cc", "Cs", "Cn", "Zl", "Zp"}


@given(ids, ids)
def test_two_ids_never_have_one_file_name(one: str, other: str) -> None:
    assert (name_file(one) == name_file(other)) == (one == other)


@given(ids, st.integers(1, 30))
def test_an_id_of_any_length_is_a_file_name(id: str, times: int) -> None:
    name = name_file(id * times)
    assert 0 < len(name.encode()) <= 100
    assert "/" not in name
    assert not name.startswith(".")


def test_long_ids_that_differ_at_their_end_have_two_names() -> None:
    assert name_file("x" * 300 + "a") != name_file("x" * 300 + "b")
    assert name_file("é" * 60).encode()  # cut between two characters
