"""Tables of units."""

from hypothesis import given
from hypothesis import strategies as st

from ibidem.comparison.collation import collate_units
from ibidem.comparison.units import align_units, cut_units

LINES = st.lists(st.sampled_from(["one day it rained", "he left", "it was good", "", "the third"]), max_size=8)


@given(LINES, LINES)
def test_every_unit_of_either_text_is_there_and_pairs_are_those_of_align_units(a: list[str], b: list[str]) -> None:
    texts = "\n".join(a), "\n".join(b)
    rows = collate_units(*texts, "line")
    assert [row for row in rows if row.a is None and row.b is None] == []
    for side, text in enumerate(texts):
        assert {row[side] for row in rows if row[side] is not None} == set(cut_units(text, "line"))
    pairs = align_units(*texts, "line")
    assert sorted((row.a.label, row.b.label, row.similarity) for row in rows if row.a and row.b) == sorted(
        (pair.a_unit, pair.b_unit, pair.similarity) for pair in pairs
    )
    alone = [row for row in rows if not (row.a and row.b)]
    assert all(row.similarity is None for row in alone)
    assert len(rows) == len(pairs) + len(alone)


@given(LINES, LINES)
def test_units_of_the_first_text_are_in_its_order(a: list[str], b: list[str]) -> None:
    starts = [row.a.start for row in collate_units("\n".join(a), "\n".join(b), "line") if row.a]
    assert starts == sorted(starts)


def test_a_unit_that_only_the_second_has_follows_the_one_before_it() -> None:
    rows = collate_units(
        "first verse here\nlast words said", "first verse here\nnew thing altogether\nlast words said", "line"
    )
    assert [(row.a and row.a.label, row.b and row.b.label) for row in rows] == [("1", "1"), (None, "2"), ("2", "3")]
