"""Runs of tokens of a small alphabet: what they are, and what they spare."""

import random
from pathlib import Path

import numpy as np
import pytest

from ibidem import deduplicate_passages, find_reuse
from ibidem.resources import Resources
from ibidem.reuse.collection import Collection, Rarity
from ibidem.reuse.grams import choose_gram_width, replace_with_grams
from ibidem.text import make_tokenizer
from tests.reuse.small_collections import read_collection

ALPHABET = "etaoinshrdlucmfwypvbgkjqxz"


def text_of(seed: int, words: int) -> str:
    generator = random.Random(seed)
    weights = [1 / rank for rank in range(2, 28)]
    return " ".join("".join(generator.choices(ALPHABET, weights, k=generator.randint(2, 9))) for _ in range(words))


def read(texts: list[str], folder: Path, tokenizer: str = "characters") -> Collection:
    resources = Resources.of("64M", 1, None)
    return read_collection([enumerate(texts)], make_tokenizer(tokenizer), folder, resources)


@pytest.mark.parametrize(
    ("counts", "width"),
    [([1] * 1000, 1), ([100] * 20, 4), ([5000, 5000], 14), ([10_000], 14), ([500, *[1] * 2000], 3), ([10, 10], 1)],
)
def test_the_width_follows_from_the_frequencies(counts: list[int], width: int) -> None:
    tokens = np.arange(len(counts), dtype=np.uint32)
    assert choose_gram_width(Rarity.of(tokens, np.array(counts, np.int64))) == width


def test_words_stay_as_they_are(tmp_path: Path) -> None:
    collection = read([text_of(1, 3_000)], tmp_path, "words")
    assert replace_with_grams(collection, tmp_path) is collection


def test_equal_runs_are_equal_and_weigh_what_their_tokens_weigh(tmp_path: Path) -> None:
    shared = text_of(1, 40).replace(" ", "")
    collection = read([text_of(2, 500), shared, text_of(3, 500) + shared], tmp_path)
    width = choose_gram_width(collection.rarity)
    assert width > 1
    grams = replace_with_grams(collection, tmp_path)
    assert len(grams.tokens) == len(collection.tokens)
    whole = len(shared) - width + 1
    inner, end = grams.tokens[grams.bounds[1] :][:whole], grams.bounds[3] - len(shared)
    assert inner.tolist() == grams.tokens[end:][:whole].tolist()
    assert grams.tokens[grams.bounds[1] : grams.bounds[2]].tolist()[-1] == grams.tokens[-1]
    for at in range(0, whole, 7):
        first = collection.bounds[1] + at
        weight = collection.idf[collection.tokens[first : first + width]].mean()
        assert grams.idf[grams.tokens[first]] == pytest.approx(weight)


@pytest.mark.filterwarnings("ignore:no pair of passages is reported")
def test_characters_of_a_small_alphabet_find_a_quotation_and_little_else() -> None:
    passage = text_of(100, 30)
    texts = [f"{text_of(n, 150)} {passage if n in (3, 5) else ''} {text_of(50 + n, 150)}" for n in range(8)]
    reuse = find_reuse(texts, tokenizer="characters", texts=True)
    pairs = {(pair["a"], pair["b"]): pair for pair in reuse.pairs.to_pylist()}
    assert pairs.keys() == {("3", "5")}
    assert passage[:-8] in pairs["3", "5"]["a_text"]
    assert reuse.summary["candidates"] < 2_000
    gone = deduplicate_passages(texts, tokenizer="characters")
    assert [(each.document, each.duplicate_of) for each in gone.removed] == [("5", "3")]
    phrase = find_reuse(texts, tokenizer="characters", phrases=[passage])
    assert phrase.summary["left_out_by_reason"] == {"phrase": 1}
