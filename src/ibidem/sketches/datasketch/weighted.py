"""Signatures of weighted sets: consistent weighted sampling of real weights (Ioffe, ICDM 2010).

Each function draws one element and one level of its weight, the same for two sets with a probability equal to their
weighted Jaccard similarity, the sum of the smaller weights over the sum of the larger ones.
"""

import math
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ibidem._jit import kernel
from ibidem.hashing import GOLDEN, function_seeds, mix64
from ibidem.sketches.estimates import Estimate

_Floats = NDArray[np.float64]


class SparseRows(Protocol):
    """A sparse matrix: ``scipy.sparse.csr_matrix``, or whatever has its arrays."""

    shape: tuple[int, int]

    def tocsr(self) -> Any:
        """The matrix with ``indptr``, ``indices`` and ``data``."""


class WeightedMinHash:
    """A signature of a weighted set, made by a ``WeightedMinHashGenerator``.

    Args:
        seed: that of the generator.
        hashvalues: int64 [sample_size, 2], for each function the dimension and the level of its weight.

    Raises:
        ValueError: the hash values have another shape.
    """

    def __init__(self, seed: int, hashvalues: ArrayLike) -> None:
        values = np.array(hashvalues, np.int64)
        if values.ndim != 2 or values.shape[1:] != (2,) or not len(values):
            raise ValueError(f"hash values are pairs of a dimension and a level, and not of shape {values.shape}")
        values.flags.writeable = False
        self.seed = int(seed)
        self.hashvalues: NDArray[np.int64] = values

    def jaccard(self, other: "WeightedMinHash") -> Estimate:
        """An unbiased estimate of the weighted Jaccard similarity.

        Raises:
            ValueError: the signatures have other functions.
        """
        if not isinstance(other, WeightedMinHash):
            raise TypeError(f"a WeightedMinHash meets a WeightedMinHash, not a {type(other).__name__}")
        if (self.seed, len(self)) != (other.seed, len(other)):
            raise ValueError(
                f"these signatures have other functions: {len(self)} of seed {self.seed}, "
                f"and {len(other)} of seed {other.seed}"
            )
        agreeing = (self.hashvalues == other.hashvalues).all(axis=1)
        return Estimate.of(int(np.count_nonzero(agreeing)), len(self))

    def digest(self) -> NDArray[np.int64]:
        """A copy of the hash values."""
        return self.hashvalues.copy()

    def copy(self) -> "WeightedMinHash":
        """A signature that shares nothing with this one."""
        return WeightedMinHash(self.seed, self.hashvalues)

    def __len__(self) -> int:
        return len(self.hashvalues)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WeightedMinHash):
            return NotImplemented
        return self.seed == other.seed and np.array_equal(self.hashvalues, other.hashvalues)

    __hash__ = None  # type: ignore[assignment]  # as datasketch has it

    def __repr__(self) -> str:
        return f"WeightedMinHash(seed={self.seed}), {len(self)} values"


class WeightedMinHashGenerator:
    """Makes signatures of weighted sets over ``dim`` elements; a set is the vector of its weights.

    The random numbers come from the mixers of ``ibidem.hashing`` and not from numpy's generators, so signatures are
    the same under every version. They take 24 bytes for each element and function.

    Args:
        dim: how many elements there are.
        sample_size: how many functions.
        seed: names them.

    Raises:
        ValueError: a number that cannot be.

    >>> one, other = WeightedMinHashGenerator(3, 256).minhash_many([[1, 4, 2], [1, 1, 2]])
    >>> one.jaccard(other)  # of 4 / 7
    0.5859375
    """

    def __init__(self, dim: int, sample_size: int = 128, seed: int = 0) -> None:
        for name, number in (("number of dimensions", dim), ("number of functions", sample_size)):
            if number < 1:
                raise ValueError(f"the {name} is 1 or more, not {number}")
        if not 0 <= seed < 2**64:
            raise ValueError(f"a seed is a number from 0 to 2^64 - 1, not {seed}")
        self.dim, self.sample_size, self.seed = int(dim), int(sample_size), int(seed)
        seeds = function_seeds(self.seed, self.sample_size)
        self.rs: _Floats
        self.ln_cs: _Floats
        self.betas: _Floats
        self.rs, self.ln_cs, self.betas = _draw(self.dim, seeds)

    def minhash(self, v: ArrayLike) -> WeightedMinHash:
        """The signature of one weighted set.

        Args:
            v: the weights, [dim], not negative and not all 0.

        Raises:
            TypeError: they have no length.
            ValueError: they are none.
        """
        if not isinstance(v, Sequence | np.ndarray):
            raise TypeError(f"a weighted set is a vector of its weights, not a {type(v).__name__}")
        weights = self._require_weights(v, 1)
        elements = np.flatnonzero(weights)
        if not len(elements):
            raise ValueError("a weighted set whose weights are all 0 has no signature")
        return self._sample(elements, weights[elements])

    def minhash_many(self, X: ArrayLike | SparseRows) -> list[WeightedMinHash | None]:
        """The signatures of many sets; ``None`` in the place of one whose weights are all 0.

        Args:
            X: the weights, [sets, dim], as an array or a sparse matrix of scipy.

        Raises:
            ValueError: they are none.
        """
        if not hasattr(X, "tocsr"):
            rows = self._require_weights(X, 2)
            return [
                self._sample(elements, row[elements]) if len(elements := np.flatnonzero(row)) else None for row in rows
            ]
        sparse = X.tocsr()
        if sparse.shape[1] != self.dim:
            raise ValueError(f"weights of {self.dim} elements are expected, not of {sparse.shape[1]}")
        signatures: list[WeightedMinHash | None] = []
        for start, end in zip(sparse.indptr[:-1], sparse.indptr[1:], strict=True):
            row = np.bincount(sparse.indices[start:end], sparse.data[start:end], self.dim)
            signatures += self.minhash_many(row[None])
        return signatures

    def _require_weights(self, values: Any, dimensions: int) -> _Floats:
        weights = np.asarray(values, np.float64)
        if weights.ndim != dimensions or weights.shape[-1] != self.dim:
            raise ValueError(f"weights of {self.dim} elements are expected, not of shape {weights.shape}")
        if not (np.isfinite(weights).all() and (weights >= 0).all()):
            raise ValueError("weights are finite numbers from 0")
        return weights

    def _sample(self, elements: NDArray[np.int64], weights: _Floats) -> WeightedMinHash:
        return WeightedMinHash(self.seed, _sample(elements, np.log(weights), self.rs, self.ln_cs, self.betas))


@kernel
def _draw(dim: int, seeds: NDArray[np.uint64]) -> tuple[_Floats, _Floats, _Floats]:
    """For each function and element ``r`` and ``ln c``, r and c from Gamma(2, 1), and ``β`` between 0 and 1.

    A Gamma(2, 1) variable is the sum of two exponential ones, ``-ln(u v)``.
    """
    shape = (seeds.shape[0], dim)
    rs, ln_cs, betas = np.empty(shape), np.empty(shape), np.empty(shape)
    for function in range(seeds.shape[0]):
        for element in range(dim):
            state = mix64(mix64(np.uint64(element) + GOLDEN) ^ seeds[function])
            uniform = np.empty(5)
            for lane in range(5):
                state = state + GOLDEN
                uniform[lane] = (np.float64(mix64(state) >> np.uint64(11)) + 0.5) * 2.0**-53
            rs[function, element] = -math.log(uniform[0] * uniform[1])
            ln_cs[function, element] = math.log(-math.log(uniform[2] * uniform[3]))
            betas[function, element] = uniform[4]
    return rs, ln_cs, betas


@kernel
def _sample(held: NDArray[np.int64], logs: _Floats, rs: _Floats, ln_cs: _Floats, betas: _Floats) -> NDArray[np.int64]:
    """For each function the element of least ``ln a`` and its level ``t`` (Ioffe 2010, section 3), int64 [k, 2]."""
    values = np.empty((rs.shape[0], 2), np.int64)
    for function in range(rs.shape[0]):
        least = np.inf
        for i in range(held.shape[0]):
            element = held[i]
            r, beta = rs[function, element], betas[function, element]
            level = math.floor(logs[i] / r + beta)
            ln_a = ln_cs[function, element] - r * (level - beta) - r
            if ln_a < least:
                least = ln_a
                values[function, 0], values[function, 1] = element, level
    return values
