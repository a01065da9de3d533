"""How long passages are, and windows: shorter ones are tried only where shorter passages are asked for."""

from hypothesis import given
from hypothesis import strategies as st

from ibidem.alignment.lengths import WINDOWS, default_length, window_lengths

lengths = st.integers(1, 10_000)


def test_a_passage_has_forty_tokens_or_more_than_a_quarter_of_the_shorter_text() -> None:
    assert [default_length(n, 1_000) for n in (1_000, 156, 100, 9, 3)] == [40, 40, 26, 3, 3]


@given(lengths, lengths, lengths)
def test_windows_get_shorter_and_fit_into_both_texts(n: int, m: int, min_pair_length: int) -> None:
    windows = window_lengths(n, m, min_pair_length)
    assert windows == sorted(set(windows), reverse=True)
    assert windows[0] == min(WINDOWS[0], n, m)
    assert windows[-1] >= 1


@given(lengths, lengths, st.integers(1, 100), st.integers(1, 100))
def test_asking_for_shorter_passages_only_adds_windows(n: int, m: int, one: int, other: int) -> None:
    longer, shorter = (window_lengths(n, m, each) for each in (max(one, other), min(one, other)))
    assert shorter[: len(longer)] == longer
