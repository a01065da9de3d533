"""The sample of the training data by which words are weighed."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import numpy as np

from ibidem.corpus.failures import Failures
from ibidem.corpus.formats import read_source
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import Source
from ibidem.ragged import bounds_of
from ibidem.text import Documents, Texts, Tokenizer, Tokens

SAMPLE_BYTES = 32 << 20
"""Bytes of text by which words are weighed: about five million running words."""

_FILES = 64
"""Files that are looked into, at most: evenly distributed from the first to the last."""

_BATCH = 1 << 18


def sample_files(files: Sequence[Source], columns: Columns, tokenizer: Tokenizer, *, skips: bool) -> Iterator[Tokens]:
    """The tokens of documents from the beginnings of the files.

    Args:
        skips: whether what cannot be read is left out; if not, it is an error.
    """
    number = min(_FILES, len(files))
    for file in (files[at * len(files) // number] for at in range(number)):
        quota = SAMPLE_BYTES // number
        sampled = file._replace(progress=None, failures=Failures(skips=skips))
        for batch in read_source(sampled, columns, _BATCH):
            yield tokenizer.encode(batch.texts)
            quota -= batch.texts.nbytes
            if quota <= 0:
                break


def split_sample(batches: Iterator[Documents]) -> tuple[Iterator[Texts], Iterator[Documents]]:
    """The texts of the sample, of documents that are read once, and all of the documents."""
    beginning = list(_take(batches, SAMPLE_BYTES))
    return first_texts([batch.texts for batch in beginning], SAMPLE_BYTES), chain(_hand_over(beginning), batches)


def _take(batches: Iterator[Documents], size: int) -> Iterator[Documents]:
    """The first batches, of about ``size`` bytes of text."""
    size_read = 0
    while size_read < size and (batch := next(batches, None)) is not None:
        size_read += batch.texts.nbytes
        yield batch


def _hand_over(batches: list[Documents]) -> Iterator[Documents]:
    """Yield the batches and release each of them."""
    while batches:
        yield batches.pop(0)


def first_texts(batches: Iterable[Texts], size: int) -> Iterator[Texts]:
    """The first texts, up to the one that reaches ``size`` bytes: the same however they come in batches."""
    for texts in batches:
        count = int(np.searchsorted(texts.bounds[:-1], size))
        yield texts.rows(0, count)
        size -= texts.nbytes
        if size <= 0:
            return


def join_tokens(batches: Iterable[Tokens]) -> Tokens:
    """The tokens of several batches as one."""
    every = list(batches)
    if not every:
        return Tokens(np.zeros(0, np.uint32), np.zeros(1, np.int64))
    lengths = np.concatenate([np.diff(each.bounds) for each in every])
    return Tokens(np.concatenate([each.ids for each in every]), bounds_of(lengths))
