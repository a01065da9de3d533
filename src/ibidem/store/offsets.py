"""Where tokens are in their texts, in two bytes a token.

Most tokens are short and follow close upon one another, so a token has a byte for its *step* (its start minus the start
of the token before) and a byte for its *length*. Every document's first token, every ``MARK_EVERY``-th token of the
segment, and every token whose step or length does not fit has a *mark* with its true start and length. The start of a
token is that of the last mark at or before it plus the steps in between, of which there are at most ``MARK_EVERY - 1``.
"""

from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from ibidem.kernels import kernel
from ibidem.store.format import ESCAPE, MARK_EVERY

# Tokens that are encoded at a time: room for marks takes many times the memory of the columns.
_PIECE = 1 << 18

_Int = int | np.int64
_Columns = tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint32]]


class TokenOffsets(NamedTuple):
    """The five columns: a step and a length a token, and the marks, ascending in position."""

    steps: NDArray[np.uint8]
    lengths: NDArray[np.uint8]
    mark_positions: NDArray[np.uint32]
    mark_starts: NDArray[np.uint32]
    mark_lengths: NDArray[np.uint32]


def encode(
    starts: NDArray[np.uint32], ends: NDArray[np.uint32], bounds: NDArray[np.int64], first: int = 0
) -> TokenOffsets:
    """The columns of a batch of documents, to be appended to those before.

    Args:
        starts, ends: code points into each token's own text, half open; starts never decrease within a text. Shape [T].
        bounds: where each document's tokens begin, from 0 to T. Shape [D + 1].
        first: position of the batch's first token in the segment.

    Raises:
        ValueError: a token ends before it starts, or starts before the token before it.
    """
    opens = bounds[:-1][bounds[:-1] < bounds[1:]]
    ranges = (range(low, min(low + _PIECE, len(starts))) for low in range(0, max(len(starts), 1), _PIECE))
    pieces = [_encode_piece(starts, ends, opens, piece, first, bounds) for piece in ranges]
    return pieces[0] if len(pieces) == 1 else TokenOffsets(*map(np.concatenate, zip(*pieces, strict=True)))


def _encode_piece(
    starts: NDArray[np.uint32],
    ends: NDArray[np.uint32],
    opens: NDArray[np.int64],
    piece: range,
    first: int,
    bounds: NDArray[np.int64],
) -> TokenOffsets:
    """The columns of some tokens of a batch; ``opens`` are the first tokens of documents."""
    part, before = slice(piece.start, piece.stop), int(starts[piece.start - 1]) if piece.start else 0
    piece_opens = opens[slice(*opens.searchsorted((piece.start, piece.stop)))] - piece.start
    marks, columns = _encode(_plain(starts[part]), _plain(ends[part]), piece_opens, before, first + piece.start)
    if marks < 0:
        _refuse(starts, ends, piece.start - marks - 1, bounds)
    return TokenOffsets(*columns[:2], *(column[:marks].copy() for column in columns[2:]))


def _plain(values: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The values in a row and read-only: Numba compiles a kernel anew for writable arrays."""
    plain = np.ascontiguousarray(values, np.uint32).view()
    plain.flags.writeable = False
    return plain


@kernel
def _encode(
    starts: NDArray[np.uint32],
    ends: NDArray[np.uint32],
    document_starts: NDArray[np.int64],
    before: _Int,
    position: int,
) -> tuple[int, _Columns]:
    """The columns of tokens, of which the first is at a ``position`` of the segment, and how many marks there are.

    The tokens ``document_starts`` are the first of documents; ``before`` is the start of the token before the first.
    If a token ends before it starts, or starts before the one before it, the number is ``-1`` less the token's.
    """
    count, marks, documents = starts.shape[0], 0, 0
    steps, lengths = np.empty(count, np.uint8), np.empty(count, np.uint8)
    mark_positions, mark_starts = np.empty(count, np.uint32), np.empty(count, np.uint32)
    mark_lengths = np.empty(count, np.uint32)
    columns = steps, lengths, mark_positions, mark_starts, mark_lengths
    for token in range(count):
        start = np.int64(starts[token])
        step, length = start - before, np.int64(ends[token]) - start
        opens = documents < document_starts.shape[0] and document_starts[documents] == token
        if length < 0 or (step < 0 and not opens):
            return -1 - token, columns
        steps[token] = ESCAPE if opens else min(int(step), ESCAPE)
        lengths[token] = min(int(length), ESCAPE)
        if opens or step >= ESCAPE or length >= ESCAPE or (position + token) % MARK_EVERY == 0:
            mark_positions[marks], mark_starts[marks] = position + token, start
            mark_lengths[marks] = length
            marks += 1
        documents += int(opens)
        before = start
    return marks, columns


def _refuse(starts: NDArray[np.uint32], ends: NDArray[np.uint32], token: int, bounds: NDArray[np.int64]) -> NoReturn:
    document = int(np.searchsorted(bounds, token, "right")) - 1
    fault = "ends before it starts" if ends[token] < starts[token] else "starts before the token before it"
    raise ValueError(f"token {token - int(bounds[document])} of document {document} of the batch {fault}")


def lookup(offsets: TokenOffsets, position: int) -> tuple[int, int]:
    """Start and end of one token, in code points of its text."""
    mark = int(np.searchsorted(offsets.mark_positions, np.uint32(position), "right")) - 1
    mark_position = int(offsets.mark_positions[mark])
    start = int(offsets.mark_starts[mark]) + int(offsets.steps[mark_position + 1 : position + 1].sum(dtype=np.int64))
    length = int(offsets.lengths[position])
    return start, start + (length if length < ESCAPE else int(offsets.mark_lengths[mark]))


def decode(offsets: TokenOffsets, first: int, last: int) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Starts and ends of the tokens at positions ``first`` to ``last``, half open; each of shape [last - first]."""
    if first >= last:
        return np.empty(0, np.uint32), np.empty(0, np.uint32)
    low = int(np.searchsorted(offsets.mark_positions, np.uint32(first), "right")) - 1
    high = int(np.searchsorted(offsets.mark_positions, np.uint32(last - 1), "right"))
    begin = int(offsets.mark_positions[low])
    marks = offsets.mark_positions[low:high].astype(np.int64) - begin
    starts = np.cumsum(offsets.steps[begin:last], dtype=np.int64)
    corrections = offsets.mark_starts[low:high] - starts[marks]
    starts += np.repeat(corrections, np.diff(marks, append=last - begin))
    lengths = offsets.lengths[begin:last].astype(np.int64)
    lengths[marks] = offsets.mark_lengths[low:high]
    offset = first - begin
    return starts[offset:].astype(np.uint32), (starts + lengths)[offset:].astype(np.uint32)


def are_in_texts(
    starts: NDArray[np.uint32], ends: NDArray[np.uint32], bounds: NDArray[np.int64], sizes: NDArray[np.int64]
) -> bool:
    """Whether no token ends before it starts or behind its text, or starts before the one before it in its document.

    Args:
        bounds: where the tokens of each document begin, from 0 to T. Shape [D + 1].
        sizes: bytes of each text, which are as many as code points or more. Shape [D].
    """
    full = np.flatnonzero(np.diff(bounds))
    if (ends < starts).any() or (len(full) and (np.maximum.reduceat(ends, bounds[full]) > sizes[full]).any()):
        return False
    falls = np.flatnonzero(starts[1:] < starts[:-1]) + 1
    return bool((bounds[np.minimum(np.searchsorted(bounds, falls), len(bounds) - 1)] == falls).all())
