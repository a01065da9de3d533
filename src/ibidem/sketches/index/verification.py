"""Which of the passages that sketches estimate to be similar are so: exact similarities, start by start."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ibidem.rounding import reaches
from ibidem.weights import Weighting

_Ints = npt.NDArray[np.int64]
_Tokens = npt.NDArray[np.uint32]


def verify_alignments(
    tokens: _Tokens, alignments: _Ints, query: _Tokens, weighting: Weighting, threshold: float
) -> _Ints:
    """The passages of compact ``alignments`` [N, 4] whose exact similarity to ``query`` reaches ``threshold``.

    Each row of the result, int64 [M, 4], has one start, and a run of ends that qualify.
    """

    def are_similar(start: int, first_end: int, last_end: int) -> npt.NDArray[np.bool_]:
        similarities = compute_similarities(tokens[start : last_end + 1], query, weighting)
        return reaches(similarities[first_end - start :], threshold)

    rows = [
        (start, start, first, last)
        for low, high, first_end, last_end in alignments.tolist()
        for start in range(low, high + 1)
        for first, last in _find_runs(are_similar(start, first_end, last_end), first_end)
    ]
    return np.array(rows, np.int64).reshape(-1, 4)


def compute_similarities(text: _Tokens, query: _Tokens, weighting: Weighting) -> npt.NDArray[np.float64]:
    """The similarity to ``query`` of the first token of ``text`` [n], of the first two, and so on, float64 [n].

    ``Σ min(w_A, w_B) / Σ max(w_A, w_B)``, of which each token changes one summand.
    """
    vocabulary, places = np.unique(np.concatenate((query, text)), return_inverse=True)
    in_query, in_text = np.bincount(places[: len(query)], minlength=len(vocabulary)), places[len(query) :]
    table = weighting.tf_table(max(int(in_query.max(initial=1)), len(text)))
    idf = weighting.idf_of(vocabulary)
    occurrences = _count_occurrences(in_text)
    after, before = table[occurrences] * idf[in_text], table[occurrences - 1] * idf[in_text]
    held = (table[in_query] * idf)[in_text]
    overlap = np.cumsum(np.minimum(after, held) - np.minimum(before, held))
    union = float((table[in_query] * idf).sum()) + np.cumsum(after - before) - overlap
    similarities: npt.NDArray[np.float64] = np.divide(overlap, union, out=np.zeros(len(text)), where=union > 0)
    return similarities


def keep_maximal(alignments: _Ints) -> _Ints:
    """The longest passage of each row that lies in no other passage of the rows [N, 4], as rows of one passage."""
    passages = alignments[:, [0, 3]]
    passages = passages[np.lexsort((-passages[:, 1], passages[:, 0]))]
    furthest = np.maximum.accumulate(passages[:, 1])
    is_behind = np.append(True, passages[1:, 1] > furthest[:-1])[: len(passages)]
    return np.repeat(passages[is_behind], 2, axis=1)


def _count_occurrences(values: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """How often each of ``values`` [n] occurs up to itself, from 1 on."""
    order = np.argsort(values, kind="stable")
    in_order = values[order]
    begins = np.flatnonzero(np.append(True, in_order[1:] != in_order[:-1])[: len(values)])
    counts = np.empty(len(values), np.intp)
    counts[order] = np.arange(len(values)) - np.repeat(begins, np.diff(begins, append=len(values))) + 1
    return counts


def _find_runs(qualifies: npt.NDArray[np.bool_], first: int) -> Iterator[tuple[int, int]]:
    """The first and the last place of each run of true values; the first value is at the place ``first``."""
    changes = np.flatnonzero(np.diff(np.concatenate(([False], qualifies, [False]))))
    for low, high in changes.reshape(-1, 2).tolist():
        yield first + low, first + high - 1
