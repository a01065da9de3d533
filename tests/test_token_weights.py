"""Weights of one's own: which tokens they are of, and what is refused."""

import math

import numpy as np
import pytest

from ibidem.text import Texts, make_tokenizer
from ibidem.token_weights import TokenWeights

WORDS = make_tokenizer("words")


def ids(text):
    return WORDS.encode(Texts.from_strings([text])).ids


def test_words_weigh_what_is_said_and_others_one():
    weights = TokenWeights.of_words({"The": 0.25, "rose": 3}, WORDS)
    assert weights.lookup(ids("the ROSE is the rose")).tolist() == [0.25, 3, 1, 0.25, 3]
    assert weights.least() == 0.25
    assert TokenWeights.of_words({}, WORDS).lookup(ids("a rose")).tolist() == [1, 1]
    assert TokenWeights.of_words({"rose": 7}, WORDS).least() == 1  # of all other words


def test_a_shingle_is_a_word_like_any_other():
    pairs = make_tokenizer("words:2")
    weights = TokenWeights.of_words({"the rose": 2}, pairs)
    assert weights.lookup(pairs.encode(Texts.from_strings(["the rose is"])).ids).tolist() == [2, 1]


@pytest.mark.parametrize("weight", [-1, math.nan, math.inf, 1e10, "much", None], ids=str)
def test_what_is_no_weight_is_refused_by_its_word(weight):
    with pytest.raises(ValueError, match="the weight of 'rose' must be a number from 0"):
        TokenWeights.of_words({"a": 1, "rose": weight}, WORDS)
    tokens = WORDS.encode(Texts.from_strings(["a rose"]), offsets=True)
    with pytest.raises(ValueError, match="the weight of 'rose'"):
        TokenWeights.of_function(lambda word: weight if word == "rose" else 1.0, tokens, ["a rose"])


def test_a_word_that_is_not_one_token_or_is_another_is_refused():
    with pytest.raises(ValueError, match="'a rose' is 2 tokens, not 1"):
        TokenWeights.of_words({"a rose": 1}, WORDS)
    with pytest.raises(ValueError, match=r"'Rose' and 'rose' are one token, and weigh 1\.0 and 2\.0"):
        TokenWeights.of_words({"Rose": 1, "rose": 2}, WORDS)
    assert TokenWeights.of_words({"Rose": 2, "rose": 2}, WORDS).weights.tolist() == [2]
    with pytest.raises(TypeError, match="not by 7"):
        TokenWeights.of_words({7: 1.0}, WORDS)


def test_a_function_is_asked_once_for_each_word_by_its_last_spelling():
    texts = ["The rose", "the ROSE ist rot"]
    asked = []

    def weigh(word):
        asked.append(word)
        return len(word)

    weights = TokenWeights.of_function(weigh, WORDS.encode(Texts.from_strings(texts), offsets=True), texts)
    assert sorted(asked) == ["ist", "rose", "rot", "the"]
    assert weights.lookup(ids("the rose ist rot")).tolist() == [3, 4, 3, 3]
    assert weights.tokens.tolist() == sorted(weights.tokens.tolist())
    assert np.all(weights.lookup(np.arange(3, dtype=np.uint32)) == 1)
