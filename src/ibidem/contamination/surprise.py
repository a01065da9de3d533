"""How surprising each token of a part is behind the token before it: its weight, in nats.

A model of bigrams is learnt from a sample of the training data and from the other items. Words that many texts share
weigh little, and so do the words of a phrase behind its first: in "which of the following statements", nothing behind
"which" says much. The text of an item must not foretell itself: of the evals, only other items count, and where a
bigram occurs in the sample between the same two tokens as before, that is taken for a copy of one text.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.contamination.bigrams import BigramCounts, BigramTable, bigrams_of, count_bigrams, sort_distinct
from ibidem.contamination.parts import Parts
from ibidem.text import Tokens
from ibidem.text.token_counts import Counts, count_tokens, merge_counts

__all__ = ["Sample", "Surprise", "count_beyond_copies", "learn_surprise", "sample_tokens"]

_UNSEEN = 10_000
"""Running tokens added to those that were counted: in a few texts, even a rare word has a large share."""

_BACKOFF = 5.0
"""Occurrences of a token that are counted beside those in the sample, behind which any token comes as often as
elsewhere."""

_Floats = npt.NDArray[np.float64]


class Sample(NamedTuple):
    """What a sample of the training data shows.

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
        rates: float64 [B], how often each stands in the training data, by token.
    """

    weights: _Floats
    totals: _Floats
    distinct: npt.NDArray[np.uint64]
    numbers: npt.NDArray[np.int64]
    rates: _Floats


def sample_tokens(batches: Iterable[Tokens], table: BigramTable, bigrams: int) -> Sample:
    """Count the tokens of a sample, and those of the ``bigrams`` of a table."""
    counts = BigramCounts(np.zeros(bigrams, np.int64), np.zeros((2, bigrams), np.int64))
    last = np.zeros((2, bigrams), np.uint32)
    counted: list[Counts] = []
    for tokens in batches:
        count_bigrams(tokens.ids, tokens.bounds, table, counts, last)
        counted.append(count_tokens(tokens.ids, tokens.bounds))
    merged = merge_counts(counted)
    return Sample(merged, counts, int(merged[2].sum()))


def learn_surprise(parts: Parts, distinct: npt.NDArray[np.uint64], sample: Sample) -> Surprise:
    """The weights of the tokens of ``parts``, whose ``distinct`` bigrams [B] were counted in the sample."""
    numbers = np.searchsorted(distinct, bigrams_of(parts.ids, parts.bounds))
    first = np.zeros(len(parts.ids), np.bool_)
    first[parts.bounds[:-1][np.diff(parts.bounds) > 0]] = True
    numbers[first] = -1
    vocabulary, tokens = np.unique(parts.ids, return_inverse=True)
    in_sample = _look_up(sample.tokens, vocabulary)
    owners = np.repeat(parts.groups, np.diff(parts.bounds))
    in_evals = _count_owners(tokens, owners)
    others = np.maximum(in_evals[tokens] - 1.0, 0.0)
    by_chance = np.maximum((in_sample[tokens] + 1.0) / (sample.size + _UNSEEN), others / (len(tokens) + _UNSEEN))
    probability = by_chance.copy()
    behind = np.flatnonzero(~first)
    before, chance = tokens[behind - 1], by_chance[behind]
    of_sample = np.maximum(
        np.maximum(sample.bigrams.contexts.max(0)[numbers[behind]] - 1.0, 0.0),
        count_beyond_copies(numbers, parts.bounds, sample.bigrams.times)[behind],
    )
    trained = (of_sample + _BACKOFF * chance) / (in_sample[before] + _BACKOFF)
    of_others = np.maximum(_count_owners(numbers[behind], owners[behind])[numbers[behind]] - 2.0, 0.0)
    evaluated = (of_others + _BACKOFF * chance) / (np.maximum(in_evals[before] - 1.0, of_others) + _BACKOFF)
    probability[behind] = np.maximum(np.maximum(trained, evaluated), chance)
    weights = -np.log(np.minimum(probability, 1.0))
    sums = np.concatenate([[0.0], np.cumsum(weights)])
    totals = sums[parts.bounds[1:]] - sums[parts.bounds[:-1]]
    return Surprise(weights, totals, distinct, numbers, (sample.bigrams.times + 1.0) / (sample.size + _UNSEEN))


def count_beyond_copies(
    numbers: npt.NDArray[np.int64], bounds: npt.NDArray[np.int64], times: npt.NDArray[np.int64]
) -> _Floats:
    """How often the bigram at each token occurs in the sample beyond what copies of its part explain: float64 [T].

    Copies of a part hold each of its bigrams, so there are about as many as half of the bigrams have at least; a count
    of independent events lies within two standard deviations of its mean. A bigram that occurs more often belongs to a
    phrase that many texts share, even where the words around it within the phrase are always the same.
    """
    owners = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    counted = np.where(numbers >= 0, times[numbers], 0)
    has_many = np.bincount(owners[counted > 1], minlength=len(bounds) - 1) > 0
    behind = np.flatnonzero((numbers >= 0) & has_many[owners])
    counts, owners = counted[behind], owners[behind]
    ordered = counts[np.lexsort((counts, owners))]
    sizes = np.bincount(owners, minlength=len(bounds) - 1)
    middles = np.cumsum(sizes) - sizes + sizes // 2
    copies = ordered[middles[owners]].astype(np.float64)
    beyond = np.zeros(len(numbers))
    beyond[behind] = np.maximum(counts - copies - 2 * np.sqrt(copies) - 1.0, 0.0)
    return beyond


def _look_up(counts: Counts, vocabulary: npt.NDArray[np.uint32]) -> _Floats:
    """How often each token of ``vocabulary`` [V] occurs, float64 [V]."""
    tokens, _, times = counts
    if not len(tokens):
        return np.zeros(len(vocabulary))
    places = np.minimum(np.searchsorted(tokens, vocabulary), len(tokens) - 1)
    return np.where(tokens[places] == vocabulary, times[places], 0).astype(np.float64)


def _count_owners(values: npt.NDArray[np.int64], owners: npt.NDArray[np.int64]) -> _Floats:
    """How many owners each value from 0 up has, float64 [V]."""
    if not len(values):
        return np.zeros(0)
    pairs = sort_distinct(values * (int(owners.max()) + 1) + owners)
    return np.bincount(pairs // (int(owners.max()) + 1)).astype(np.float64)
