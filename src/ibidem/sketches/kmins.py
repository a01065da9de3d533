"""The k-mins scheme: k independent functions, each keeps the smallest of a passage's hash values.

Two passages of similarity J collide under one function with probability J, independently of the others, so the number
of collisions over k functions is Binomial(k, J) (Broder 1997; for weights Ioffe, ICDM 2010); see
``ibidem.agreement.collisions``.
"""

import numpy as np
import numpy.typing as npt

from ibidem.sketches.families import Family

EMPTY = -1
"""In place of a key where a text has no element at all."""


def sketch(family: Family, tokens: npt.NDArray[np.uint32], seeds: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """The key of the min-hash of a text under each of k functions, int64 [k]; ``EMPTY`` where it has none.

    ``tokens`` uint32 [n] are the text's tokens in any order; ``seeds`` uint64 [k] name the functions.
    """
    vocabulary, counts = np.unique(tokens, return_counts=True)
    frequencies = counts.astype(np.int32)
    keys = np.full(len(seeds), EMPTY, np.int64)
    for function, seed in enumerate(seeds):
        values = family.active(vocabulary, frequencies, seed)
        if len(values.rank):
            keys[function] = values.key[np.argmin(values.rank)]
    return keys
