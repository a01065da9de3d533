"""Seeds: the runs of tokens by which documents are joined, one from each token on.

A seed is the shortest run that is surprising and long enough. Two equal runs that are so begin with equal seeds, so a
join of seeds finds them all. They are made in two passes. The first counts them in cells that several seeds may share,
the second keeps those of cells with two: most occur once.

Documents may *ask* or only *answer*. What nobody who asks has is no seed: of a collection in which a few short
documents may be quotations of long ones, the seeds of the long ones alone are not kept.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.evidence.background import Background, weigh_behind
from ibidem.evidence.records.records import Records
from ibidem.hashing import GOLDEN, mix64
from ibidem.kernels import inlined, kernel

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float64]
_Keys = npt.NDArray[np.uint64]
_Flags = npt.NDArray[np.bool_]
_Cells = npt.NDArray[np.uint8]

_LONGEST = 64
"""Tokens of a seed at most. Text that says so little is no quotation."""

_CELLS = 4
"""Cells for each token of documents that ask; a byte has as many of two bits."""

_LEAST_BITS, _MOST_BITS = 10, 28


class Documents(NamedTuple):
    """The documents in which runs are looked for.

    Attributes:
        tokens: int32 [T], dense ids.
        bounds: int64 [D + 1].
        side: int32 [D]. Documents of the same side are not compared; of a negative side, with all.
        ranks: int32 [D], the order in which one comes before another.
        asks: bool [D]; two that do not ask are not compared.
    """

    tokens: _Ids
    bounds: _Ints
    side: _Ids
    ranks: _Ids
    asks: _Flags

    @classmethod
    def of(cls, tokens: _Ids, bounds: _Ints, side: _Ids, ranks: _Ids | None = None) -> "Documents":
        """All ask, and they are in the order of their ranks if these are not given."""
        order = np.arange(len(side), dtype=np.int32) if ranks is None else ranks
        return cls(tokens, bounds, side, order, np.ones(len(side), np.bool_))


class SeedRule(NamedTuple):
    """What a seed is: so much surprise, in nats, and so many tokens, two or more."""

    surprise: float
    tokens: int = 2


class SeedCounts(NamedTuple):
    """How many seeds each cell has, up to two.

    Attributes:
        cells: uint8 [2^b], four cells a byte.
        repeated: how many seeds are in cells with two, at most.
    """

    cells: _Cells
    repeated: int


def count_seeds(documents: Documents, background: Background, rule: SeedRule) -> SeedCounts:
    """Count the seeds of documents."""
    asked = int(np.diff(documents.bounds)[documents.asks].sum())
    bits = min(max(_LEAST_BITS, (_CELLS * asked).bit_length()), _MOST_BITS)
    cells = np.zeros((1 << bits) // _CELLS, np.uint8)
    again = _count_seeds(documents, background, rule, cells)
    return SeedCounts(cells, 2 * again)


def collect_seeds(
    documents: Documents, background: Background, rule: SeedRule, counts: SeedCounts, span: tuple[int, int]
) -> Records:
    """The seeds of the documents ``span[0]`` to ``span[1] - 1`` that are in cells with two, by their places."""
    keys, places = _collect_seeds(documents, background, rule, counts.cells, np.array(span))
    return Records(keys, places, places + 1)


@kernel
def _hash_seeds(tokens: _Ids, background: Background, rule: SeedRule, behind: _Floats, keys: _Keys) -> None:
    """Set the key of the seed that begins at each of ``tokens`` of a document, uint64 [n]; 0 where there is none.

    ``behind`` float64 [n] is room for the surprise of each token.
    """
    size = tokens.shape[0]
    weigh_behind(background, tokens, behind)
    for start in range(size):
        surprise, state, end = background.alone[tokens[start]], np.uint64(tokens[start]) + GOLDEN, start + 1
        last = min(size, start + _LONGEST)
        while end < last and (surprise < rule.surprise or end - start < rule.tokens):
            surprise += behind[end]
            state = (state ^ (state >> np.uint64(29))) * GOLDEN + np.uint64(tokens[end])
            end += 1
        is_seed = surprise >= rule.surprise and end - start >= rule.tokens
        keys[start] = mix64(state) | np.uint64(1) if is_seed else np.uint64(0)


@inlined
def _find_cell(key: np.uint64, cells: _Cells) -> tuple[np.int64, np.uint8]:
    """The byte of the cell of a key, and by how many bits it is shifted there."""
    cell = (key >> np.uint64(8)) & np.uint64(_CELLS * cells.shape[0] - 1)
    return np.int64(cell >> np.uint64(2)), np.uint8((cell & np.uint64(3)) << np.uint64(1))


@kernel
def _count_seeds(documents: Documents, background: Background, rule: SeedRule, cells: _Cells) -> int:
    """Count seeds in ``cells`` uint8 [2^b], and return how many are in a cell that another one was in before."""
    tokens, bounds = documents.tokens, documents.bounds
    longest, again = np.diff(bounds).max(), 0
    behind, keys = np.empty(longest), np.empty(longest, np.uint64)
    for turn in range(2):  # those that ask first
        for document in range(bounds.shape[0] - 1):
            if documents.asks[document] == (turn == 1):
                continue
            first, last = bounds[document], bounds[document + 1]
            _hash_seeds(tokens[first:last], background, rule, behind, keys)
            for key in keys[: last - first]:
                if key == np.uint64(0):
                    continue
                byte, shift = _find_cell(key, cells)
                count = int(np.int64((cells[byte] >> shift) & np.uint8(3)))
                again += count > 0
                if count < 2 and (turn == 0 or count > 0):
                    cells[byte] += np.uint8(1) << shift
    return again


@kernel
def _collect_seeds(
    documents: Documents, background: Background, rule: SeedRule, cells: _Cells, span: _Ints
) -> tuple[_Keys, _Ints]:
    """The keys and places of the seeds of the documents of ``span`` int64 [2] that are in cells with two."""
    tokens, bounds = documents.tokens, documents.bounds
    longest = np.diff(bounds[span[0] : span[1] + 1]).max()
    behind, of_document = np.empty(longest), np.empty(longest, np.uint64)
    keys, places, count = np.empty(1 << 12, np.uint64), np.empty(1 << 12, np.int64), 0
    for document in range(span[0], span[1]):
        first, last = bounds[document], bounds[document + 1]
        _hash_seeds(tokens[first:last], background, rule, behind, of_document)
        while keys.shape[0] < count + last - first:
            keys, places = np.concatenate((keys, keys)), np.concatenate((places, places))
        for start in range(last - first):
            key = of_document[start]
            if key == np.uint64(0):
                continue
            byte, shift = _find_cell(key, cells)
            if np.int64((cells[byte] >> shift) & np.uint8(3)) < 2:
                continue
            keys[count], places[count] = key, first + start
            count += 1
    return keys[:count].copy(), places[:count].copy()
