"""Families: which elements a text has, and the active hash values of a token.

Under one hash function a token ``t`` that occurs ``f`` times in a passage offers the hash values of ``(t, 1)`` to
``(t, f)``; only a value below all values at lower frequencies can ever be the passage's min-hash. Those are *active*
(Definition 12 of Zhang et al., PVLDB 2026). They depend on the token and the function, not on the text, so they are
computed once a token for the highest frequency at which it is needed.

- ``set``: one element a token, whatever its frequency.
- ``multiset``: the elements ``(t, 1), ..., (t, f)``.
- ``weighted``: improved consistent weighted sampling (Ioffe, ICDM 2010) on the weight ``tf(f) * idf(t)``.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from ibidem.hashing import GOLDEN, mix64, spread
from ibidem.kernels import kernel
from ibidem.weights import Weighting


class ActiveValues(NamedTuple):
    """The active hash values of one function for the tokens 0 to V-1, token after token.

    Attributes:
        bounds: int64 [V + 1], the values of token ``t`` are ``bounds[t]`` to ``bounds[t + 1]``.
        x: int32 [A], the frequency from which a value holds, ascending within a token.
        rank: uint64 [A], the order of the hash values, descending within a token.
        key: uint32 [A], the identity that must agree for two min-hashes to collide.
    """

    bounds: npt.NDArray[np.int64]
    x: npt.NDArray[np.int32]
    rank: npt.NDArray[np.uint64]
    key: npt.NDArray[np.uint32]


class Family(Protocol):
    """Which elements a text has."""

    @property
    def weighting(self) -> Weighting:
        """The weights under which collisions estimate the Jaccard similarity."""

    def active(
        self, tokens: npt.NDArray[np.uint32], frequencies: npt.NDArray[np.int32], seed: np.uint64
    ) -> ActiveValues:
        """The active values of distinct ``tokens`` [V] up to their ``frequencies`` [V] under one function."""


class SetFamily:
    """The elements of a text are its distinct tokens: the share of collisions estimates set Jaccard."""

    weighting = Weighting.of("set")

    def active(
        self, tokens: npt.NDArray[np.uint32], frequencies: npt.NDArray[np.int32], seed: np.uint64
    ) -> ActiveValues:
        """One value a token."""
        return ActiveValues(*_set_values(tokens, seed))


class MultisetFamily:
    """The elements are (token, 1) to (token, frequency): collisions estimate multiset Jaccard."""

    weighting = Weighting.of("multiset")

    def active(
        self, tokens: npt.NDArray[np.uint32], frequencies: npt.NDArray[np.int32], seed: np.uint64
    ) -> ActiveValues:
        """1 + 1/2 + ... + 1/f values a token in expectation."""
        return ActiveValues(*_multiset_values(tokens, frequencies, seed))


class WeightedFamily:
    """The elements are the points below a token's weight: collisions estimate weighted Jaccard.

    Section 5 and Algorithm 6 of Zhang et al. The sample of token ``t`` is ``(t, s)`` with ``s = floor(ln w / r + b)``;
    it changes only where ``s`` steps up with the frequency, and every step is an active value.
    """

    def __init__(self, weighting: Weighting) -> None:
        self.weighting = weighting

    def active(
        self, tokens: npt.NDArray[np.uint32], frequencies: npt.NDArray[np.int32], seed: np.uint64
    ) -> ActiveValues:
        """Tokens whose weight is not positive have no values."""
        highest = int(frequencies.max(initial=1))
        log_tf = np.zeros(highest + 1)
        log_tf[1:] = np.log(self.weighting.tf_table(highest)[1:])
        idf = self.weighting.idf_of(tokens)
        log_idf = np.full(len(tokens), -np.inf)
        np.log(idf, out=log_idf, where=idf > 0)
        return ActiveValues(*_weighted_values(tokens, frequencies, seed, log_tf, log_idf))


FAMILIES: dict[str, Any] = {
    "set": lambda weighting: SetFamily(),
    "multiset": lambda weighting: MultisetFamily(),
    "weighted": WeightedFamily,
}
"""How a family's name and the weights of an index become the family."""


_Columns = tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.uint64], npt.NDArray[np.uint32]]


@kernel
def _set_values(tokens: npt.NDArray[np.uint32], seed: np.uint64) -> _Columns:
    count = tokens.shape[0]
    bounds = np.arange(count + 1)
    x = np.ones(count, np.int32)
    rank = np.empty(count, np.uint64)
    key = np.empty(count, np.uint32)
    for t in range(count):
        rank[t] = spread(tokens[t], seed)
        key[t] = np.uint32(rank[t] & np.uint64(0xFFFFFFFF))
    return bounds, x, rank, key


@kernel
def _multiset_values(tokens: npt.NDArray[np.uint32], frequencies: npt.NDArray[np.int32], seed: np.uint64) -> _Columns:
    count = tokens.shape[0]
    bounds = np.zeros(count + 1, np.int64)
    room = 2 * count + 16
    x = np.empty(room, np.int32)
    rank = np.empty(room, np.uint64)
    size = 0
    for t in range(count):
        if size + frequencies[t] > room:
            room = 2 * room + frequencies[t]
            x = np.concatenate((x[:size], np.empty(room - size, np.int32)))
            rank = np.concatenate((rank[:size], np.empty(room - size, np.uint64)))
        base = spread(tokens[t], seed)
        lowest = np.uint64(0xFFFFFFFFFFFFFFFF)
        for frequency in range(1, frequencies[t] + 1):
            value = mix64(base + np.uint64(frequency) * GOLDEN)
            if value < lowest:
                lowest = value
                x[size] = frequency
                rank[size] = value
                size += 1
        bounds[t + 1] = size
    key = (rank[:size] & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    return bounds, x[:size].copy(), rank[:size].copy(), key


@kernel
def _draw_uniform(bits: np.uint64) -> float:
    """A float64 in (0, 1) from the upper 53 of 64 random bits."""
    return (np.float64(bits >> np.uint64(11)) + 0.5) * 2.0**-53


@kernel
def _weighted_values(
    tokens: npt.NDArray[np.uint32],
    frequencies: npt.NDArray[np.int32],
    seed: np.uint64,
    log_tf: npt.NDArray[np.float64],
    log_idf: npt.NDArray[np.float64],
) -> _Columns:
    count = tokens.shape[0]
    bounds = np.zeros(count + 1, np.int64)
    room = 2 * count + 16
    x, log_a, key = np.empty(room, np.int32), np.empty(room, np.float64), np.empty(room, np.uint32)
    size = 0
    for t in range(count):
        if log_idf[t] > -np.inf:
            if size + frequencies[t] > room:
                room = 2 * room + frequencies[t]
                x = np.concatenate((x[:size], np.empty(room - size, np.int32)))
                log_a = np.concatenate((log_a[:size], np.empty(room - size, np.float64)))
                key = np.concatenate((key[:size], np.empty(room - size, np.uint32)))
            size = _sample_token(spread(tokens[t], seed), frequencies[t], log_tf, log_idf[t], x, log_a, key, size)
        bounds[t + 1] = size
    rank = _make_ordered(log_a[:size])
    return bounds, x[:size].copy(), rank, key[:size].copy()


@kernel
def _sample_token(
    base: np.uint64,
    frequency: int,
    log_tf: npt.NDArray[np.float64],
    log_idf: float,
    x: npt.NDArray[np.int32],
    log_a: npt.NDArray[np.float64],
    key: npt.NDArray[np.uint32],
    size: int,
) -> int:
    """Write the values of a token that occurs so often behind ``size`` others; return how many there are."""
    r = -np.log(_draw_uniform(mix64(base + GOLDEN)) * _draw_uniform(mix64(base + np.uint64(2) * GOLDEN)))
    c = -np.log(_draw_uniform(mix64(base + np.uint64(3) * GOLDEN)) * _draw_uniform(mix64(base + np.uint64(4) * GOLDEN)))
    beta = _draw_uniform(mix64(base + np.uint64(5) * GOLDEN))
    step = np.int64(-(2**62))
    for f in range(1, frequency + 1):
        level = np.int64(np.floor((log_tf[f] + log_idf) / r + beta))
        if level > step:
            step = level
            x[size] = f
            log_a[size] = np.log(c) - r * (np.float64(step) - beta + 1.0)
            key[size] = np.uint32(mix64(base ^ mix64(np.uint64(step))) & np.uint64(0xFFFFFFFF))
            size += 1
    return size


@kernel
def _make_ordered(values: npt.NDArray[np.float64]) -> npt.NDArray[np.uint64]:
    """uint64 ranks in the order of the float64 ``values``: a negative's bits are inverted, a positive's sign is set."""
    bits = values.copy().view(np.uint64)
    sign = np.uint64(1) << np.uint64(63)
    for i in range(bits.shape[0]):
        bits[i] = ~bits[i] if bits[i] & sign else bits[i] | sign
    return bits
