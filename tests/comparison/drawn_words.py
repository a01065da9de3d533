"""Words drawn by Zipf's law, and how much evidence each of them is."""

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

Ids = npt.NDArray[np.int32]


WEIGHTS = 1 / np.arange(1, 1001)
SHARES = WEIGHTS / WEIGHTS.sum()
EVIDENCE = -np.log(SHARES)
"""Of a thousand words with the frequencies of Zipf's law."""


def draw(seed: int, length: int) -> Ids:
    return np.random.default_rng(seed).choice(1000, length, p=SHARES).astype(np.int32)


def ids(most: int) -> st.SearchStrategy[Ids]:
    return st.lists(st.integers(0, 9), max_size=most).map(lambda values: np.array(values, np.int32))
