"""Documents as postings: under each band, the key of a document is the hash of that band of its signature.

The store's functions are the bands. The start of a posting is the position of the document's first token, and it has no
extents. Two documents of one key may still differ in the band, one in 2^32: whatever is found is compared anyway.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from ibidem.agreement.banding import Banding
from ibidem.arguments import require_fraction
from ibidem.documents.candidates import hash_bands
from ibidem.documents.signatures import Functions, make_signatures
from ibidem.hashing import require_seed
from ibidem.store import SegmentWriter
from ibidem.text import Tokens

_TOGETHER = 1 << 18
"""Tokens of which a thread makes signatures at a time, about."""


class DocumentConfiguration(msgspec.Struct, frozen=True, kw_only=True):
    """The choices behind a document index; it is written into the index, and all that is added or asked obeys it."""

    kind: Literal["documents"] = "documents"
    shingles: dict[str, Any]
    threshold: float = 0.8
    recall: float = 0.99
    num_hashes: int = 128
    seed: int = 0

    def __post_init__(self) -> None:
        require_fraction("threshold", self.threshold)
        require_seed(self.seed)
        Banding.for_recall(self.threshold, self.num_hashes, self.recall)  # refuses what no signature can have

    @property
    def banding(self) -> Banding:
        """The bands that find a document at the threshold with the recall asked for."""
        return Banding.for_recall(self.threshold, self.num_hashes, self.recall)


def make_keys(configuration: DocumentConfiguration, width: int, tokens: Tokens) -> NDArray[np.uint32]:
    """The keys of the bands of documents, whose shingles are ``width`` tokens: uint32 [n, bands].

    Raises:
        ValueError: no signature has so many values.
    """
    functions = Functions.of(configuration.num_hashes, configuration.seed)
    hashes = hash_bands(make_signatures(tokens, width, functions), configuration.banding)
    return (hashes & np.uint64(0xFFFFFFFF)).astype(np.uint32)


def write_bands(
    configuration: DocumentConfiguration,
    width: int,
    segment: SegmentWriter,
    memory: int,
    pool: ThreadPoolExecutor,
    progress: Callable[[int], None],
) -> int:
    """Write the postings of a segment, as ``index_building.WritePostings``; returns how many there are."""
    all_tokens = Tokens(*segment.tokens())
    bounds = all_tokens.bounds
    cuts = [0, *(np.flatnonzero(np.diff(bounds[:-1] // _TOGETHER)) + 1).tolist(), len(bounds) - 1]
    blocks = (all_tokens.rows(first, end) for first, end in pairwise(cuts) if first < end)
    keys = np.concatenate(list(pool.map(partial(make_keys, configuration, width), blocks)))
    rows = np.flatnonzero(bounds[1:] > bounds[:-1])  # a document without a token is found by nothing
    starts = bounds[rows].astype(np.uint32)
    for band in range(keys.shape[1]):
        its_keys: NDArray[Any] = keys[rows, band]
        order = np.argsort(its_keys, kind="stable")
        segment.append_postings(its_keys[order], starts[order], np.empty((len(rows), 0), np.uint16))
    progress(segment.num_tokens)
    return len(rows) * int(keys.shape[1])
