"""What a background says of tokens and of what follows what."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.evidence.background import _COPIED, _count_tokens, learn_background, weigh_behind


def learn(texts: list[list[int]], vocabulary: int, share: float = 1.0):  # type: ignore[no-untyped-def]
    tokens = np.array([token for text in texts for token in text], np.int32)
    return learn_background(tokens, np.cumsum([0, *map(len, texts)]).astype(np.int64), vocabulary, share)


def behind(background, tokens: list[int]) -> list[float]:  # type: ignore[no-untyped-def]
    surprise = np.empty(len(tokens))
    weigh_behind(background, np.array(tokens, np.int32), surprise)
    return surprise.tolist()


@given(st.lists(st.lists(st.integers(0, 7), max_size=11), max_size=20), st.lists(st.integers(0, 7), min_size=1))
def test_surprise_follows_from_counts(texts: list[list[int]], run: list[int]) -> None:
    background, total = learn(texts, 8), sum(map(len, texts)) + 8
    singles = [max(sum(text.count(token) for text in texts) - 2, 0) for token in range(8)]
    pairs = [pair for text in texts for pair in pairwise(text)]
    expected = [-np.log((singles[run[0]] + 1) / total)]
    for before, token in pairwise(run):
        both = min(max(pairs.count((before, token)) - 2, 0), singles[before])
        chance = (singles[token] + 1) / total
        expected.append(-np.log((both + 5 * chance) / (singles[before] + 5)))
    assert all(found <= right + 1e-9 for found, right in zip(behind(background, run), expected, strict=True))
    assert behind(background, run)[0] == pytest.approx(expected[0])


def test_a_phrase_that_recurs_says_little_and_a_new_run_of_its_words_much() -> None:
    phrase = list(range(10, 20))
    background = learn([[*phrase, number] for number in range(10)], 20)
    assert sum(behind(background, phrase)) < 10
    assert sum(behind(background, phrase[::-1])) > 20


def test_what_two_passages_share_does_not_foretell_itself() -> None:
    others = [[4] * 10] * 5
    once = learn([[1, 2, 3], [1, 2, 3], *others], 5)
    never = learn([[4] * 6, *others], 5)
    assert behind(once, [1, 2, 3]) == pytest.approx(behind(never, [1, 2, 3]), rel=0.01)
    assert behind(learn([[1, 2, 3], *others], 5, share=0.25), [1, 2])[1] < behind(never, [1, 2])[1]


def test_of_a_run_that_is_copied_from_text_to_text_one_copy_counts() -> None:
    drawn = np.random.default_rng(4)
    copied = drawn.integers(0, 1_000, 30)
    texts = [np.concatenate([drawn.integers(0, 1_000, 20), copied, drawn.integers(0, 1_000, 20)]) for _ in range(50)]
    texts = [text.astype(np.int32) for text in texts]
    background = learn_background(np.concatenate(texts), np.arange(0, 51 * 70, 70), 1_000)
    behind = np.zeros(30)
    weigh_behind(background, copied.astype(np.int32), behind)
    assert behind[15:].min() > 4


COPIED = [0, 1, 2, 0, 0, 1, 1, 2, 2, 0, 2, 1, 0, 0, 2, 0, 1, 0]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(9, 18), st.lists(st.integers(0, 2), max_size=5)), max_size=6))
def test_a_token_at_the_end_of_a_run_that_occurred_before_is_not_counted(
    parts: list[tuple[int, int, list[int]]],
) -> None:
    texts = [[*COPIED[start:end], *rest] for start, end, rest in parts]
    tokens = np.array([token for text in texts for token in text], np.int32)
    bounds = np.cumsum([0, *map(len, texts)]).astype(np.int64)
    counts = _count_tokens(tokens, bounds, np.arange(3, dtype=np.uint32), np.zeros(1 << 20, np.uint16))
    runs: set[tuple[int, ...]] = set()
    expected = np.zeros(3, np.int64)
    for text in texts:
        for at, token in enumerate(text):
            run = tuple(text[at + 1 - _COPIED : at + 1])
            expected[token] += len(run) < _COPIED or run not in runs
            runs.add(run)
    assert (counts <= expected).all()
    assert counts.sum() >= expected.sum() - 1  # two runs may have one hash
