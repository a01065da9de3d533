"""The tables: each pair of spellings is one token, by every table, and lies where it is written."""

import unicodedata
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem.text import Texts, Tokens, make_tokenizer
from ibidem.text.normalization.chain import NAMES, NONE
from ibidem.text.normalization.letters import APOSTROPHES, HYPHENS, SHAPES, SIGNS, SOFT_HYPHEN, TABLES, decompose
from ibidem.text.stems import stem_languages
from ibidem.text.unicode_table import IDEOGRAPH, LETTER, class_of

Pairs = list[tuple[str, str]]
"""A spelling, and another one that counts as the same."""


def _wrap(old: str, new: str) -> tuple[str, str]:
    """Put two spellings of a letter into a word of another script; an ideograph is a word by itself."""
    return (old, new) if len(new) == 1 and class_of(new) == IDEOGRAPH else (f"ა{old}ა", f"ა{new}ა")


def _compatible() -> Pairs:
    every = map(chr, range(0x80, 0x20000))
    letters = (sign for sign in every if class_of(sign) == LETTER)
    changed = ((sign, decompose(sign, frozenset(["compatibility"]))) for sign in letters)
    return [_wrap(sign, new) for sign, new in changed if new != unicodedata.normalize("NFD", sign)]


@cache
def spellings(name: str) -> Pairs:
    """All pairs of the table of a name."""
    if name == "compatibility":
        return _compatible()
    if name == "hyphens":
        ends = [f"x{hyphen}{end}x" for hyphen in HYPHENS + SOFT_HYPHEN for end in ("\n", "\r\n", " \n  ")]
        return [(end, "xx") for end in [*ends, f"x{SOFT_HYPHEN}x"]]
    if name == "apostrophes":
        return [(f"x{apostrophe}x", "xx") for apostrophe in APOSTROPHES]
    if name == "noisy":
        return [(f"x{letter}x", f"x{shape}x") for letter, shape in SHAPES.items()]
    return [_wrap(old, new) for old, new in TABLES[name]().items()]


def encode(name: str, texts: list[str]) -> Tokens:
    return make_tokenizer("words", normalize=name).encode(Texts.from_strings(texts), offsets=True)


@pytest.mark.parametrize("name", [name for name in NAMES if name != NONE])
def test_every_pair_of_the_table_is_one_token(name: str) -> None:
    pairs = spellings(name)
    old, new = (encode(name, list(side)) for side in zip(*pairs, strict=True))
    assert len(pairs) >= (len(TABLES[name]()) if name in TABLES else 6)
    assert old.bounds.tolist() == new.bounds.tolist() == list(range(len(pairs) + 1))
    assert old.ids.tolist() == new.ids.tolist()


@pytest.mark.parametrize("name", [name for name in NAMES if name != NONE])
@settings(max_examples=50)
@given(data=st.data())
def test_every_spelling_of_the_table_lies_where_it_is_written(name: str, data: st.DataObject) -> None:
    drawn = data.draw(st.lists(st.tuples(st.sampled_from(spellings(name)), st.booleans()), min_size=1, max_size=12))
    separators = data.draw(st.lists(st.sampled_from([" ", ". ", "\n\n", " 🜚 "]), min_size=len(drawn)))
    text, places = "", []
    for ((one, other), is_first), separator in zip(drawn, separators, strict=False):
        word = one if is_first else other
        places.append((len(text), len(text) + len(word)))
        text += word + separator
    tokens = encode(name, [text])
    assert tokens.starts is not None
    assert tokens.ends is not None
    assert list(zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True)) == places
    assert tokens.ids.tolist() == encode(name, [" ".join(pair[1] for pair, _ in drawn)]).ids.tolist()


SCRIPTS = ("abdeghilmnorstu", "аеинортк", "ςαεινορδ", "همنيتا")


@given(
    data=st.data(),
    words=st.lists(  # of one script each: letters of another one count as those that they resemble
        st.one_of(*(st.text(letters, min_size=1, max_size=8) for letters in SCRIPTS)), min_size=1
    ),
)
def test_words_of_one_stem_are_one_token_where_they_are_written(data: st.DataObject, words: list[str]) -> None:
    snowball = pytest.importorskip("snowballstemmer")
    language = data.draw(st.sampled_from(stem_languages()))
    stems = snowball.stemmer(language).stemWords([word.casefold() for word in words])
    text = ", ".join(words)
    plain, stemmed = encode("case", [text]), encode(f"stems-{language}", [text])
    assert plain.starts is not None
    assert stemmed.starts is not None
    assert stemmed.starts.tolist() == plain.starts.tolist()
    if len(plain.ids) == len(words):
        ids = stemmed.ids.tolist()
        assert all((a == b) == (ids[i] == ids[k]) for i, a in enumerate(stems) for k, b in enumerate(stems))


def test_a_sign_is_a_word() -> None:
    ids = make_tokenizer("words", normalize="latin").encode(Texts.from_strings([" ".join([*SIGNS, "et"])])).ids
    assert len(set(ids.tolist())) == 1
    assert len(ids) == 3


@pytest.mark.parametrize("name", list(TABLES))
def test_no_replacement_is_replaced_again(name: str) -> None:
    table = TABLES[name]()
    assert not {letter for new in table.values() for letter in new} & {*table}
