"""Aligning many pairs of texts: the work of ``align`` in threads, the results in the order of the pairs."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ibidem.alignment.align import align
from ibidem.parallel import in_threads
from ibidem.results import Alignments

__all__ = ["align_pairs"]


def align_pairs(
    texts: Mapping[str, str], pairs: Iterable[tuple[str, str]], *, threads: int | None = None, **settings: Any
) -> Iterator[Alignments]:
    """Align each of ``pairs`` as ``align`` does, in their order.

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
