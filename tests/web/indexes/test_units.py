"""Positions in code points, UTF-16 and bytes stand for each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.web.indexes.units import Positions
from ibidem.web.problems import ProblemError

CODES = {"utf-16": ("utf-16-le", 2), "bytes": ("utf-8", 1)}


@given(text=st.text(max_size=30), unit=st.sampled_from(["code points", "utf-16", "bytes"]))
def test_a_position_is_the_length_of_what_stands_before_it(text: str, unit: str) -> None:
    places = Positions(text, unit)  # type: ignore[arg-type]
    for at in range(len(text) + 1):
        code, width = CODES.get(unit, ("utf-32-le", 4))
        expected = len(text[:at].encode(code, "surrogatepass")) // width
        assert places.give(at) == expected
        assert places.take(expected) == at
    assert places.take(10**6) == len(text)


def test_a_position_inside_of_a_character_is_no_position() -> None:
    with pytest.raises(ProblemError, match="position 2 lies inside of a character"):
        Positions("a\N{GRINNING FACE}", "utf-16").take(2)
