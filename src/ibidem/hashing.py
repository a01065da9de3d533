"""The mixers under every hash value of ibidem. Their values are part of the index format.

A counter-based generator needs no state: the random bits of (seed, function, token, lane) are a mix of these numbers,
the same on every machine and in any order of evaluation.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import xxhash

from ibidem.kernels import kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""2^64 over the golden ratio: a step by which counters visit the 64-bit integers evenly."""

SCATTER = np.uint32(0x9E3779B1)
"""About 2^32 over the golden ratio: the upper bits of its product with a token are the slot in a table of a search.
Such tables are not part of the format."""

_MULTIPLIER_1 = np.uint64(0xBF58476D1CE4E5B9)
_MULTIPLIER_2 = np.uint64(0x94D049BB133111EB)


@kernel
def mix64(x: np.uint64) -> np.uint64:
    """A bijection of the 64-bit integers in which every input bit flips every output bit with probability near 1/2.

    The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014; constants by David Stafford).
    """
    x = (x ^ (x >> np.uint64(30))) * _MULTIPLIER_1
    x = (x ^ (x >> np.uint64(27))) * _MULTIPLIER_2
    return x ^ (x >> np.uint64(31))


@kernel
def spread(token: np.uint32, seed: np.uint64) -> np.uint64:
    """64 bits of a token under the function that ``seed`` names; no two tokens share them under one function."""
    return mix64(mix64(np.uint64(token) + GOLDEN) ^ seed)


def require_seed(seed: int) -> None:
    """Refuse what cannot be written down as the seed of an index.

    Raises:
        ValueError: it is no number from 0 to 2^63 - 1.
    """
    if not 0 <= seed < 2**63:
        raise ValueError(f"a seed is a number from 0 to 2^63 - 1, not {seed}")


def function_seeds(seed: int, functions: int) -> npt.NDArray[np.uint64]:
    """The seeds of ``functions`` independent hash functions drawn under ``seed``, uint64."""
    counters = np.arange(1, functions + 1, dtype=np.uint64)
    with np.errstate(over="ignore"):
        start = mix64(np.uint64(seed & 0xFFFFFFFFFFFFFFFF) ^ GOLDEN)
        return np.array([mix64(start + counter * GOLDEN) for counter in counters], dtype=np.uint64)


def hash_strings(strings: Sequence[bytes | memoryview]) -> npt.NDArray[np.uint64]:
    """128 bits of each string: no two of 10^12 share them but by a chance of one in 10^14."""
    digests = b"".join([xxhash.xxh3_128_digest(string) for string in strings])
    return np.frombuffer(digests, "<u8").reshape(-1, 2)
