"""The token stream of a compact segment: two bytes a token.

The most frequent tokens have a *code*, their rank. Any other is written as ``CODED_TOKENS``, which says that it is the
next of a list; where the tokens of each group of ``RARE_GROUP`` begin in this list is known.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.hashing import SCATTER
from ibidem.kernels import kernel
from ibidem.store.format import CODED_TOKENS, RARE_GROUP
from ibidem.text.long_texts.scratch import Scratch

# Tokens that are decoded at a time where all are.
_PIECE = 1 << 20


class CodedTokens:
    """A token stream that is decoded where it is read: indexing gives what it gives of the column ``tokens``.

    Args:
        codes: the column ``token_codes``. Shape [T].
        tokens: the column ``code_tokens``. Shape [F].
        rare, groups: the columns ``rare_tokens`` [R] and ``rare_groups`` [G + 1].
    """

    dtype = np.dtype(np.uint32)

    def __init__(
        self,
        codes: NDArray[np.uint16],
        tokens: NDArray[np.uint32],
        rare: NDArray[np.uint32],
        groups: NDArray[np.uint32],
    ) -> None:
        self._codes, self._rare, self._groups = codes, rare, groups
        # A code that no token has, of a file that was altered, is read as token 0.
        self._tokens = np.zeros(CODED_TOKENS + 1, np.uint32)
        self._tokens[: len(tokens)] = tokens
        self._whole: NDArray[np.uint32] | None = None

    def __len__(self) -> int:
        return len(self._codes)

    @property
    def shape(self) -> tuple[int]:
        """As of an array."""
        return (len(self),)

    def __getitem__(self, chosen: Any) -> Any:
        if isinstance(chosen, slice):
            first, end, step = chosen.indices(len(self))
            return self.gather(np.array([[first, max(first, end)]]))[::step]
        places = np.arange(len(self))[chosen] if np.ndim(chosen) and np.asarray(chosen).dtype == np.bool_ else chosen
        places = np.asarray(places, np.int64).reshape(-1)
        if len(places) and not -len(self) <= places.min() <= places.max() < len(self):
            raise IndexError(f"tokens {places.min()} to {places.max()} of {len(self)}")
        places = np.where(places < 0, places + len(self), places)
        tokens = self.gather(np.stack((places, places + 1), axis=1))
        return tokens if np.ndim(chosen) else tokens[0]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        whole = self.decode_all()
        return whole if dtype is None else whole.astype(dtype)

    def gather(self, ranges: NDArray[np.int64]) -> NDArray[np.uint32]:
        """The tokens of ``ranges`` [N, 2], half open, one range after the other."""
        sizes = ranges[:, 1] - ranges[:, 0]
        places = np.cumsum(sizes) - sizes
        tokens = np.empty(int(sizes.sum()), np.uint32)
        _decode(self._codes, self._tokens, self._rare, self._groups, ranges, places, tokens)
        tokens.flags.writeable = False  # as those of a plain segment: Numba compiles a kernel anew for writable arrays
        return tokens

    def decode_into(self, tokens: NDArray[np.uint32], ranges: NDArray[np.int64], base: int) -> None:
        """Write the tokens of ``ranges`` [N, 2] into an array that begins at position ``base`` of the stream."""
        _decode(self._codes, self._tokens, self._rare, self._groups, ranges, ranges[:, 0] - base, tokens)

    def decode_all(self) -> NDArray[np.uint32]:
        """All tokens, in a temporary file that stays while this is used: four bytes a token."""
        if self._whole is None:
            with Scratch(np.uint32) as aside:
                for first in range(0, len(self), _PIECE):
                    aside.append(self[first : first + _PIECE])
                self._whole = aside.finish()
        return self._whole


TokenStream = NDArray[np.uint32] | CodedTokens
"""The tokens of a segment, of whatever layout; a slice of them is an array."""


def gather_tokens(tokens: TokenStream, ranges: NDArray[np.int64]) -> NDArray[np.uint32]:
    """The tokens of ``ranges`` [N, 2] of a stream, one range after the other."""
    if isinstance(tokens, CodedTokens):
        return tokens.gather(ranges)
    parts = [tokens[first:stop] for first, stop in ranges]
    return np.concatenate(parts) if parts else np.empty(0, np.uint32)


def choose_codes(vocabulary: NDArray[np.uint32], occurrences: NDArray[np.uint64]) -> NDArray[np.uint32]:
    """The tokens that have codes, in the order of these: the most frequent first, of equals the smallest."""
    order = np.argsort(-occurrences.astype(np.int64), kind="stable")
    return vocabulary[order[:CODED_TOKENS]]


def encode_tokens(
    pieces: Iterable[NDArray[np.uint32]], coded: NDArray[np.uint32]
) -> Iterator[tuple[NDArray[np.uint16], NDArray[np.uint32]]]:
    """The codes of each piece of a stream, and those of its tokens that have none."""
    slots = _fill_slots(np.ascontiguousarray(coded))
    for piece in pieces:
        codes = _encode(piece, coded, slots)
        yield codes, piece[codes == CODED_TOKENS]


@kernel
def _decode(
    codes: NDArray[np.uint16],
    tokens: NDArray[np.uint32],
    rare: NDArray[np.uint32],
    groups: NDArray[np.uint32],
    ranges: NDArray[np.int64],
    places: NDArray[np.int64],
    decoded: NDArray[np.uint32],
) -> None:
    """Write the tokens of each of the ``ranges`` [N, 2] to ``decoded``, from its place on.

    ``tokens`` uint32 [CODED_TOKENS + 1] has a token for every number that a code can be.
    """
    for row in range(ranges.shape[0]):
        first, end, place = ranges[row, 0], ranges[row, 1], places[row]
        group = first // RARE_GROUP
        following = np.int64(groups[group]) if first < end else np.int64(0)
        for j in range(group * RARE_GROUP, first):
            following += np.int64(codes[j] == CODED_TOKENS)
        for j in range(first, end):
            token = tokens[codes[j]]
            if codes[j] == CODED_TOKENS:
                token = rare[following] if following < rare.shape[0] else np.uint32(0)
                following += 1
            decoded[place + j - first] = token


@kernel
def _fill_slots(coded: NDArray[np.uint32]) -> NDArray[np.uint16]:
    """A hash table from token to its code: open addressing, at most a quarter full; free is ``CODED_TOKENS``."""
    slots = np.full(1 << 18, CODED_TOKENS, np.uint16)
    for code in range(coded.shape[0]):
        slot = np.uint32(coded[code] * SCATTER) >> np.uint32(14)
        while slots[slot] != CODED_TOKENS:
            slot = np.uint32(slot + np.uint32(1)) & np.uint32((1 << 18) - 1)
        slots[slot] = code
    return slots


@kernel
def _encode(tokens: NDArray[np.uint32], coded: NDArray[np.uint32], slots: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """The code of each of the ``tokens``."""
    codes = np.empty(tokens.shape[0], np.uint16)
    for j in range(tokens.shape[0]):
        slot = np.uint32(tokens[j] * SCATTER) >> np.uint32(14)
        while slots[slot] != CODED_TOKENS and coded[slots[slot]] != tokens[j]:
            slot = np.uint32(slot + np.uint32(1)) & np.uint32((1 << 18) - 1)
        codes[j] = slots[slot]
    return codes
