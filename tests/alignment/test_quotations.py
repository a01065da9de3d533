"""Short quotations that two texts share, beside their similar passages."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem import Alignments, NullModel, align
from ibidem.alignment.quotations import share_run

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


@given(st.lists(st.integers(0, 5), max_size=20), st.lists(st.integers(0, 5), max_size=20), st.integers(2, 6))
def test_texts_that_share_so_many_tokens_in_a_row_are_told_from_those_that_do_not(
    a: list[int], b: list[int], size: int
) -> None:
    runs_of_a, runs_of_b = ({tuple(text[at : at + size]) for at in range(len(text) - size + 1)} for text in (a, b))
    assert share_run(np.array(a, np.uint32), np.array(b, np.uint32), size) == bool(runs_of_a & runs_of_b)
