"""The paper's notation for keys and windows, and the way from it to arrays.

A text ``T`` is any sequence of tokens, its positions count from 1. A hash function ``h`` is a dict from ``(t, x)`` to a
hash value; a pair that it does not hold stands for an element of weight zero, which no passage has.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ibidem.sketches.families import ActiveValues
from ibidem.sketches.windows.windows import Windows

__all__ = ["CompactWindow", "HashFunction", "Key", "Text", "dominates", "hash_function", "to_windows"]

Text: TypeAlias = Sequence[Hashable]
HashFunction: TypeAlias = Mapping[tuple[Any, int], int]


class Key(NamedTuple):
    """A passage ``[p, q]`` that starts and ends with a token ``t`` and holds it ``x`` times; ``v`` is h(t, x).

    Definition 6.
    """

    p: int
    q: int
    x: int
    v: int


class CompactWindow(NamedTuple):
    """All ``[i, j]`` with ``a <= i <= b`` and ``c <= j <= d``, whose min-hash is that of key ``s`` (Definition 2)."""

    s: Key
    a: int
    b: int
    c: int
    d: int


def dominates(s: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether key ``s`` = (p, q) lies inside another key's passage (Definition 9).

    >>> dominates((1, 1), (1, 3)), dominates((1, 1), (1, 1))
    (True, False)
    """
    return other[0] <= s[0] and s[1] <= other[1] and s != other


def hash_function(values: ActiveValues) -> dict[tuple[Hashable, int], int]:
    """The ranks of ``values`` as the paper's ``h``; tokens are the dense ids 0 to V-1."""
    ranks = values.rank.tolist()
    return {element: ranks[v] for element, v in _places(values).items()}


def to_windows(T: Sequence[int], values: ActiveValues, partition: Sequence[CompactWindow]) -> Windows:
    """``partition`` as arrays, with positions from 0 and the keys that ``values`` give to the hash values."""
    places = _places(values)
    keys = [values.key[places[T[w.s.q - 1], w.s.x]] for w in partition]
    corners = np.array([w[1:] for w in partition], dtype=np.int32).reshape(-1, 4) - 1
    return Windows(np.array(keys, dtype=np.uint32), *corners.T.copy())


def _places(values: ActiveValues) -> dict[tuple[Hashable, int], int]:
    """Where the hash value of ``(t, x)`` stands in ``values``."""
    tokens = np.repeat(np.arange(len(values.bounds) - 1), np.diff(values.bounds)).tolist()
    return {element: v for v, element in enumerate(zip(tokens, values.x.tolist(), strict=True))}
