"""Named ranges and lines that a passage meets, beside a look at each of them."""

from hypothesis import given
from hypothesis import strategies as st

from ibidem.comparison.locators import Locators, line_numbers


@given(cuts=st.sets(st.integers(0, 40), min_size=2).map(sorted), data=st.data())
def test_a_passage_meets_the_ranges_that_share_a_code_point_with_it(cuts: list[int], data: st.DataObject) -> None:
    kept = data.draw(st.lists(st.booleans(), min_size=len(cuts) - 1, max_size=len(cuts) - 1))
    ranges = [(cuts[n], cuts[n + 1], f"range {n}") for n, keep in enumerate(kept) if keep]
    locators = Locators(data.draw(st.permutations(ranges)))
    assert locators.ranges == ranges
    start = data.draw(st.integers(0, 40))
    end = data.draw(st.integers(start + 1, 41))
    expected = [label for low, high, label in ranges if low < end and start < high]
    assert [each.label for each in locators.meeting(start, end)] == expected


@given(text=st.text("ab\n", min_size=1, max_size=30), data=st.data())
def test_lines_count_the_line_ends_before(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    number_of = [text[:at].count("\n") + 1 for at in range(len(text))]
    assert line_numbers(text, start, end) == (number_of[start], number_of[end - 1])


def test_labels_may_be_numbers() -> None:
    assert Locators([(0, 3, 17)]).ranges == [(0, 3, "17")]
    assert Locators().meeting(0, 9) == ()
