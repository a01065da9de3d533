"""The cost of finding reuse, from a sample of the input, whose tokens determine how windows will be hashed."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.hashing import function_seeds
from ibidem.jobs.plan import STARTING_SECONDS, Prediction, Shard
from ibidem.jobs.sampling import BASE_BYTES, sample_input
from ibidem.reuse.bands import (
    GROUPING_SECONDS,
    HASHING_SECONDS,
    VERIFYING_SECONDS,
    Bands,
    Sample,
    choose_bands,
    count_agreeing_pairs,
    estimate_records,
    rank_tokens,
    rate_tokens,
)
from ibidem.reuse.collection import Rarity
from ibidem.reuse.question import Question
from ibidem.reuse.records.groups import Groups, group_records
from ibidem.reuse.records.hashing import make_window_records
from ibidem.reuse.records.records import RECORD_BYTES
from ibidem.reuse.windows import WindowJoin, count_joins
from ibidem.text import Documents, make_tokenizer

_BANDS = 24
"""The most bands that are sampled."""

_SURE = 8
"""A key with as many runs in the sample is as frequent as it looks."""

_SAMPLED = 1 << 20
"""Tokens in which chance is counted, in pieces of at most"""

_PIECE = 1 << 14
"""so many."""

_TOKEN_BYTES = 22.5
"""On disk, a token: its text, its places, itself twice, and its share of the least weights of windows."""

_STARTING_SECONDS = 0.15
"""Processor time until the kernels of all stages are loaded, besides that of a rank of any plan."""

KERNEL_BYTES = 60 << 20
"""Memory of these kernels."""

_HELD = 2
"""One part in so many of the memory may hold records of a band before they go to a file, and the data in use then."""

_PREFIX_RECORDS = 2.0
"""Records a token of the exact join."""

_FILING_SECONDS = 25e-9
"""Of one thread, a record that goes to a file and comes back."""

_BAND_SECONDS = 0.015
"""Of the task that joins a band: its claim and its files."""

_RANKING_SECONDS = 72e-9
"""Of one thread, a token of the vocabulary and hash function."""

_ALIGNING_SECONDS = 0.28e-6
"""Of one thread, a token: numbering it, and its share of the alignments and of the tables."""

_DOCUMENT_SECONDS = 11e-6
"""Of one thread, a document: its digest, its rows of tables, its place in the order of the ids."""

_DOCUMENT_BYTES = 430
"""Memory that a document takes while tables are made: its id, its rows, and where its columns begin."""

_DOCUMENT_STORED = 180
"""On disk, a document: its id, where its columns begin, and its rows of tables."""

_JOINING_BYTES = 10
"""Memory that a token takes: its share of what is joined."""

_MAPPED_BYTES = 4.5
"""Mapped bytes of a token: itself, and its share of the least weights of windows."""


class _Pieces:
    """Pieces of the documents that pass, and how many tokens these have."""

    def __init__(self, question: Question) -> None:
        self._tokenizer = make_tokenizer(question.tokenizer)
        self._pieces: list[NDArray[np.uint32]] = []
        self._held = 0

    def take(self, batch: Documents) -> int:
        """The number of tokens of a batch."""
        tokens = self._tokenizer.encode(batch.texts, offsets=True)
        for first, end in pairwise(tokens.bounds.tolist()):
            if self._held < _SAMPLED:
                self._pieces.append(tokens.ids[first : min(end, first + _PIECE)].copy())
                self._held += len(self._pieces[-1])
        return len(tokens.ids)

    def sample(self) -> Sample:
        """The pieces, their tokens numbered and weighed."""
        every = np.concatenate([np.zeros(0, np.uint32), *self._pieces])
        vocabulary, numbers = np.unique(every, return_inverse=True)
        weights = Rarity.of(vocabulary, np.bincount(numbers, minlength=len(vocabulary))).weights(vocabulary)
        bounds = np.cumsum([0, *map(len, self._pieces)])
        return Sample(numbers.astype(np.int32), bounds, vocabulary, weights)


def predict_reuse(shards: Sequence[Shard], batches: Iterable[Documents], question: Question, memory: int) -> Prediction:
    """Predict what it takes to find the reuse in ``shards``; ``batches`` reads them from the beginning.

    The amount of reuse is not known ahead, and so the cost of the alignment is not either.
    """
    pieces = _Pieces(question)
    sample = sample_input(shards, batches, pieces.take)
    tokens, documents = round(sample.tokens * sample.scale), round(sample.documents * sample.scale)
    join = _estimate_join(pieces.sample(), tokens, question, memory)
    filed_bytes = _count_filed(join.records, memory) * RECORD_BYTES
    return Prediction(
        documents=documents,
        tokens=tokens,
        seconds=(sample.reading + sample.working) * sample.scale
        + join.seconds
        + tokens * _ALIGNING_SECONDS
        + documents * _DOCUMENT_SECONDS
        + STARTING_SECONDS
        + _STARTING_SECONDS,
        memory=BASE_BYTES
        + KERNEL_BYTES
        + min(memory // _HELD, _JOINING_BYTES * tokens)
        + _DOCUMENT_BYTES * documents
        + round(_MAPPED_BYTES * tokens),
        disk=round(_TOKEN_BYTES * tokens + _DOCUMENT_STORED * documents + filed_bytes),
        starting=STARTING_SECONDS + _STARTING_SECONDS,
        disk_of_rank=round(filed_bytes),
        most_ranks=join.bands,
        basis=sample.basis,
    )


class _Join(NamedTuple):
    """How many bands will be joined, how many records each has, and the seconds that it takes to make and join all."""

    bands: int
    records: float
    seconds: float


def _estimate_join(sample: Sample, tokens: int, question: Question, memory: int) -> _Join:
    join = question.join
    if not len(sample.tokens):
        return _Join(1, 0.0, 0.0)
    if join.recall >= 1:
        bands, records = Bands(1, 1, join.window), _PREFIX_RECORDS * tokens
        candidates = count_agreeing_pairs(sample, bands) * (tokens / len(sample.tokens)) ** 2
    else:
        bands = choose_bands(sample, tokens, join.recall, join.promised, join.window)
        records = estimate_records(bands, tokens)
        candidates = expect_candidates(sample, bands, join, tokens)
    of_band = (
        bands.functions * (HASHING_SECONDS * tokens + _RANKING_SECONDS * len(sample.vocabulary))
        + GROUPING_SECONDS * records
        + _FILING_SECONDS * _count_filed(records, memory)
        + VERIFYING_SECONDS * candidates
        + _BAND_SECONDS
    )
    number = count_joins(None if join.recall >= 1 else bands, weaker=True)
    return _Join(number, records, number * of_band)


def _count_filed(records: float, memory: int) -> float:
    """How many records of a band go to files."""
    return records if RECORD_BYTES * records > memory // _HELD else 0.0


def expect_candidates(sample: Sample, bands: Bands, join: WindowJoin, tokens: int) -> float:
    """The pairs that one of ``bands`` compares, on the average, in a collection of so many ``tokens``.

    Bands differ a hundredfold: where frequent words come first under all functions of a band, each of their phrases is
    one key. So the bands that will be used are sampled, and not any of as many functions.
    """
    seeds = function_seeds(join.seed, bands.bands * bands.functions).reshape(bands.bands, bands.functions)
    scale = tokens / max(len(sample.tokens), 1)
    return float(np.mean([_expect_pairs(sample, each, bands.window, join.most, scale) for each in seeds[:_BANDS]]))


def _expect_pairs(sample: Sample, seeds: NDArray[np.uint64], window: int, most: int, scale: float) -> float:
    """The pairs that the functions of these ``seeds`` lead to, in a collection so many times as large."""
    ranks = rank_tokens(sample.vocabulary, rate_tokens(sample.weights), seeds)
    records = make_window_records(sample.tokens, sample.bounds, ranks, window, 0, len(sample.tokens))
    groups = group_records(records)
    runs = np.diff(groups.bounds)
    pairs = _count_pairs(groups, sample.bounds) * scale**2
    # Of a group with more than ``most`` runs, each is compared with two others. A key that the sample has a few times
    # may be less frequent than that.
    crowded = np.where(runs >= _SURE, 2 * runs * scale, most**2 / 2)
    return float(np.where(runs * scale > most, np.minimum(pairs, crowded), pairs).sum())


def _count_pairs(groups: Groups, bounds: NDArray[np.int64]) -> NDArray[np.float64]:
    """How many pairs of runs of different pieces each group has."""
    sizes = np.diff(groups.bounds)
    of = np.repeat(np.arange(len(sizes)), sizes)
    pieces = np.searchsorted(bounds, groups.runs[:, 0], side="right")
    _, first, filed_bytes = np.unique(of * (len(bounds) + 1) + pieces, return_index=True, return_counts=True)
    same = np.bincount(of[first], weights=filed_bytes * (filed_bytes - 1) / 2, minlength=len(sizes))
    every: NDArray[np.float64] = sizes * (sizes - 1) / 2 - same
    return every
