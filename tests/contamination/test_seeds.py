import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.contamination.bigrams import BigramTable, hash_bigrams
from ibidem.contamination.seeds import BigramPostings, find_candidates
from ibidem.ragged import bounds_of


def make_seeds(parts: list[list[int]]) -> tuple[BigramTable, BigramPostings]:
    """All bigrams of the parts as seeds of one weight, of which half must be there."""
    ids, bounds = np.array([t for part in parts for t in part], np.uint32), bounds_of([len(part) for part in parts])
    bigrams = hash_bigrams(ids, bounds)
    distinct = np.unique(bigrams[bigrams != 0])
    rows = sorted(
        (int(np.searchsorted(distinct, bigrams[bounds[part] + at])), part, at)
        for part in range(len(parts))
        for at in range(1, len(parts[part]))
    )
    numbers = [row[0] for row in rows]
    sizes = np.array([len(part) - 1 for part in parts])
    return BigramTable.of(distinct), BigramPostings(
        bounds_of(np.bincount(np.array(numbers, np.int64), minlength=len(distinct))),
        np.array([row[1] for row in rows], np.int32),
        np.array([row[2] for row in rows], np.int32),
        np.ones(len(rows), np.float32),
        np.maximum(sizes * 0.5, 0.5).astype(np.float32),
        np.array([len(part) + 2 for part in parts], np.int64),
    )


def plain_candidates(texts: list[list[int]], parts: list[list[int]]) -> list[tuple[int, int]]:
    """The documents and parts that have enough seeds in a stretch: the definition."""
    found = []
    for document, text in enumerate(texts):
        for number, part in enumerate(parts):
            hits = [
                (j, at)
                for j in range(1, len(text))
                for at in range(1, len(part))
                if text[j - 1 : j + 1] == part[at - 1 : at + 1]
            ]
            width, needed = len(part) + 2, max((len(part) - 1) * 0.5, 0.5)
            best = max((len({at for j, at in hits if 0 <= j - first < width}) for first, _ in hits), default=0)
            if best >= needed:
                found.append((document, number))
    return found


TOKENS = st.lists(st.integers(1, 5), min_size=2, max_size=9)


@given(
    st.lists(TOKENS, min_size=1, max_size=4),
    st.lists(st.lists(st.integers(1, 5), min_size=2, max_size=30), min_size=1, max_size=4),
)
def test_candidates_are_the_documents_with_enough_seeds_in_a_stretch(
    parts: list[list[int]], texts: list[list[int]]
) -> None:
    table, seeds = make_seeds(parts)
    ids, bounds = np.array([t for text in texts for t in text], np.uint32), bounds_of([len(text) for text in texts])
    candidates, weights = find_candidates(ids, bounds, table, seeds)
    assert [(document, part) for document, part, _, _ in candidates.tolist()] == plain_candidates(texts, parts)
    for document, part, first, last in candidates.tolist():
        assert bounds[document] < first <= last < bounds[document + 1]
        assert last - first < seeds.widths[part]
    assert (weights >= seeds.least_weights[candidates[:, 1]] * 0.999).all()


def test_candidates_of_a_second_batch_owe_nothing_to_the_first() -> None:
    table, seeds = make_seeds([[1, 2, 3, 4]])
    text, bounds = np.array([9, 1, 2, 3, 4, 9], np.uint32), np.array([0, 6], np.int64)
    assert find_candidates(text, bounds, table, seeds)[0].tolist() == [[0, 0, 2, 4]] * 1
    assert find_candidates(text, bounds, table, seeds)[0].tolist() == [[0, 0, 2, 4]] * 1
