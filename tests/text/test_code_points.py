"""Code points of UTF-8, against Python's own decoder."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.text.code_points import REPLACEMENT, decode


@given(st.characters(), st.characters())
def test_a_code_point_is_read_with_its_width(first: str, second: str) -> None:
    data = np.frombuffer((first + second).encode("utf-8", "surrogatepass"), np.uint8)
    width = len(first.encode("utf-8", "surrogatepass"))
    assert decode(data, 0, len(data)) == (ord(first), width)
    assert decode(data, width, len(data)) == (ord(second), len(data) - width)


@pytest.mark.parametrize(
    "data",
    [b"\x80", b"\xc0\x80", b"\xc3", b"\xe0\x80\x80", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xff"],
    ids=["lone", "overlong 2", "cut", "overlong 3", "above Unicode", "no lead", "never"],
)
def test_bytes_that_are_no_utf8_are_replaced_one_by_one(data: bytes) -> None:
    assert decode(np.frombuffer(data, np.uint8), 0, len(data)) == (REPLACEMENT, 1)


def test_a_code_point_does_not_reach_beyond_the_end_of_its_text() -> None:
    data = np.frombuffer("é".encode(), np.uint8)
    assert decode(data, 0, 1) == (REPLACEMENT, 1)
