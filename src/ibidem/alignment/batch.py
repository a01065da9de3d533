"""Aligning many pairs of texts: the work of ``align`` in threads, the results in the order of the pairs."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from ibidem.alignment.align import align
from ibidem.parallel import in_order
from ibidem.results import Alignments

__all__ = ["align_pairs", "in_threads"]

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

_AHEAD = 64
"""Items for each thread that are done, or wait to be taken, before the first of them is."""


def align_pairs(
    texts: Mapping[str, str], pairs: Iterable[tuple[str, str]], *, threads: int | None = None, **settings: Any
) -> Iterator[Alignments]:
    """What ``align`` gives for each of ``pairs``, in their order.

    Args:
        texts: the texts by their ids.
        pairs: two ids each.
        threads: as many as the machine has cores if not given.
        settings: those of :func:`ibidem.align`.

    Raises:
        KeyError: an id has no text.

    >>> texts = {"x": "all the world is a stage", "y": "All the world is a stage!", "z": "and so on"}
    >>> [len(found) for found in align_pairs(texts, [("x", "y"), ("x", "z")], min_length=4)]
    [1, 0]
    """

    def align_pair(pair: tuple[str, str]) -> Alignments:
        return align(texts[pair[0]], texts[pair[1]], **settings)

    return in_threads(align_pair, pairs, threads)


def in_threads(
    work: Callable[[_Item], _Result], items: Iterable[_Item], threads: int | None = None
) -> Iterator[_Result]:
    """Results of ``work`` on ``items``, in their order, in as many threads as the machine has cores if not given."""
    workers = threads or os.cpu_count() or 1
    with ThreadPoolExecutor(workers) as pool:
        yield from in_order(pool, work, items, workers * _AHEAD)
