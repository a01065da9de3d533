"""The postings of a segment: the compact windows of every document under every function.

A posting is a window: the position of its first start ``a`` in the segment's token stream, and the widths ``b - a``,
``c - b`` and ``d - c``. Postings are made for a group of functions at a time, as large as the memory budget allows.
They are ordered by function first, so groups follow each other on disk and nothing has to be merged.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.parallel import in_order
from ibidem.resources import give_back_memory
from ibidem.sketches.index.posting_lists import BlockPostings, build_lists
from ibidem.sketches.index.schemes import Scheme
from ibidem.sketches.one_permutation import EMPTY_KEY
from ibidem.sketches.windows.scanline import UNBOUNDED
from ibidem.sketches.windows.windows import Windows
from ibidem.store.postings.lists import PackedLists
from ibidem.store.postings.packing import pack_lists
from ibidem.store.segments.writer import SegmentWriter
from ibidem.text.token_stream import prepare_tokens

BLOCK_TOKENS = 1 << 18
"""Tokens of a block: of several documents, or of a part of a longer one."""

AHEAD = 64
"""Blocks that may be in work at a time. Their results are kept anyway."""

FUNCTIONS_AHEAD = 3
"""Functions whose lists are joined and packed while one is written."""

# Postings of a function may be this much more than the sample says.
_MARGIN = 1.1


class DocumentBlock(NamedTuple):
    """Documents whose windows are made at a time, or a part of one document with as much as its last passages need.

    Attributes:
        bounds: int64 [D + 1], where the texts of the block begin in the segment, and where the last ends.
        end: windows of passages that start here or later are those of another block.
    """

    bounds: npt.NDArray[np.int64]
    end: int

    @property
    def num_tokens(self) -> int:
        """Tokens at which the passages of the block start."""
        return self.end - int(self.bounds[0])


def write_postings(
    segment: SegmentWriter,
    memory: int,
    pool: ThreadPoolExecutor,
    progress: Callable[[int], None],
    *,
    scheme: Scheme,
    max_length: int,
) -> int:
    """Make and write the postings of a segment whose documents are written; returns how many there are.

    Args:
        memory: bytes that postings may take before they are written.
        pool: runs blocks side by side; the result does not depend on its size.
        progress: called with the number of tokens done, scaled to one pass over the segment.
        max_length: tokens of the longest passage.
    """
    tokens, bounds = segment.tokens()
    blocks = list(_divide_tokens(bounds, max_length))
    first_function = postings_written = 0
    while first_function < scheme.functions:
        size = _choose_group_size(tokens, blocks, scheme, max_length, memory)
        functions_left = scheme.functions - first_function
        groups = -(
            -functions_left // size
        )  # of as many functions each: what is done once for a group then weighs least
        group = range(first_function, first_function - (-functions_left // groups))
        functions: list[list[BlockPostings]] = [[] for _ in group]
        work = partial(_make_block_postings, tokens, scheme, max_length, group)
        for block, block_postings in zip(blocks, in_order(pool, work, blocks, AHEAD), strict=True):
            for parts, postings in zip(functions, block_postings, strict=True):
                parts.append(postings)
            progress(block.num_tokens * len(block_postings) // scheme.functions)
        for function_lists in in_order(pool, _pack, functions, FUNCTIONS_AHEAD):
            segment.append_lists(function_lists)
            postings_written += int(function_lists.postings.rows[-1])
        first_function += len(group)
        if len(blocks) > 1:
            give_back_memory()
    return postings_written


def _divide_tokens(bounds: npt.NDArray[np.int64], max_length: int) -> Iterator[DocumentBlock]:
    """Blocks of about ``BLOCK_TOKENS`` tokens each: whole documents, or parts of one that is longer."""
    first = 0
    while first < len(bounds) - 1:
        end = int(np.searchsorted(bounds, bounds[first] + BLOCK_TOKENS, side="right")) - 1
        if end == first:
            yield from _divide_document(int(bounds[first]), int(bounds[first + 1]), max_length)
            end += 1
        else:
            yield DocumentBlock(bounds[first : end + 1], int(bounds[end]))
        first = end


def _divide_document(first: int, last: int, max_length: int) -> Iterator[DocumentBlock]:
    """Parts of a long document: the passages that start in one end ``max_length`` tokens behind it at the latest."""
    for begin in range(first, last, BLOCK_TOKENS):
        end = min(begin + BLOCK_TOKENS, last)
        yield DocumentBlock(np.array([begin, min(end + max_length - 1, last)], np.int64), end)


def _choose_group_size(
    tokens: npt.NDArray[np.uint32],
    blocks: list[DocumentBlock],
    scheme: Scheme,
    max_length: int,
    memory: int,
) -> int:
    """The number of functions whose postings fit the memory, by the windows of some functions in the largest block.

    Others may hold few tokens, or empty documents alone. While a function is sorted it is in memory three times, and
    what was packed waits to be written, less than once.
    """
    if not len(tokens):
        return scheme.functions
    block = max(blocks, key=lambda block: block.num_tokens)
    sample_postings = _make_block_postings(tokens, scheme, max_length, range(scheme.sample_functions), block)
    sample = sum(column.nbytes for postings in sample_postings for column in postings) / scheme.sample_functions
    share = block.num_tokens / len(tokens)
    bytes_per_function = max(sample, 1) / share * _MARGIN
    room = memory / bytes_per_function - 2
    size = room - FUNCTIONS_AHEAD if room > 2 * FUNCTIONS_AHEAD else room / 2
    return max(1, min(scheme.functions, int(size)))


def _make_block_postings(
    tokens: npt.NDArray[np.uint32], scheme: Scheme, max_length: int, functions: range, block: DocumentBlock
) -> list[BlockPostings]:
    """The postings of a block for each of some functions."""
    first, last = int(block.bounds[0]), int(block.bounds[-1])
    stream = prepare_tokens(tokens[first:last], block.bounds - first, max_length)
    windows_of_functions = scheme.windows(stream, functions)
    if block.end < last:
        windows_of_functions = (
            _keep_starts(windows, block.end - first, max_length) for windows in windows_of_functions
        )
    return [BlockPostings.of(windows, first) for windows in windows_of_functions]


def _keep_starts(windows: Windows, end: int, max_length: int) -> Windows:
    """The windows cut to the passages that start before ``end``; those that hold none are left out.

    As in other windows, the last end is that of the longest passage from the last start, and of an empty window the
    first end is the last start.
    """
    is_kept = windows.a < end
    keys, b, c = windows.keys[is_kept], windows.b[is_kept], windows.c[is_kept]
    lasts = np.minimum(b, np.int32(end - 1))
    c = np.where((keys == EMPTY_KEY) & (c == b), lasts, c)
    ends = np.minimum(windows.d[is_kept], lasts + np.int32(min(max_length, UNBOUNDED) - 1))
    return Windows(keys, windows.a[is_kept], lasts, c, ends)


def _pack(parts: list[BlockPostings]) -> PackedLists:
    """Sort and pack the postings of one function, one part for each block of documents; none is left."""
    return pack_lists(build_lists(parts))
