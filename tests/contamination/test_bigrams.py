from collections import Counter, defaultdict

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.contamination.bigrams import BigramCounts, BigramTable, count_bigrams, hash_bigrams, sort_distinct
from ibidem.ragged import bounds_of

TEXTS = st.lists(st.lists(st.integers(1, 4), max_size=12), min_size=1, max_size=5)


def arrays(texts: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([token for text in texts for token in text], np.uint32), bounds_of([len(text) for text in texts])


@given(TEXTS, TEXTS)
def test_bigrams_are_counted_as_a_dictionary_counts_them(evals: list[list[int]], texts: list[list[int]]) -> None:
    distinct = np.unique(hash_bigrams(*arrays(evals)))
    counts = BigramCounts(np.zeros(len(distinct), np.int64), np.zeros((2, len(distinct)), np.int64))
    count_bigrams(*arrays(texts), BigramTable.of(distinct), counts, np.zeros((2, len(distinct)), np.uint32))
    times: Counter[int] = Counter()
    around: dict[tuple[int, int], list[int]] = defaultdict(list)
    for text in texts:
        keys = hash_bigrams(*arrays([text])).tolist()
        for at in range(1, len(text)):
            times[keys[at]] += 1
            around[0, keys[at]].append(text[at - 2] if at > 1 else 0)
            around[1, keys[at]].append(text[at + 1] if at + 1 < len(text) else 0)
    for number, key in enumerate(distinct.tolist()):
        if key:
            assert counts.times[number] == times[key]
            for side in (0, 1):
                seen = around[side, key]
                changes = sum(at == 0 or seen[at - 1] != each for at, each in enumerate(seen))
                assert counts.contexts[side, number] == changes


def test_a_bigram_does_not_reach_from_one_text_into_the_next() -> None:
    assert hash_bigrams(*arrays([[1, 2], [3]]))[[0, 2]].tolist() == [0, 0]


@given(st.lists(st.integers(0, 9)))
def test_distinct_values_are_those_of_a_set(values: list[int]) -> None:
    assert sort_distinct(np.array(values, np.int64)).tolist() == sorted(set(values))
