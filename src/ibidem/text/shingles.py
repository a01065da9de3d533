"""Shingles: runs of consecutive tokens taken as one (Broder 1997, section 2)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.hashing import GOLDEN, mix64
from ibidem.kernels import kernel
from ibidem.ragged import bounds_of
from ibidem.text.batches import Texts, Tokenizer, Tokens

_LONGEST = 65535

_SPARSEST = 255

SEED = np.uint64(0x6962696465_6D0002)


@kernel
def combine(
    ids: NDArray[np.uint32],
    bounds: NDArray[np.int64],
    width: int,
    shingle_bounds: NDArray[np.int64],
    shingles: NDArray[np.uint32],
) -> None:
    """Fill ``shingles`` [S] with the hash of each run of ``width`` ids inside one text."""
    for text in range(bounds.size - 1):
        first = bounds[text] - shingle_bounds[text]
        for s in range(shingle_bounds[text], shingle_bounds[text + 1]):
            state = SEED
            for k in range(first + s, first + s + width):
                state = mix64((state ^ np.uint64(ids[k])) + GOLDEN)  # a step of SplitMix64
            shingles[s] = np.uint32(state & np.uint64(0xFFFFFFFF))


@kernel
def pick(
    column: NDArray[np.uint32],
    bounds: NDArray[np.int64],
    ahead: int,
    shingle_bounds: NDArray[np.int64],
    values: NDArray[np.uint32],
) -> None:
    """Fill ``values`` [S] with the value, in a column of tokens, of the token ``ahead`` of each shingle's first."""
    for text in range(bounds.size - 1):
        first = bounds[text] - shingle_bounds[text] + ahead
        for s in range(shingle_bounds[text], shingle_bounds[text + 1]):
            values[s] = column[first + s]


class Shingles:
    """Joins every ``width`` consecutive tokens of another tokenizer into one, in order, by hashing.

    A text of ``n`` tokens has ``n - width + 1`` shingles; one with fewer than ``width`` tokens has none, as in Broder's
    definition. A shingle reaches from the start of its first token to the end of its last.

    With ``every``, about one shingle in so many is a token: those whose hash is a multiple of it (Broder 1997, section
    4). So a shingle is a token wherever it occurs, or nowhere.

    Raises:
        ValueError: ``width`` is no number from 1 to 65,535, ``every`` none from 1 to 255, or the other tokenizer makes
            shingles.
    """

    def __init__(self, inner: Tokenizer, width: int, every: int = 1) -> None:
        if isinstance(width, bool) or not isinstance(width, int) or width < 1:
            raise ValueError(f"a shingle is made of 1 token or more, not of {width!r}")
        if width > _LONGEST:
            raise ValueError(f"a shingle is made of at most {_LONGEST} tokens, not of {width}")
        if inner.config.get("shingle", 1) != 1:
            raise ValueError("the tokenizer makes shingles already")
        if isinstance(every, bool) or not isinstance(every, int) or not 1 <= every <= _SPARSEST:
            raise ValueError(f"one shingle in 1 to {_SPARSEST} is a token, not one in {every!r}")
        self.inner = inner
        self.width = width
        self.every = every

    def encode(self, texts: Texts, *, offsets: bool = False) -> Tokens:
        """Shingles of ``texts``."""
        tokens = self.inner.encode(texts, offsets=offsets)
        bounds = bounds_of(np.maximum(np.diff(tokens.bounds) - (self.width - 1), 0))
        ids = np.empty(bounds[-1], np.uint32)
        combine(tokens.ids, tokens.bounds, self.width, bounds, ids)
        if tokens.starts is None or tokens.ends is None:
            return self._sample(Tokens(ids, bounds))
        starts, ends = np.empty_like(ids), np.empty_like(ids)
        pick(tokens.starts, tokens.bounds, 0, bounds, starts)
        pick(tokens.ends, tokens.bounds, self.width - 1, bounds, ends)
        return self._sample(Tokens(ids, bounds, starts, ends))

    def _sample(self, shingles: Tokens) -> Tokens:
        """The shingles that are tokens."""
        if self.every == 1:
            return shingles
        chosen = np.flatnonzero(shingles.ids % np.uint32(self.every) == 0)
        spans = (None if column is None else column[chosen] for column in (shingles.starts, shingles.ends))
        return Tokens(shingles.ids[chosen], np.searchsorted(chosen, shingles.bounds), *spans)

    @property
    def config(self) -> dict[str, Any]:
        """The configuration from which ``make_tokenizer()`` rebuilds this tokenizer."""
        sampling = {} if self.every == 1 else {"every": self.every}
        return {**self.inner.config, "shingle": self.width} | sampling
