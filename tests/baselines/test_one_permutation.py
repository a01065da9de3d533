"""The worked examples of "Near-duplicate text alignment with one permutation hashing": Figure 2, Examples 1 to 4."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from baselines.one_permutation import (
    bin_minima,
    empty_windows,
    estimate,
    jitted_function_windows,
    jitted_windows,
    non_empty_windows,
)
from ibidem import PassageIndex, jaccard
from ibidem.sketches import one_permutation
from ibidem.sketches.families import SetFamily
from ibidem.sketches.windows.windows import Windows
from ibidem.text.token_stream import prepare_tokens
from ibidem.weights import Weighting

# Figure 2: the hash values of two texts, and the bins by the last digit.
T = [82, 59, 22, 57, 90, 39, 94, 42, 32, 64, 91, 48, 99, 73, 53]
S = [90, 64, 39, 30, 66, 42, 22, 63, 28, 56, 91, 11, 96, 99, 53, 61, 88, 73, 31]
E = None

IN_BIN_9 = [2, 6, 13]
"""The positions of T, from 1, whose hash values end in 9."""


def test_example_2_the_sketches_of_figure_2_and_their_estimate() -> None:
    assert (min(T), T.index(22) + 1) == (22, 3)
    assert (min(S), S.index(11) + 1) == (11, 12)
    of_t, of_s = bin_minima(T, 10), bin_minima(S, 10)
    assert of_t == [91, 22, 53, 64, E, E, 57, 48, 39, 90]
    assert of_s == [11, 22, 53, 64, E, 56, E, 28, 39, 30]
    assert estimate(of_t, of_s) == pytest.approx(4 / 9)
    mine, theirs = (np.array([one_permutation.EMPTY_KEY if v is E else v for v in of]) for of in (of_t, of_s))
    assert one_permutation.estimate(mine, theirs) == pytest.approx(4 / 9)


def test_passages_around_one_token_share_its_minimum() -> None:
    """Section 3: T[10, 13] and T[11, 13] in bin 8, T[10, 14] and T[11, 15] in bin 9."""
    assert bin_minima(T[9:13], 10)[7] == bin_minima(T[10:13], 10)[7] == T[11] == 48
    assert bin_minima(T[9:14], 10)[8] == bin_minima(T[10:15], 10)[8] == T[12] == 99


def test_example_3_the_windows_of_bin_9() -> None:
    h = [T[p - 1] for p in IN_BIN_9]
    assert h == [59, 39, 99]
    assert empty_windows(IN_BIN_9, len(T)) == [(1, 1), (3, 5), (7, 12), (14, 15)]
    assert non_empty_windows(IN_BIN_9, h, len(T)) == [(1, 6, 15), (1, 2, 5), (7, 13, 15)]


def test_the_windows_of_all_bins_are_as_few_as_lemma_3_and_theorem_1_say() -> None:
    empty = full = 0
    for t in range(10):
        P = [p for p, value in enumerate(T, start=1) if value % 10 == t]
        empty += len(empty_windows(P, len(T)))
        full += len(non_empty_windows(P, [T[p - 1] for p in P], len(T)))
        for l, c, r in non_empty_windows(P, [T[p - 1] for p in P], len(T)):  # noqa: E741
            passages = [T[i - 1 : j] for i in range(l, c + 1) for j in range(c, r + 1)]
            assert {bin_minima(passage, 10)[t - 1] for passage in passages} == {T[c - 1]}
    assert full == len(T)
    assert empty <= len(T) + 10 - 2


QUERY = (
    "The book was not completed at the time of Jordan’s death on September 16, 2007. His widow Harriet McDougal "
    "and his publisher, Tor Books president Tom Doherty made the decision to have the book completed "
    "posthumously, with McDougal saying, ‘I am sad to see the series end. But I would be far more distressed to "
    "leave it unfinished, incomplete and dangling forever.’_NEWLINE_On December 11, 2007, four months after "
    "Jordan’s death, it was announced that McDougal had chosen Brandon Sanderson to"
)
FOUND = (
    "The original book was incomplete at the time of Jordan’s death on September 16, 2007, from cardiac "
    "amyloidosis; his widow Harriet McDougal and publisher Tom Doherty chose to publish the book posthumously. "
    "Tor Books announced that Brandon Sanderson had been chosen to finish writing the book._NEWLINE_The "
    "unfinished book was split into three volumes because it was believed a single volume"
)
"""The query and the passage under "Anecdotal Results", both from Wikipedia."""


def test_the_anecdote_has_the_similarity_that_the_paper_says() -> None:
    words = [re.findall(r"\w+", text) for text in (QUERY, FOUND)]
    assert jaccard(*words, "set") == pytest.approx(35 / 84)
    assert round(jaccard(*words, "set"), 2) == 0.42


def test_the_anecdote_is_found_at_the_threshold_of_the_paper(tmp_path) -> None:  # type: ignore[no-untyped-def]
    other = "the weather in the valley stayed fine and nobody spoke of anything else for as long as it lasted "
    text = f"{other * 3}{FOUND} {other * 3}"
    with PassageIndex.build(tmp_path / "index", [("sanderson", text)], family="set", min_length=16) as index:
        best = index.search(QUERY, threshold=0.35)[0]
    assert best.similarity >= 0.42
    assert "widow Harriet McDougal and publisher Tom Doherty" in best.text


# By position or arbitrarily: the first optimisation.

texts = st.lists(st.integers(0, 5), min_size=1, max_size=25).map(lambda tokens: np.array(tokens, np.uint32))


def passages_of(windows: Windows) -> dict[int, set[tuple[int, int]]]:
    """The passages of each key, of which none may stand twice."""
    found: dict[int, set[tuple[int, int]]] = {}
    for key, a, b, c, d in zip(*(column.tolist() for column in windows), strict=True):
        first = a if key == one_permutation.EMPTY_KEY else c
        passages = {(i, j) for i in range(a, b + 1) for j in range(max(i, first), d + 1)}
        assert not passages & found.get(key, set())
        found.setdefault(key, set()).update(passages)
    return found


@given(text=texts, k=st.integers(1, 4), seed=st.integers(0, 3))
def test_ties_broken_arbitrarily_give_as_many_windows_of_the_same_passages(text, k, seed) -> None:  # type: ignore[no-untyped-def]
    stream, source = prepare_tokens(text), np.random.default_rng(seed)
    values = one_permutation.bin_values(Weighting.of("set"), stream.vocabulary, stream.peaks, np.uint64(seed), k)
    pairs = list(zip(jitted_windows(stream, values, k), jitted_windows(stream, values, k, source), strict=True))
    active = SetFamily().active(stream.vocabulary, stream.peaks, np.uint64(seed))
    pairs.append((jitted_function_windows(stream, active), jitted_function_windows(stream, active, source)))
    for by_position, arbitrary in pairs:
        assert len(by_position.keys) == len(arbitrary.keys)
        assert passages_of(by_position) == passages_of(arbitrary)


@given(text=texts, seed=st.integers(0, 3))
def test_by_position_the_left_intervals_of_a_key_do_not_overlap(text, seed) -> None:  # type: ignore[no-untyped-def]
    """Section 4.2: this is why so few right intervals have to be scanned."""
    stream = prepare_tokens(text)
    active = SetFamily().active(stream.vocabulary, stream.peaks, np.uint64(seed))
    windows = jitted_function_windows(stream, active)
    for key in set(windows.keys.tolist()):
        own = windows.keys == key
        starts = [i for a, b in zip(windows.a[own], windows.b[own], strict=True) for i in range(a, b + 1)]
        assert len(starts) == len(set(starts))
