"""Documents of numbers as the join takes them, and every pair of similar windows by a look at all."""

from itertools import combinations

import numpy as np
from hypothesis import strategies as st

from ibidem.reuse.collection import Comparable

VOCABULARY = np.arange(10, dtype=np.uint32)


texts = st.lists(st.lists(st.integers(0, 9), max_size=16), min_size=2, max_size=4)


weights = st.lists(st.sampled_from([0.0, 0.25, 1.0, 3.0]), min_size=10, max_size=10)


thresholds = st.sampled_from([0.2, 0.5, 0.8, 1.0])


def make_comparable(
    documents: list[list[int]], given_weights: list[float], window: int, **options: object
) -> Comparable:
    tokens = np.array([token for document in documents for token in document], np.int32)
    bounds = np.cumsum([0, *map(len, documents)])
    everyone = np.full(len(documents), -1, np.int32)
    comparable = Comparable.weigh(tokens, bounds, np.array(given_weights), window, everyone, False)
    return comparable._replace(**options)  # type: ignore[arg-type]


def similar_windows(made: Comparable, least: float) -> set[tuple[int, int, int, int]]:
    """Every pair of similar windows that are compared, as boxes of tokens, by looking at all of them."""
    windows = []
    for document, (begin, end) in enumerate(zip(made.bounds, made.bounds[1:], strict=False)):
        size = min(made.window, end - begin)
        windows += [(document, start, start + size) for start in range(begin, end - size + 1) if size]
    pairs = set()
    for (d, a, a_end), (e, b, b_end) in combinations(windows, 2):
        if d == e and not (made.within and a_end <= b):
            continue
        if d != e and made.side[d] >= 0 and made.side[d] == made.side[e]:
            continue
        tokens_a, tokens_b = set(made.tokens[a:a_end].tolist()), set(made.tokens[b:b_end].tolist())
        shared, either = made.idf[list(tokens_a & tokens_b)].sum(), made.idf[list(tokens_a | tokens_b)].sum()
        if either > 0 and shared >= least * either - 1e-9:
            pairs.add((int(a), int(a_end), int(b), int(b_end)))
    return pairs


def covers(box: list[int], windows: tuple[int, int, int, int]) -> bool:
    return box[0] <= windows[0] and windows[1] <= box[1] and box[2] <= windows[2] and windows[3] <= box[3]
