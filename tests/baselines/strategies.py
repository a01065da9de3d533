"""Texts, queries, thresholds and weightings on which the searches without an index are compared."""

import numpy as np
from hypothesis import strategies as st

from ibidem.weights import DocumentFrequencies, Weighting

FREQUENCIES = DocumentFrequencies([0, 1, 2, 3], [1, 2, 3, 4], num_documents=4)


WEIGHTINGS = [
    Weighting.of("set"),
    Weighting.of("multiset"),
    Weighting("squared", "smooth", FREQUENCIES),
    Weighting("logarithmic", "standard", FREQUENCIES),
]


texts = st.lists(st.integers(0, 5), max_size=16).map(lambda tokens: np.array(tokens, np.uint32))


queries = st.lists(st.integers(0, 4), min_size=1, max_size=8).map(lambda tokens: np.array(tokens, np.uint32))


thresholds = st.sampled_from([0.1, 0.3, 0.5, 2 / 3, 0.8, 1.0])
