"""Short quotations that two texts share, beside their similar passages."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem import Alignments, NullModel, align
from ibidem.alignment.text_quotations import has_new_run

from ..reuse.quotations import words

VERSE = words(70, 12)


def texts(seed: int, quoted: list[str], size: int = 60) -> str:
    return " ".join([*words(seed, size // 2), *quoted, *words(seed + 500, size // 2)])


def passages(alignments: Alignments, a: str) -> list[str]:
    return [a[pair.a_start : pair.a_end] for pair in alignments]


def test_a_short_quotation_is_found_where_the_collection_shows_that_it_is_no_chance() -> None:
    a, b = texts(2001, VERSE[:9]), texts(2002, [*words(80, 20), *VERSE, *words(81, 20)])
    others = [texts(3000 + n, []) for n in range(60)]
    model = NullModel.of([a, b, *others])
    [pair] = align(a, b, null_model=model, summaries=False)
    assert a[pair.a_start : pair.a_end] == " ".join(VERSE[:9])
    assert pair.expected is not None
    assert pair.expected <= 0.01
    assert not align(a, b, null_model=model, summaries=False, expect=1e-30)


def test_the_other_way_round_it_is_the_same() -> None:
    a, b = texts(2003, VERSE), texts(2004, [*VERSE[:5], "other", *VERSE[6:]], 90)
    model = NullModel.of([a, b, *(texts(3000 + n, []) for n in range(60))])
    [there], [back] = align(a, b, null_model=model), align(b, a, null_model=model)
    assert (there.a_start, there.a_end, there.b_start, there.b_end) == (
        back.b_start,
        back.b_end,
        back.a_start,
        back.a_end,
    )
    assert there.expected == back.expected


def test_words_in_another_order_are_no_quotation() -> None:
    a, b = texts(2005, VERSE), texts(2006, VERSE[::-1])
    model = NullModel.of([a, b, *(texts(3000 + n, []) for n in range(60))])
    assert not align(a, b, null_model=model, summaries=False, threshold=1.0)


def test_a_passage_that_was_found_is_not_reported_again_as_a_quotation() -> None:
    passage = words(90, 50)
    a, b = texts(2007, passage), texts(2008, passage)
    assert passages(align(a, b, null_model=NullModel.of([a, b])), a) == [" ".join(passage)]


def places(length: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, length), min_size=2, max_size=2).map(sorted)


@given(
    st.lists(st.integers(0, 3), max_size=16),
    st.lists(st.integers(0, 3), max_size=16),
    st.lists(st.tuples(places(16), places(16)), max_size=3),
    st.integers(2, 6),
)
def test_texts_with_a_new_run_in_common_are_told_from_those_without(
    a: list[int], b: list[int], rows: list[tuple[list[int], list[int]]], size: int
) -> None:
    """Texts that are so short are compared to the end."""
    taken = np.array([[*in_a, *in_b] for in_a, in_b in rows], np.int64).reshape(-1, 4)
    new = [
        (i, j)
        for i in range(len(a) - size + 1)
        for j in range(len(b) - size + 1)
        if a[i : i + size] == b[j : j + size]
        and not any(
            first_a < i + size and i < last_a and first_b < j + size and j < last_b
            for (first_a, last_a), (first_b, last_b) in rows
        )
    ]
    assert has_new_run(np.array(a, np.uint32), np.array(b, np.uint32), taken, size) == bool(new)


def test_texts_that_repeat_themselves_are_looked_at_in_time_linear_in_their_length() -> None:
    """Every run is taken, and is equal to every other: 40,000 million comparisons."""
    text, taken = np.zeros(200_000, np.uint32), np.array([[0, 200_000, 0, 200_000]])
    assert has_new_run(text, text, taken, 4)
