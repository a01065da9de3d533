"""A lower ``min_pair_length`` or threshold loses nothing that a higher one found."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem import Alignment, align
from tests.alignment.test_align import some_words


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, str]:
    """Two texts with passages in common, of many lengths, whole or thinned."""
    drawn = random.Random(draw(st.integers(0, 2**32)))
    a, b = some_words(60, drawn.randrange(1000)), some_words(60, drawn.randrange(1000))
    for _ in range(draw(st.integers(1, 4))):
        passage = some_words(draw(st.integers(6, 90)), drawn.randrange(1000))
        kept = draw(st.sampled_from([1.0, 0.8, 0.6]))
        a += passage + some_words(drawn.randrange(60), drawn.randrange(1000))
        b += [word for word in passage if drawn.random() < kept] + some_words(
            drawn.randrange(60), drawn.randrange(1000)
        )
    return " ".join(a), " ".join(b)


def meets(pair: Alignment, others: list[Alignment]) -> bool:
    return any(
        pair.a_start < each.a_end
        and each.a_start < pair.a_end
        and pair.b_start < each.b_end
        and each.b_start < pair.b_end
        for each in others
    )


@settings(max_examples=40, deadline=None)
@given(pair=texts(), lengths=st.tuples(st.integers(4, 60), st.integers(4, 60)))
def test_what_a_greater_least_length_finds_meets_what_a_lower_one_finds(
    pair: tuple[str, str], lengths: tuple[int, int]
) -> None:
    lower, greater = (list(align(*pair, min_pair_length=length, summaries=False)) for length in sorted(lengths))
    assert all(meets(each, lower) for each in greater)
