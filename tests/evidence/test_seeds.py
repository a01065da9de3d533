"""Seeds are the shortest runs that are surprising enough, and those that occur once are hardly ever kept."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.evidence.background import Background, learn_background, weigh_behind
from ibidem.evidence.seeds import Documents, SeedRule, collect_seeds, count_seeds

VOCABULARY = 9

collections = st.lists(st.lists(st.integers(0, VOCABULARY - 1), max_size=20), min_size=1, max_size=5)


def make(texts: list[list[int]]) -> tuple[Documents, Background]:
    tokens = np.array([token for text in texts for token in text], np.int32)
    bounds = np.cumsum([0, *map(len, texts)]).astype(np.int64)
    documents = Documents.of(tokens, bounds, np.full(len(texts), -1, np.int32))
    return documents, learn_background(tokens, bounds, VOCABULARY)


def list_seeds(texts: list[list[int]], background: Background, rule: SeedRule) -> list[list[tuple[int, ...]]]:
    """By its definition: the seed at each token of each text, empty where there is none."""
    of_texts = []
    for text in texts:
        behind = np.empty(len(text))
        weigh_behind(background, np.array(text, np.int32), behind)
        seeds: list[tuple[int, ...]] = []
        for start in range(len(text)):
            sizes = range(1, len(text) - start + 1)
            nats = [background.alone[text[start]] + behind[start + 1 : start + size].sum() for size in sizes]
            enough = (size for size in sizes if size >= rule.tokens and nats[size - 1] >= rule.surprise)
            seeds.append(tuple(text[start : start + next(enough, 0)]))
        of_texts.append(seeds)
    return of_texts


@given(collections, st.floats(2.0, 9.0), st.integers(2, 4), st.sets(st.integers(0, 4)))
def test_every_seed_that_occurs_again_is_collected_if_one_asks_that_has_it(
    texts: list[list[int]], least: float, tokens: int, asking: set[int]
) -> None:
    documents, background = make(texts)
    rule = SeedRule(least, tokens)
    if not len(documents.tokens):
        return
    asks = np.isin(np.arange(len(texts)), list(asking))
    documents = documents._replace(asks=asks)
    of_texts = list_seeds(texts, background, rule)
    counts = Counter(seed for seeds in of_texts for seed in seeds if seed)
    asked = {seed for seeds, is_asking in zip(of_texts, asks, strict=True) if is_asking for seed in seeds}
    at_places = [seed for seeds in of_texts for seed in seeds]
    repeated = {place for place, seed in enumerate(at_places) if counts[seed] > 1 and seed in asked}
    cells = count_seeds(documents, background, rule)
    records = collect_seeds(documents, background, rule, cells, (0, len(texts)))
    places = records.starts.tolist()
    assert places == sorted(places)
    assert repeated <= set(places) <= {place for place, seed in enumerate(at_places) if seed}
    assert cells.repeated >= len(repeated)
    keys = dict(zip(places, records.keys.tolist(), strict=True))
    for place in repeated:
        for other in repeated:
            assert (keys[place] == keys[other]) == (at_places[place] == at_places[other])


def test_seeds_that_occur_once_are_not_collected() -> None:
    texts = np.random.default_rng(3).permutation(3_000).reshape(3, 1_000)
    tokens, bounds = texts.ravel().astype(np.int32), np.arange(0, 3_001, 1_000)
    documents = Documents.of(tokens, bounds, np.full(3, -1, np.int32))
    background, rule = learn_background(tokens, bounds, 3_000), SeedRule(12.0)
    counts = count_seeds(documents, background, rule)
    assert len(collect_seeds(documents, background, rule, counts, (0, 3)).keys) < 1_000
