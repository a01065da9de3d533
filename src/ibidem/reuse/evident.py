"""Places of two documents that share more than expected by chance: there, weak similarity of windows counts, too.

A passage that was written anew is not equally similar everywhere, so ``align`` starts from windows that are less
similar than the passage must be. Common words make many windows as similar by chance. As in the alignment of a document
with an index (:mod:`ibidem.alignment.sources.retrieval`), the tokens that two places of ``PLACE`` tokens share must be
evidence that chance yields once in a document: ``ln(N)`` nats among ``N`` pairs of a place of the document and one of
the collection. Of two documents, the shorter one counts. The alignment that follows asks for ten times as much.
"""

import math

import numpy as np

from ibidem.alignment.overlap_evidence import weigh_presence
from ibidem.alignment.selection import SIMILAR
from ibidem.reuse.collection import Collection, Comparable
from ibidem.reuse.places import PLACE
from ibidem.reuse.windows import WindowJoin

_ENOUGH = 1 << 16
"""Tokens. Fewer do not show how common a word is: in a smaller collection it counts as rare as in this many."""

_UNITS = 1 << 12
"""Parts of a nat: in whole numbers, sums do not depend on their order."""


def require_evidence(comparable: Comparable, collection: Collection, join: WindowJoin) -> Comparable:
    """The collection as the join reads it, with the evidence of its tokens; the exact join asks for none."""
    if join.recall >= 1:
        return comparable
    total = max(collection.rarity.frequencies.num_documents, 1)
    one_in = np.maximum(np.expm1(collection.idf * collection.rarity.mean - 1), 1.0)  # a token is one of so many
    chances = -np.expm1(-total / one_in * (PLACE / max(total, _ENOUGH)))
    presence, absence = (np.rint(evidence * _UNITS).astype(np.int32) for evidence in weigh_presence(chances, SIMILAR))
    places = np.maximum(2 * np.diff(collection.bounds) / PLACE, 1.0)
    least_evidence = np.log(places) + math.log(max(2 * total / PLACE, 1.0))
    return comparable._replace(
        presence=presence, absence=absence, least_evidence=np.ceil(least_evidence * _UNITS).astype(np.int64)
    )
