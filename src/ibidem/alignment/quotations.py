"""Quotations that two texts share, beside their similar passages (:mod:`ibidem.evidence.quotations`)."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.evidence.null_model import NullModel, learn_null_model
from ibidem.evidence.quotations import QuotationRule, find_quotations, find_usual
from ibidem.evidence.runs import NO_RUNS, Runs, select_disjoint
from ibidem.evidence.seeds import Documents
from ibidem.hashing import GOLDEN
from ibidem.text.token_stream import number_tokens

_Ints = npt.NDArray[np.int64]
_Tokens = npt.NDArray[np.uint32]

_SIDES = np.array([0, 1], np.int32)

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
    if not lengths.all() or not is_short.any() or not share_run(a, b, rule.choose_seed(find_usual(lengths[is_short]))):
        return NO_RUNS.ranges, []
    tokens, bounds = np.concatenate([a, b]), np.array([0, len(a), len(a) + len(b)])
    model = quoting.model or learn_null_model(tokens, bounds, _SIDES)
    ids, names = number_tokens(tokens)
    model = model._replace(background=model.background.renumber(names))
    runs, evidence = find_quotations(Documents.of(ids, bounds, _SIDES), model, rule, len(ids) ** 2)
    others = Runs(np.tile([0, 1], (len(taken), 1)), taken, np.full(len(taken), np.inf))
    is_new = select_disjoint(runs, others)
    return runs.ranges[is_new], (lengths.prod() * np.exp(-evidence[is_new])).tolist()


def share_run(a: _Tokens, b: _Tokens, size: int) -> bool:
    """Whether two texts have the same ``size`` tokens in a row, but for chance in their hashes.

    Most that are compared do not, and nothing need be learnt from them.

    >>> share_run(np.array([1, 2, 3, 4], np.uint32), np.array([9, 2, 3, 5], np.uint32), 2)
    True
    """
    return bool(np.isin(_hash_runs(a, size), _hash_runs(b, size)).any())


def _hash_runs(tokens: _Tokens, size: int) -> npt.NDArray[np.uint64]:
    """A hash of the ``size`` tokens from each one on, uint64 [n - size + 1]."""
    hashes = np.zeros(max(len(tokens) - size + 1, 0), np.uint64)
    for place in range(size):
        hashes = hashes * GOLDEN + tokens[place : place + len(hashes)]
    return hashes
