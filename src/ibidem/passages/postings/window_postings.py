"""The postings of a segment: the compact windows of every document under every function.

A posting is a window: the position of its first start ``a`` in the segment's token stream, and the widths ``b - a``,
``c - b`` and ``d - c``. Postings are made for a group of functions at a time, as large as the memory budget allows.
They are ordered by function first, so groups follow each other on disk and nothing has to be merged.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ibidem.parallel import in_order
from ibidem.passages.postings.posting_lists import build_lists, join_lists
from ibidem.store.postings.lists import Lists, PackedLists
from ibidem.store.postings.packing import pack_lists
from ibidem.store.segment_writer import SegmentWriter
from ibidem.text.token_stream import TokenStream, prepare_tokens
from ibidem.windows.windows import Windows

__all__ = ["Partitioner", "write_postings"]

BLOCK_TOKENS = 1 << 18
"""Tokens of a block of documents. A longer document is a block of its own."""

AHEAD = 64
"""Blocks that may be in work at a time. Their results are kept anyway."""

FUNCTIONS_AHEAD = 3
"""Functions whose lists are joined and packed while one is written."""

MOST_TASKS = 8
"""Tasks into which a long document is divided. Each prepares its tokens again."""

PREPARED_BYTES = 20
"""Memory that a token takes while the windows of its block are made, under one function after another."""

_MARGIN = 1.1
"""Postings of a function may be this much more than the sample tells."""

Block = tuple[int, int]
"""The first document of a block, and the one after its last."""


class Partitioner(Protocol):
    """Makes compact windows: a scheme that keeps sketches.

    Attributes:
        functions: k, the number of posting lists that a query has.
        sampled: functions whose windows tell how many the others have.
    """

    functions: int
    sampled: int

    def windows(self, stream: TokenStream, functions: range) -> Iterable[Windows]:
        """The windows of a block of texts under some of the functions."""


def write_postings(
    segment: SegmentWriter,
    scheme: Partitioner,
    max_length: int,
    memory: int,
    pool: ThreadPoolExecutor,
    progress: Callable[[int], None],
) -> int:
    """Make and write the postings of a segment whose documents are written; returns how many there are.

    Args:
        max_length: tokens of the longest passage.
        memory: bytes that postings may take before they are written.
        pool: runs blocks of documents side by side; the result does not depend on its size. A block that is one long
            document is divided by functions.
        progress: told the number of tokens done, scaled to one pass over the segment.
    """
    tokens, bounds = segment.tokens()
    blocks = list(_divide_documents(bounds))
    sizes = [int(bounds[end] - bounds[first]) for first, end in blocks]
    most_tasks, memory = _share_memory(max(sizes, default=0), memory)
    done = written = 0
    while done < scheme.functions:
        size = _choose_group_size(tokens, bounds, blocks, scheme, max_length, memory)
        left = scheme.functions - done
        groups = -(-left // size)  # of as many functions each: what is done once for a group then weighs least
        group = range(done, done - (-left // groups))
        functions: list[list[Lists]] = [[] for _ in group]
        tasks = [
            (block, part)
            for block, size in zip(blocks, sizes, strict=True)
            for part in _divide_functions(group, size, most_tasks)
        ]
        work = partial(_make_task_postings, tokens, bounds, scheme, max_length)
        for (block, part), made in zip(tasks, in_order(pool, work, tasks, AHEAD), strict=True):
            for function, lists in zip(part, made, strict=True):
                functions[function - done].append(lists)
            progress(int(bounds[block[1]] - bounds[block[0]]) * len(made) // scheme.functions)
        for packed in in_order(pool, _pack, functions, FUNCTIONS_AHEAD):
            segment.append_lists(packed)
            written += int(packed.postings.rows[-1])
        done += len(group)
    return written


def _share_memory(largest: int, memory: int) -> tuple[int, int]:
    """Tasks into which a block of the ``largest`` number of tokens may be divided, and memory left for postings.

    Blocks of the usual size take little, and are not counted.
    """
    prepared = PREPARED_BYTES * max(0, largest - BLOCK_TOKENS)
    tasks = min(MOST_TASKS, max(1, memory // (4 * max(prepared, 1))))
    return tasks, max(memory // 4, memory - prepared * min(tasks, 2))


def _divide_functions(functions: range, size: int, most: int) -> Iterator[range]:
    """Divide the functions of a block of ``size`` tokens into tasks, ``most`` at most: the more, the larger it is."""
    tasks = min(len(functions), most, max(1, size // BLOCK_TOKENS))
    cuts = [len(functions) * task // tasks for task in range(tasks + 1)]
    return (functions[low:high] for low, high in pairwise(cuts))


def _divide_documents(bounds: npt.NDArray[np.int64]) -> Iterator[Block]:
    """Ranges of documents that hold about ``BLOCK_TOKENS`` tokens each."""
    first = 0
    while first < len(bounds) - 1:
        end = int(np.searchsorted(bounds, bounds[first] + BLOCK_TOKENS, side="right")) - 1
        end = max(end, first + 1)
        yield first, end
        first = end


def _choose_group_size(
    tokens: npt.NDArray[np.uint32],
    bounds: npt.NDArray[np.int64],
    blocks: list[Block],
    scheme: Partitioner,
    max_length: int,
    memory: int,
) -> int:
    """The number of functions whose postings fit the memory, by the windows of some functions in one block.

    While a function is joined it is in memory twice, and what was packed waits to be written, less than once.
    """
    if not len(tokens):
        return scheme.functions
    block = blocks[len(blocks) // 2]
    sampled = _make_block_postings(tokens, bounds, scheme, max_length, range(scheme.sampled), block)
    sample = sum(column.nbytes for lists in sampled for column in lists) / scheme.sampled
    share = (bounds[block[1]] - bounds[block[0]]) / len(tokens)
    each = max(sample, 1) / max(share, 1e-9) * _MARGIN
    room = memory / each - 1
    size = room - FUNCTIONS_AHEAD if room > 2 * FUNCTIONS_AHEAD else room / 2
    return max(1, min(scheme.functions, int(size)))


def _make_task_postings(
    tokens: npt.NDArray[np.uint32],
    bounds: npt.NDArray[np.int64],
    scheme: Partitioner,
    max_length: int,
    task: tuple[Block, range],
) -> list[Lists]:
    """The postings of a block for a part of the functions."""
    return _make_block_postings(tokens, bounds, scheme, max_length, task[1], task[0])


def _make_block_postings(
    tokens: npt.NDArray[np.uint32],
    bounds: npt.NDArray[np.int64],
    scheme: Partitioner,
    max_length: int,
    functions: range,
    block: Block,
) -> list[Lists]:
    """The postings of the documents ``block`` for each of some functions."""
    first, end = int(bounds[block[0]]), int(bounds[block[1]])
    stream = prepare_tokens(tokens[first:end], bounds[block[0] : block[1] + 1] - first, max_length)
    return [build_lists(windows, first) for windows in scheme.windows(stream, functions)]


def _pack(parts: list[Lists]) -> PackedLists:
    """Join and pack the parts of one function's postings, one part for each block of documents; none is left."""
    return pack_lists(join_lists(parts))
