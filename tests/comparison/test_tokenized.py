"""Two passages in numbers: equal numbers for equal words, and the place of each."""

import math
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.comparison.tokenized import (
    count_tokens,
    token_evidence,
    tokenize_pair,
    whole_word_tokenizer,
    word_tokenizer,
)
from ibidem.text import Texts, Tokens, make_tokenizer
from ibidem.weights import DocumentFrequencies

WORDS = make_tokenizer("words")
texts = st.text("aB ,é", max_size=30)


@given(a=texts, b=texts)
def test_tokens_are_equal_if_and_only_if_their_words_are(a: str, b: str) -> None:
    pair = tokenize_pair(a, b, WORDS)
    found = [
        (number, text[start:end].casefold())
        for text, ids, places in ((a, pair.a, pair.a_places), (b, pair.b, pair.b_places))
        for number, (start, end) in zip(ids.tolist(), places.tolist(), strict=True)
    ]
    assert len(set(found)) == len({number for number, _ in found}) == len({word for _, word in found})
    assert {number for number, _ in found} == set(range(len(pair.vocabulary)))
    for text, places in ((a, pair.a_places), (b, pair.b_places)):
        assert [text[start:end] for start, end in places.tolist()] == text.replace(",", " ").split()


def test_words_inside_of_shingles_stand_beside_each_other() -> None:
    assert word_tokenizer(make_tokenizer("words:3")).config == WORDS.config
    assert word_tokenizer(WORDS) is WORDS


def test_words_are_counted_of_characters_shingles_and_parts_of_words() -> None:
    class Parts:
        config: ClassVar = {"name": "bpe", "file": "tokenizer.json", "digest": "1f", "shingle": 1}

        def encode(self, texts: Texts, *, offsets: bool = False) -> Tokens:
            raise NotImplementedError

    for tokenizer in (Parts(), *map(make_tokenizer, ("characters", "characters:4", "words:3"))):
        assert whole_word_tokenizer(tokenizer).config == WORDS.config
    folded = make_tokenizer("characters:4", normalize="latin")
    assert whole_word_tokenizer(folded).config == make_tokenizer("words", normalize="latin").config
    for own in (WORDS, make_tokenizer(str.split)):
        assert whole_word_tokenizer(own) is own


def test_each_running_token_counts_as_a_document() -> None:
    frequencies = count_tokens(["one two one", "two one"], WORDS)
    pair = tokenize_pair("one", "two three", WORDS)
    counts = dict(zip(pair.vocabulary.tolist(), frequencies.lookup(pair.vocabulary).tolist(), strict=True))
    one, (two, three) = pair.vocabulary[pair.a[0]], pair.vocabulary[pair.b]
    assert (counts[one], counts[two], counts[three]) == (3, 2, 0)
    assert frequencies.num_documents == 5
    assert pair.count_frequencies().lookup(pair.vocabulary).tolist() == [1, 1, 1]


def test_a_token_is_evidence_by_its_share_of_the_running_tokens() -> None:
    frequencies = DocumentFrequencies([1, 5], [10, 1], num_documents=700)
    evidence = token_evidence(np.array([1, 5, 9], np.uint32), frequencies)
    assert evidence.tolist() == pytest.approx([math.log(1000 / 10), math.log(1000), math.log(1000)])
