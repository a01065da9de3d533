"""The weight of each token of a part, in nats: how surprising it is behind the token before it.

A model of bigrams is learnt from a sample of the training data and from the other items. Words that many texts share
weigh little, and so do the words of a phrase behind its first: in "which of the following statements", each word behind
"which" is expected. So is a repetition within a part: code repeats itself. An item must not predict its own text: of
the evals, only other items count, and of the sample only what copies of the item do not explain.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.contamination.bigrams import BigramCounts, BigramTable, count_bigrams, hash_bigrams, sort_distinct
from ibidem.contamination.parts import Parts
from ibidem.ragged import count_earlier
from ibidem.text import Tokens
from ibidem.text.token_counts import Counts, count_tokens, merge_counts
from ibidem.token_weights import look_up

_UNSEEN = 10_000
"""Running tokens added to those that were counted: in a few texts, even a rare word has a large share."""

_BACKOFF = 5.0
"""Occurrences that are added to those of a token in the sample; behind them, any token is as frequent as elsewhere."""

_Floats = npt.NDArray[np.float64]


class SampleCounts(NamedTuple):
    """The counts of a sample of the training data.

    Attributes:
        tokens: how often each token occurs.
        bigrams: how often the bigrams of the evals occur, by their numbers.
        size: running tokens of the sample.
    """

    tokens: Counts
    bigrams: BigramCounts
    size: int


class Surprise(NamedTuple):
    """The weights of the tokens of all parts, and how rare their bigrams are.

    Attributes:
        weights: float64 [T], in nats.
        totals: float64 [P], of each part.
        distinct: uint64 [B], the bigrams of the evals, ascending.
        numbers: int64 [T], the bigram that ends at each token, by its place in ``distinct``; -1 at the first of a part.
        rates: float64 [B], how often each occurs in the training data, by token.
    """

    weights: _Floats
    totals: _Floats
    distinct: npt.NDArray[np.uint64]
    numbers: npt.NDArray[np.int64]
    rates: _Floats


def sample_tokens(batches: Iterable[Tokens], table: BigramTable, bigrams: int) -> SampleCounts:
    """Count the tokens of a sample, and those of the ``bigrams`` of a table."""
    counts = BigramCounts(np.zeros(bigrams, np.int64), np.zeros((2, bigrams), np.int64))
    last_tokens = np.zeros((2, bigrams), np.uint32)
    batch_counts: list[Counts] = []
    for tokens in batches:
        count_bigrams(tokens.ids, tokens.bounds, table, counts, last_tokens)
        batch_counts.append(count_tokens(tokens.ids, tokens.bounds))
    token_counts = merge_counts(batch_counts)
    return SampleCounts(token_counts, counts, int(token_counts[2].sum()))


def learn_surprise(parts: Parts, distinct: npt.NDArray[np.uint64], sample: SampleCounts) -> Surprise:
    """The weights of the tokens of ``parts``, whose ``distinct`` bigrams [B] were counted in the sample."""
    numbers = np.searchsorted(distinct, hash_bigrams(parts.ids, parts.bounds))
    first = np.zeros(len(parts.ids), np.bool_)
    first[parts.bounds[:-1][np.diff(parts.bounds) > 0]] = True
    numbers[first] = -1
    vocabulary = sort_distinct(parts.ids)
    tokens = np.searchsorted(vocabulary, parts.ids)
    sample_frequencies = look_up(vocabulary, sample.tokens[0], sample.tokens[2], np.float64(0.0))
    owners = np.repeat(parts.groups, np.diff(parts.bounds))
    eval_frequencies = _count_owners(tokens, owners)
    other_counts = np.maximum(eval_frequencies[tokens] - 1.0, 0.0)
    token_probability = np.maximum(
        (sample_frequencies[tokens] + 1.0) / (sample.size + _UNSEEN), other_counts / (len(tokens) + _UNSEEN)
    )
    probability = token_probability.copy()
    later_tokens = np.flatnonzero(~first)
    previous_tokens, chance, bigrams = tokens[later_tokens - 1], token_probability[later_tokens], numbers[later_tokens]
    sample_counts = count_beyond_copies(numbers, parts.bounds, sample.bigrams)[later_tokens]
    counts_in_others = np.maximum(_count_owners(bigrams, owners[later_tokens])[bigrams] - 2.0, 0.0)
    parts_of_bigrams = np.repeat(np.arange(len(parts)), np.diff(parts.bounds))[later_tokens]
    earlier_counts = _count_earlier(parts_of_bigrams, bigrams)
    contexts = (
        sample_frequencies[previous_tokens],
        np.maximum(eval_frequencies[previous_tokens] - 1.0, counts_in_others),
        _count_earlier(parts_of_bigrams, previous_tokens),
    )
    for counts, context_counts in zip((sample_counts, counts_in_others, earlier_counts), contexts, strict=True):
        expected = (counts + _BACKOFF * chance) / (context_counts + _BACKOFF)
        probability[later_tokens] = np.maximum(probability[later_tokens], np.where(counts > 0, expected, 0.0))
    weights = -np.log(np.minimum(probability, 1.0))
    owners_of_tokens = np.repeat(np.arange(len(parts)), np.diff(parts.bounds))
    totals = np.bincount(owners_of_tokens, weights, len(parts)).astype(np.float64)
    return Surprise(weights, totals, distinct, numbers, (sample.bigrams.times + 1.0) / (sample.size + _UNSEEN))


def count_beyond_copies(numbers: npt.NDArray[np.int64], bounds: npt.NDArray[np.int64], counts: BigramCounts) -> _Floats:
    """Count the bigram at each token in the sample, beyond what copies of its part explain: float64 [T].

    Copies of a part hold each of its bigrams, so there are about as many as half of the bigrams have at least; a count
    of independent events lies within two standard deviations of its mean. A bigram that occurs more often belongs to a
    phrase that many texts share, even where the words around it within the phrase are always the same.

    A bigram that often occurs between other tokens than the last time belongs to many texts, too. So do the bigrams of
    copies in which a word was changed, on one side; on the other, these repeat their token. So as many changes count
    for nothing as half of the bigrams have repetitions.
    """
    owners = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    later_tokens = np.flatnonzero(numbers >= 0)
    numbers, owners = numbers[later_tokens], owners[later_tokens]
    times, contexts = counts.times[numbers], counts.contexts[:, numbers]
    copies = _find_medians(times, owners, len(bounds) - 1).astype(np.float64)
    least_repeats = _find_medians(times - contexts.min(0), owners, len(bounds) - 1)
    counts_beyond = np.zeros(int(bounds[-1]))
    by_times = times - copies - 2 * np.sqrt(copies) - 1.0
    counts_beyond[later_tokens] = np.maximum(np.maximum(by_times, contexts.max(0) - least_repeats - 1.0), 0.0)
    return counts_beyond


def _find_medians(values: npt.NDArray[np.int64], owners: npt.NDArray[np.int64], count: int) -> npt.NDArray[np.int64]:
    """The upper median of the values [N] of its owner, for each value; ``owners`` [N] ascend."""
    sorted_values = values[np.lexsort((values, owners))]
    sizes = np.bincount(owners, minlength=count)
    middles: npt.NDArray[np.int64] = sorted_values[(np.cumsum(sizes) - sizes + sizes // 2)[owners]]
    return middles


def _count_earlier(owners: npt.NDArray[np.int64], values: npt.NDArray[np.int64]) -> _Floats:
    """Return how often each value [N], from 0 up, occurs before with the same owner: float64 [N]."""
    return count_earlier(owners * (int(values.max(initial=0)) + 1) + values).astype(np.float64)


def _count_owners(values: npt.NDArray[np.int64], owners: npt.NDArray[np.int64]) -> _Floats:
    """Return how many owners each value from 0 up has, float64 [V]."""
    if not len(values):
        return np.zeros(0)
    pairs = sort_distinct(values * (int(owners.max()) + 1) + owners)
    return np.bincount(pairs // (int(owners.max()) + 1)).astype(np.float64)
