"""Quotations that two texts share, beside their similar passages (:mod:`ibidem.evidence.quotations`)."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.evidence.null_model import NullModel, learn_null_model
from ibidem.evidence.quotations import QuotationRule, find_quotations, find_usual
from ibidem.evidence.runs import NO_RUNS, Runs, select_disjoint
from ibidem.evidence.seeds import Documents
from ibidem.hashing import GOLDEN, mix64
from ibidem.kernels import inlined, kernel
from ibidem.text.token_stream import number_tokens

_Ints = npt.NDArray[np.int64]
_Tokens = npt.NDArray[np.uint32]

_SIDES = np.array([0, 1], np.int32)

_COMPARISONS = 8
"""How many comparisons of runs a token may cost, before it is known whether two texts share a new one."""

_SURER = 0.1
"""What chance may give of quotations, for each similar passage that it may give: there are as many besides these."""


class Quoting(NamedTuple):
    """What is a quotation in two texts.

    Attributes:
        rule: how long it is, and how many chance may give.
        model: what texts like these share by chance; if not given, it is learnt from the two.
    """

    rule: QuotationRule
    model: NullModel | None = None

    @classmethod
    def of_texts(cls, expect: float, min_length: int | None, model: NullModel | None) -> "Quoting":
        """What it is in any two texts, of whose similar passages chance may give ``expect``."""
        return cls(QuotationRule(_SURER * expect, min_length), model)

    @classmethod
    def of_known(cls, expect: float, min_length: int | None, model: NullModel, share: float) -> "Quoting":
        """What it is in a text and one of known documents, if chance may give ``expect`` passages in all of these.

        ``share`` is the part of the tokens of all documents that this one has.
        """
        return cls(QuotationRule(_SURER * expect * share, min_length, known=True), model)


def find_new_quotations(a: _Tokens, b: _Tokens, taken: _Ints, quoting: Quoting) -> tuple[_Ints, list[float]]:
    """The quotations of two texts that overlap no pair of passages ``taken`` [R, 4] in both, as rows like these.

    Also how many like each of them chance gives. Quotations as long as windows are similar passages, which are found
    without this.
    """
    lengths, rule = np.array([len(a), len(b)]), quoting.rule
    is_short = rule.select_short(lengths)
    if not lengths.all() or not is_short.any():
        return NO_RUNS.ranges, []
    if not has_new_run(a, b, taken, rule.choose_seed(find_usual(lengths[is_short]))):
        return NO_RUNS.ranges, []
    tokens, bounds = np.concatenate([a, b]), np.array([0, len(a), len(a) + len(b)])
    model = quoting.model or learn_null_model(tokens, bounds, _SIDES)
    ids, names = number_tokens(tokens)
    model = model._replace(background=model.background.renumber(names))
    runs, evidence = find_quotations(Documents.of(ids, bounds, _SIDES), model, rule, len(ids) ** 2)
    others = Runs(np.tile([0, 1], (len(taken), 1)), taken, np.full(len(taken), np.inf))
    is_new = select_disjoint(runs, others)
    return runs.ranges[is_new], (lengths.prod() * np.exp(-evidence[is_new])).tolist()


@kernel
def has_new_run(a: _Tokens, b: _Tokens, taken: _Ints, size: int) -> bool:
    """Whether two texts have the same ``size`` tokens in a row that overlap no pair of ``taken`` int64 [R, 4] in both.

    Most that are compared do not, and nothing need be learnt from them. It is also true if a few comparisons for each
    token do not tell, as when the texts repeat themselves.

    >>> a, b = np.array([1, 2, 3, 4], np.uint32), np.array([9, 2, 3, 5], np.uint32)
    >>> has_new_run(a, b, np.empty((0, 4), np.int64), 2), has_new_run(a, b, np.array([[2, 4, 1, 2]]), 2)
    (True, False)
    """
    runs_of_a, runs_of_b = _hash_runs(a, size), _hash_runs(b, size)
    bits = 1
    while 1 << bits < 2 * runs_of_a.shape[0]:
        bits += 1
    shift = np.uint64(64 - bits)
    latest, earlier = np.full(1 << bits, -1, np.int32), np.empty(runs_of_a.shape[0], np.int32)
    for i in range(runs_of_a.shape[0]):
        slot = np.int64(runs_of_a[i] >> shift)
        earlier[i], latest[slot] = latest[slot], i
    comparisons = _COMPARISONS * (a.shape[0] + b.shape[0])
    for j in range(runs_of_b.shape[0]):
        i = latest[np.int64(runs_of_b[j] >> shift)]
        while i >= 0:
            comparisons -= 1
            if comparisons < 0 or (runs_of_a[i] == runs_of_b[j] and not _is_taken(i, j, taken, size)):
                return True
            i = earlier[i]
    return False


@inlined
def _hash_runs(tokens: _Tokens, size: int) -> npt.NDArray[np.uint64]:
    """A hash of the ``size`` tokens from each one on, uint64 [n - size + 1]."""
    hashes = np.empty(max(tokens.shape[0] - size + 1, 0), np.uint64)
    state, leaving = np.uint64(0), np.uint64(1)
    for _ in range(size):
        leaving *= GOLDEN
    for end in range(tokens.shape[0]):
        state = state * GOLDEN + np.uint64(tokens[end])
        if end >= size:
            state -= leaving * np.uint64(tokens[end - size])
        if end >= size - 1:
            hashes[end - size + 1] = mix64(state)
    return hashes


@inlined
def _is_taken(i: int, j: int, taken: _Ints, size: int) -> bool:
    """Whether the runs from ``i`` and ``j`` on overlap one of the pairs ``taken`` in both texts."""
    for row in range(taken.shape[0]):
        if taken[row, 0] < i + size and i < taken[row, 1] and taken[row, 2] < j + size and j < taken[row, 3]:
            return True
    return False
