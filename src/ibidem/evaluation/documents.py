"""Scores of whole documents: pairs that are near-duplicates, and clusters of them."""

from collections.abc import Hashable, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from ibidem.evaluation.positions import Scores, ratio

_Pair = tuple[Hashable, Hashable]


def document_pair_scores(reported: Iterable[_Pair], truth: Iterable[_Pair]) -> Scores:
    """Scores of reported pairs of documents: each counts once in whatever order, one of a document with itself never.

    >>> document_pair_scores([("a", "b"), ("b", "a"), ("a", "c")], [("a", "b"), ("b", "c"), ("c", "d")]).precision
    0.5
    """
    result, truth_pairs = ({frozenset(pair) for pair in pairs if pair[0] != pair[1]} for pairs in (reported, truth))
    right = len(result & truth_pairs)
    return Scores(ratio(right, len(result), len(truth_pairs)), ratio(right, len(truth_pairs), len(result)))


def adjusted_rand_index(a: Sequence[Hashable], b: Sequence[Hashable]) -> float:
    """The agreement of two clusterings of the same documents beyond chance: 1 if complete, around 0 if by chance.

    ``a`` and ``b`` are the labels of each document's cluster, of any kind. The index is that of Hubert and Arabie,
    "Comparing Partitions" (Journal of Classification, 1985): of all pairs of documents, those that are together in
    both, less what chance would give.

    Raises:
        ValueError: ``a`` and ``b`` differ in their length.

    >>> round(adjusted_rand_index("xxxyyy", [1, 1, 2, 2, 3, 3]), 3)
    0.242
    """
    if len(a) != len(b):
        raise ValueError(f"the one clustering has {len(a)} documents, the other {len(b)}")
    labels = [_number_labels(clustering) for clustering in (a, b)]
    cells = labels[0] * (int(labels[1].max(initial=0)) + 1) + labels[1]
    together = _count_pairs_within(np.unique(cells, return_counts=True)[1])
    in_a, in_b = (_count_pairs_within(np.bincount(clustering)) for clustering in labels)
    pairs = len(a) * (len(a) - 1) / 2
    by_chance = in_a * in_b / pairs if pairs else 0.0
    most = (in_a + in_b) / 2
    return (together - by_chance) / (most - by_chance) if most != by_chance else 1.0


def _number_labels(labels: Sequence[Hashable]) -> npt.NDArray[np.int64]:
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(label, len(numbers)) for label in labels], np.int64)


def _count_pairs_within(sizes: npt.NDArray[np.int64]) -> float:
    return float((sizes * (sizes - 1) // 2).sum())
