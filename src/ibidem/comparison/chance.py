"""When words that two texts share are no chance.

The evidence of a token is ``-ln p``, with ``p`` its share of the running tokens. Two stretches of ``n`` and ``m``
tokens share a run of tokens by chance at about ``n * m * exp(-evidence)`` places; a run is evident if that is small.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ibidem.weights import DocumentFrequencies

_UNSEEN = 300
"""Running tokens added to those that were counted: in a few words, even a rare one has a large share."""


def token_evidence(vocabulary: NDArray[np.uint32], frequencies: DocumentFrequencies) -> NDArray[np.float64]:
    """Evidence float64 [V] of each token in nats; ``frequencies`` count running tokens, at least one of each here."""
    counts = np.maximum(frequencies.lookup(vocabulary), 1)
    return np.log((frequencies.num_documents + _UNSEEN) / counts.astype(np.float64))


def is_evident(
    evidence: ArrayLike, a_length: ArrayLike, b_length: ArrayLike, expected: float = 1.0
) -> NDArray[np.bool_]:
    """Whether fewer than ``expected`` runs of this evidence occur by chance in stretches of so many tokens."""
    places = np.maximum(np.asarray(a_length, np.float64) * np.asarray(b_length, np.float64), 1.0)
    return np.asarray(np.asarray(evidence) > np.log(places) - math.log(expected))
