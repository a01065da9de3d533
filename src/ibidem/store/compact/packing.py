"""Turning the columns of a segment that has been written into those of the compact layout."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.store.compact.blocks import compress_blocks
from ibidem.store.compact.offsets import encode_block, typical_lengths
from ibidem.store.compact.text import count_points
from ibidem.store.compact.tokens import choose_codes, encode_tokens
from ibidem.store.format import CODED_TOKENS, OFFSET_BLOCK, RARE_GROUP, TEXT_BLOCK

Append = Callable[[str, NDArray[Any]], None]
"""Appends values to the column of a name."""

View = Callable[[str], NDArray[Any]]
"""Gives the values of a column that were appended."""

# Tokens that are encoded at a time, a multiple of the sizes of groups and blocks.
_PIECE = 1 << 20


def pack_segment(columns: Mapping[str, NDArray[Any]], append: Append, view: View) -> None:
    """Write the columns that the compact layout has in place of ``PACKED_COLUMNS``.

    Args:
        columns: those of the plain layout, with the vocabulary, by their names; offsets may be missing.
        append, view: write the others, and read what was written.
    """
    text, tokens = columns["text"], columns["tokens"]
    _append_blocks("text", (text[first : first + TEXT_BLOCK] for first in range(0, len(text), TEXT_BLOCK)), append)
    _append_points(text, append)
    coded = choose_codes(columns["vocabulary"], columns["collection_frequencies"])
    append("code_tokens", coded)
    lengths = np.zeros(CODED_TOKENS + 1, np.uint8)
    rare = 0
    append("rare_groups", np.zeros(1, np.uint32))
    for first, codes, without in _encode_pieces(tokens, coded):
        append("token_codes", codes)
        append("rare_tokens", without)
        counts = np.add.reduceat(codes == CODED_TOKENS, np.arange(0, len(codes), RARE_GROUP), dtype=np.int64)
        append("rare_groups", (rare + np.cumsum(counts)).astype(np.uint32))
        rare += len(without)
        if "offset_lengths" in columns:
            lengths[codes] = columns["offset_lengths"][first : first + len(codes)]
    if "offset_lengths" in columns:
        append("code_lengths", lengths[: len(coded)])
        _append_blocks("offset", _encode_offsets(columns, view("token_codes"), lengths[: len(coded)]), append)


def _append_blocks(name: str, blocks: Iterable[NDArray[np.uint8]], append: Append) -> None:
    """Compress the blocks of texts or offsets."""
    end = 0
    append(f"{name}_blocks", np.zeros(1, np.int64))
    for packed, sizes in compress_blocks(blocks):
        append("compressed_text" if name == "text" else "compressed_offsets", packed)
        append(f"{name}_blocks", end + np.cumsum(sizes))
        end += len(packed)


def _append_points(text: NDArray[np.uint8], append: Append) -> None:
    counts = [count_points(text[first : first + TEXT_BLOCK]) for first in range(0, len(text), TEXT_BLOCK)]
    append("text_points", np.concatenate(([0], np.cumsum(counts, dtype=np.int64))))


def _encode_pieces(
    tokens: NDArray[np.uint32], coded: NDArray[np.uint32]
) -> Iterator[tuple[int, NDArray[np.uint16], NDArray[np.uint32]]]:
    """The first position of each piece of the stream, its codes, and the tokens in it that have none."""
    places = range(0, len(tokens), _PIECE)
    pieces = encode_tokens((tokens[first : first + _PIECE] for first in places), coded)
    for first, (codes, without) in zip(places, pieces, strict=True):
        yield first, codes, without


def _encode_offsets(
    columns: Mapping[str, NDArray[Any]], codes: NDArray[np.uint16], lengths: NDArray[np.uint8]
) -> Iterator[NDArray[np.uint8]]:
    """The blocks of offsets, not compressed."""
    typical = typical_lengths(lengths)
    for first in range(0, len(codes), OFFSET_BLOCK):
        span = slice(first, first + OFFSET_BLOCK)
        yield encode_block(columns["offset_steps"][span], columns["offset_lengths"][span], typical[codes[span]])
