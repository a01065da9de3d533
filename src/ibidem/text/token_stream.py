"""The block of texts that a partition works on, whatever the hash function.

Tokens become dense ids by a hash table, and every position knows its place in the list of its token's occurrences, so
that the x-th last occurrence of a token is one look-up away. All of it is linear in the number of tokens, and done
once for all hash functions.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.hashing import GOLDEN
from ibidem.kernels import kernel


class TokenStream(NamedTuple):
    """A block of texts, one after another, prepared for any number of hash functions.

    Attributes:
        ids: int32 [n], dense token ids 0 to V-1.
        bounds: int64 [D + 1], the tokens of text ``d`` are ``bounds[d]`` to ``bounds[d + 1]``.
        vocabulary: uint32 [V], the token of each dense id.
        occurrences: int32 [n], the positions of token 0, then those of token 1, ..., each ascending.
        groups: int64 [V + 1], the occurrences of token ``t`` are ``groups[t]`` to ``groups[t + 1]``.
        place: int32 [n], ``occurrences[place[j]] == j``.
        peaks: int32 [V], the highest frequency of each token in any passage of ``max_length`` tokens of one text.
    """

    ids: npt.NDArray[np.int32]
    bounds: npt.NDArray[np.int64]
    vocabulary: npt.NDArray[np.uint32]
    occurrences: npt.NDArray[np.int32]
    groups: npt.NDArray[np.int64]
    place: npt.NDArray[np.int32]
    peaks: npt.NDArray[np.int32]


def prepare_tokens(
    tokens: npt.NDArray[np.uint32], bounds: npt.NDArray[np.int64] | None = None, max_length: int = 2**31 - 1
) -> TokenStream:
    """Prepare ``tokens`` [n] of the texts that ``bounds`` separates (one text if not given)."""
    if bounds is None:
        bounds = np.array([0, len(tokens)], dtype=np.int64)
    ids, vocabulary = number_tokens(tokens)
    return prepare_ids(ids, vocabulary, bounds, max_length)


def prepare_ids(
    ids: npt.NDArray[np.int32],
    vocabulary: npt.NDArray[np.uint32],
    bounds: npt.NDArray[np.int64],
    max_length: int = 2**31 - 1,
) -> TokenStream:
    """Prepare texts whose tokens are numbered already: ``ids`` int32 [n] are places in ``vocabulary`` uint32 [V]."""
    bounds = np.ascontiguousarray(bounds, dtype=np.int64)
    occurrences, groups, place, peaks = _list_occurrences(ids, bounds, len(vocabulary), max_length)
    return TokenStream(
        ids=ids, bounds=bounds, vocabulary=vocabulary, occurrences=occurrences, groups=groups, place=place, peaks=peaks
    )


def number_tokens(tokens: npt.NDArray[np.uint32]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint32]]:
    """Number the distinct ``tokens`` [n] in order of first appearance: ids int32 [n] and vocabulary uint32 [V]."""
    plain = np.ascontiguousarray(tokens, dtype=np.uint32).view()
    plain.flags.writeable = False  # Numba compiles a kernel anew for writable arrays
    ids, vocabulary = _number_tokens(plain)
    return ids, vocabulary


@kernel
def _number_tokens(tokens: npt.NDArray[np.uint32]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint32]]:
    """Dense ids by open addressing; the table is kept at most half full."""
    bits = 10
    table, vocabulary = np.full(1 << bits, -1, np.int32), np.empty(1 << (bits - 1), np.uint32)
    ids = np.empty(tokens.shape[0], np.int32)
    numbered, size = _number_until_full(tokens, 0, table, vocabulary, 0, ids)
    while numbered < tokens.shape[0]:
        bits += 1
        table, vocabulary = np.full(1 << bits, -1, np.int32), np.concatenate((vocabulary, np.empty(size, np.uint32)))
        _number_until_full(vocabulary[:size], 0, table, vocabulary, 0, np.empty(size, np.int32))
        numbered, size = _number_until_full(tokens, numbered, table, vocabulary, size, ids)
    return ids, vocabulary[:size].copy()


@kernel
def _number_until_full(
    tokens: npt.NDArray[np.uint32],
    first: int,
    table: npt.NDArray[np.int32],
    vocabulary: npt.NDArray[np.uint32],
    size: int,
    ids: npt.NDArray[np.int32],
) -> tuple[int, int]:
    """Set the ids of the tokens from ``first`` on, until there is no room for a new one.

    Returns the first token without an id, and the size of the vocabulary. A loop that gives its arrays other names or
    lengths takes ten times as long: their references are counted in each turn.
    """
    bits = np.uint64(0)
    while np.int64(1) << np.int64(bits) < table.shape[0]:
        bits += np.uint64(1)
    shift, last_slot, most = np.uint64(64) - bits, table.shape[0] - 1, vocabulary.shape[0]
    for position in range(first, tokens.shape[0]):
        token = tokens[position]
        slot = np.int64((np.uint64(token) * GOLDEN) >> shift)
        number = table[slot]
        while number >= 0 and vocabulary[number] != token:
            slot = (slot + 1) & last_slot
            number = table[slot]
        if number < 0:
            if size == most:
                return position, size
            number = np.int32(size)
            table[slot], vocabulary[size] = number, token
            size += 1
        ids[position] = number
    return tokens.shape[0], size


@kernel
def _list_occurrences(
    ids: npt.NDArray[np.int32], bounds: npt.NDArray[np.int64], size: int, max_length: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    n = ids.shape[0]
    groups = np.zeros(size + 1, np.int64)
    for j in range(n):
        groups[ids[j] + 1] += 1
    for t in range(size):
        groups[t + 1] += groups[t]
    fill = groups[:size].copy()
    tail = groups[:size].copy()
    occurrences = np.empty(n, np.int32)
    place = np.empty(n, np.int32)
    peaks = np.zeros(size, np.int32)
    for text in range(bounds.shape[0] - 1):
        for j in range(bounds[text], bounds[text + 1]):
            t = ids[j]
            occurrences[fill[t]] = j
            place[j] = fill[t]
            fill[t] += 1
            first = max(bounds[text], j - max_length + 1)
            while occurrences[tail[t]] < first:
                tail[t] += 1
            peaks[t] = max(peaks[t], fill[t] - tail[t])
    return occurrences, groups, place, peaks
