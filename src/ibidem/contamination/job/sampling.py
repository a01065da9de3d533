"""The sample by which words are weighed: of files the same for a plain run and for every rank of a plan."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from ibidem.corpus.failures import Failures
from ibidem.corpus.formats import read_source
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import Source
from ibidem.ragged import bounds_of
from ibidem.text import Texts, Tokenizer, Tokens

SAMPLE_BYTES = 32 << 20
"""Bytes of text by which words are weighed: about five million running words."""

_FILES = 64
"""Files that are looked into, at most: evenly distributed from the first to the last."""

_BATCH = 1 << 18


def sample_files(sources: Sequence[Source], columns: Columns, tokenizer: Tokenizer) -> Iterator[Tokens]:
    """The tokens of documents from the beginnings of the files; a file in pieces counts as one."""
    files = list({source.path: source for source in sources}.values())
    sampled = [files[at * len(files) // min(_FILES, len(files))] for at in range(min(_FILES, len(files)))]
    for file in sampled:
        quota = SAMPLE_BYTES // len(sampled)
        skipping = None if file.failures is None else Failures()
        whole = file._replace(piece=None, progress=None, failures=skipping)
        for batch in read_source(whole, columns, _BATCH):
            yield tokenizer.encode(batch.texts)
            quota -= batch.texts.nbytes
            if quota <= 0:
                break


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
