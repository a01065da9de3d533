"""How much of the outputs of a model repeats a collection, by explicit definitions and with intervals.

Outputs are drawn, words are not: the words of one output are memorised together or not at all. So every interval
counts outputs. A share of outputs has the interval of Clopper and Pearson. A share of words has that of Wilson for the
*effective number* of words (Korn and Graubard, Survey Methodology 24, 1998): the number of words, drawn one by one,
that would scatter as much as those of these outputs do.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ibidem.intervals import binomial_interval, normal_interval

CONFIDENCE = 0.95


class Amount(NamedTuple):
    """How much of one output repeats the collection.

    Attributes:
        words: its tokens.
        longest_run: tokens of the longest run that a document holds, too.
        verbatim: its tokens in runs that are long enough.
        near_verbatim: its tokens in such runs, or in passages that are similar enough.
    """

    words: int
    longest_run: int
    verbatim: int
    near_verbatim: int


class Rate(NamedTuple):
    """A share of the outputs or of their words, and the interval of 95 % that it lies in.

    Attributes:
        name: ``extractable``, ``verbatim``, ``near_verbatim_outputs`` or ``near_verbatim``.
        definition: what was counted, in words.
        memorised, total: how many of how many.
        rate, low, high: the share, and the ends of its interval.
    """

    name: str
    definition: str
    memorised: int
    total: int
    rate: float
    low: float
    high: float


def measure_rates(amounts: Sequence[Amount], verbatim: int, threshold: float) -> list[Rate]:
    """The rates of outputs of which so much is memorised, by two definitions, each of outputs and of words."""
    exact = f"{verbatim} words in a row of a document"
    similar = f"a passage of similarity {threshold:g} to one of a document"
    words = np.array([amount.words for amount in amounts], np.int64)
    in_runs = np.array([amount.verbatim for amount in amounts], np.int64)
    in_passages = np.array([amount.near_verbatim for amount in amounts], np.int64)
    return [
        _of_outputs("extractable", f"outputs with at least {exact}", in_runs),
        share_of_words("verbatim", f"words in runs of at least {exact}", in_runs, words),
        _of_outputs("near_verbatim_outputs", f"outputs with such a run, or {similar}", in_passages),
        share_of_words("near_verbatim", f"words in such a run, or {similar}", in_passages, words),
    ]


def _of_outputs(name: str, definition: str, counts: "np.typing.NDArray[np.int64]") -> Rate:
    count, total = int(np.count_nonzero(counts)), len(counts)
    return Rate(name, definition, count, total, count / max(total, 1), *binomial_interval(count, total, CONFIDENCE))


def share_of_words(
    name: str, definition: str, counts: "np.typing.NDArray[np.int64]", words: "np.typing.NDArray[np.int64]"
) -> Rate:
    """The share of the ``words`` int64 [N] of N outputs that are ``counts`` int64 [N]."""
    count, total = int(counts.sum()), int(words.sum())
    rate, outputs = count / max(total, 1), int(np.count_nonzero(words))
    effective = float(outputs)
    if 0 < count < total and outputs > 1:
        # The variance of a ratio of two sums over outputs, to the first order (Cochran, Sampling Techniques, 2.11).
        scatter = float(np.square(counts - rate * words).sum()) * outputs / (outputs - 1) / total**2
        effective = min(rate * (1 - rate) / scatter, total) if scatter else float(total)
    return Rate(name, definition, count, total, rate, *normal_interval(rate * effective, effective, CONFIDENCE))
