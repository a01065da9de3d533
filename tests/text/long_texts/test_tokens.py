"""A long text has the tokens that it has as a whole, wherever it is cut."""

from typing import ClassVar

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ibidem.text import Texts, make_tokenizer
from ibidem.text.long_texts import tokens
from ibidem.text.long_texts.tokens import encode_texts

TEXTS = st.text(st.sampled_from("abZ é漢。 \n\t\u3000\x1c\u0301ß,.0\u00a0😀"), max_size=200)


@pytest.fixture(autouse=True, scope="module")
def short_pieces():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "_PIECE", 8)
        patch.setattr(tokens, "LONG_BYTES", 16)
        yield


@given(TEXTS, st.sampled_from(["words", "characters"]))
@example("a" * 100, "words")
@example(" " * 100, "characters")
@example("漢" * 100, "words")
@example("。" * 100, "characters")
def test_pieces_have_the_tokens_and_offsets_of_the_whole(text: str, name: str) -> None:
    tokenizer, texts = make_tokenizer(name), Texts.from_strings([text])
    expected, found = tokenizer.encode(texts, offsets=True), encode_texts(tokenizer, texts)
    for one, other in zip(expected, found, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("name", ["words", "characters"])
def test_offsets_are_left_out_where_nobody_asks_for_them(name: str) -> None:
    texts = Texts.from_strings(["one two three " * 20])
    found = encode_texts(make_tokenizer(name), texts, offsets=False)
    assert found.ids.tolist() == make_tokenizer(name).encode(texts).ids.tolist()
    assert (found.starts, found.ends) == (None, None)


def test_a_long_text_is_cut_into_pieces_that_no_tokenizer_sees_together():
    seen = []

    class Watched(type(make_tokenizer("words"))):
        def encode(self, texts, *, offsets=False):
            seen.append(texts.nbytes)
            return super().encode(texts, offsets=offsets)

    encode_texts(Watched(), Texts.from_strings(["one two three " * 20]))
    assert len(seen) > 20
    assert max(seen) <= 8
    assert sum(seen) == 14 * 20


def test_a_tokenizer_that_knows_no_place_to_cut_gets_the_whole():
    class Whole:
        config: ClassVar[dict[str, str]] = {}

        def encode(self, texts, *, offsets=False):
            return make_tokenizer("words").encode(texts, offsets=offsets)

    assert len(encode_texts(Whole(), Texts.from_strings(["one two three " * 20])).ids) == 60
