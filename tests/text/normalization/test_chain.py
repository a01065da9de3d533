"""Chains of normalizations: against plain Python, and what a slice of a text says of its tokens."""

from itertools import groupby

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ibidem.errors import ConfigurationError
from ibidem.text import Texts, Tokens, make_tokenizer
from ibidem.text.normalization import Normalization, parse_names
from ibidem.text.normalization.chain import NAMES
from ibidem.text.unicode_table import BLOCK, ORDER_BIT, letters_of

from .. import unicode_reference
from ..test_words_and_characters import TRICKY, is_known
from . import reference

LETTERS = (
    "vVjJæÆœęĘąſꝑꝓꝗꝯꝰꝛ&⁊ﬁﬅāũ\u0303øØłıĿ²½ⅷ①㍿㊀ﾊﾞ"
    "άᾳῼῥϲςΆὍϐ\u0345\u0313"
    "שׁלוֹם\u05b0ײװ־׳"
    "أإآٱاؤئءىیكکةهـﷺﻻﺀ\u064b\u0651\u0670٣۳"
    "漢汉後后〇\u0301३'’ʼ-‐¬⸗\u00ad \t\n\r.019"
)
characters = st.one_of(st.sampled_from(LETTERS + TRICKY), st.characters(exclude_categories=["Cs"]).filter(is_known))
strings = st.text(characters, max_size=30)
chains = st.sampled_from(
    [
        [],
        ["auto"],
        ["none", "digits"],
        ["latin", "noisy", "hyphens"],
        ["compatibility", "greek", "apostrophes"],
        ["cjk", "hebrew", "arabic-light"],
        ["arabic-heavy", "diacritics"],
    ]
)
"""Every name, in no more chains than are kept: to compose a table takes a quarter of a second."""


def encode(text: str, names: list[str] | str, name: str = "words") -> Tokens:
    return make_tokenizer(name, normalize=names).encode(Texts.from_strings([text]), offsets=True)


def ids_of(text: str, names: list[str] | str, name: str = "words") -> list[int]:
    found: list[int] = encode(text, names, name).ids.tolist()
    return found


def places(tokens: Tokens) -> list[tuple[int, int]]:
    assert tokens.starts is not None
    assert tokens.ends is not None
    return list(zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True))


@given(text=strings, names=chains)
@example(text="re-\nmember, remem-  \r\n ber; x-\n\ny 1914-\n1918 a-\n", names=["hyphens"])
@example(text="don't ’tis dogs' soft\u00adhyphen a\u00ad\nb", names=["apostrophes", "hyphens"])
@example(text="\u0345 ᾳ\u0345", names=[])
@example(text="\u0345 ᾳ\u0345", names=["latin"])
@example(text="Vbi & ⁊c ęqua ꝑfecta", names=["latin"])
@example(text="internâtional re-\nmembrance ab漢cdefg 12345678", names=["noisy", "hyphens"])
def test_words_and_offsets_agree_with_plain_python(text: str, names: list[str]) -> None:
    tokens = encode(text, names)
    expected = [
        (unicode_reference.token_id(word), start, end) for word, start, end in reference.words(text, parse_names(names))
    ]
    assert [(id, *place) for id, place in zip(tokens.ids.tolist(), places(tokens), strict=True)] == expected


@pytest.mark.parametrize("tokenizer", ["words", "characters"])
@pytest.mark.parametrize("name", NAMES)
@given(text=strings)
def test_the_slice_of_a_token_is_that_token(name: str, tokenizer: str, text: str) -> None:
    tokens = encode(text, name, tokenizer)
    for id, (start, end) in zip(tokens.ids.tolist(), places(tokens), strict=True):
        again = ids_of(text[start:end], name, tokenizer)
        assert again == [id] if tokenizer == "words" else id in again


@given(text=strings, names=chains)
def test_spelling_a_text_as_normalized_changes_nothing_more(text: str, names: list[str]) -> None:
    chain = Normalization(parse_names(names))
    if chain.names:
        assert chain.apply(chain.apply(text)) == chain.apply(text)


@pytest.mark.parametrize(
    ("names", "one", "other"),
    [
        ("latin", "Vbi iustus vivit, æquus cœlum ęternum", "ubi justus uiuit aequus coelum eternum"),
        ("latin", "ꝑ ⁊ ꝓprius omnibꝰ", "per & proprius omnibus"),
        ("latin,noisy", "per & proprius", "per et proprius"),
        ("diacritics", "élève Łódź Ångström søster", "eleve Lodz Angstrom soster"),
        ("greek", "Ἐν ἀρχῇ ἦν ὁ λόγος τῷ ϲοφῷ", "εν αρχη ην ο λογος τω σοφω"),
        ("hebrew", "ייִדיש װאָס", "ייִדיש וואָס"),
        ("arabic-light", "الْكِتَابُ إلى أحمد ــكتـاب", "الكتاب الي احمد كتاب"),
        ("arabic-heavy", "مدرسة شيء", "مدرسه شي"),
        ("arabic-light", "ﻻ ﻛﺘﺎﺏ", "لا كتاب"),
        ("cjk", "漢學後龍", "汉学后龙"),
        ("digits", "٣۴५", "345"),
        ("compatibility", "ﬁn x² Ａｂｃ", "fin x2 abc"),
        ("hyphens", "re-\nmember co\u00adoperate", "remember cooperate"),
        ("apostrophes", "don’t lov'd", "dont lovd"),
        ("noisy", "Ferdinand büchcr internatlonal", "ferdinanb bucher intcrnational"),
        ("auto", "λόγος ٣ 漢 الكِتاب", "λογος 3 汉 الكتاب"),
    ],
)
def test_spellings_count_as_the_same(names: str, one: str, other: str) -> None:
    assert ids_of(one, names) == ids_of(other, names)
    assert ids_of(one, "none") != ids_of(other, "none")


@pytest.mark.parametrize(("name", "one", "other"), [("latin", "æquus v", "aequus u"), ("arabic-light", "كِتَاب", "كتاب")])
def test_characters_are_normalized_too(name: str, one: str, other: str) -> None:
    assert ids_of(one, name, "characters") == ids_of(other, name, "characters")


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ("auto", "iuuenis"),  # no language is guessed
        ("hebrew", "élan"),
        ("arabic-light", "שלום"),
        ("hyphens", "well-known 1914-\n1918 a -\nb"),
        ("diacritics", "हिन्दी ภาษา"),  # vowel signs are letters
        ("compatibility", "㍿ ﷺ"),  # several words
    ],
)
def test_what_a_name_does_not_speak_of_stays(names: str, text: str) -> None:
    assert ids_of(text, names) == ids_of(text, "case")


def test_the_order_of_names_does_not_matter_and_case_is_always_there() -> None:
    one = make_tokenizer("words", normalize="hyphens, latin,case").config
    assert one == make_tokenizer("words", normalize=["latin", "hyphens"]).config
    assert make_tokenizer("words", normalize="case").config == make_tokenizer("words").config


def test_a_configuration_makes_the_same_again() -> None:
    config = make_tokenizer("words:3", normalize="auto").config
    assert config["shingle"] == 3
    assert make_tokenizer(config).config == config
    assert make_tokenizer(config, normalize="auto").config == config


def test_tables_that_have_changed_since_are_refused() -> None:
    config = make_tokenizer("words", normalize="latin").config
    other = {**config, "normalization": {**config["normalization"], "fingerprint": "0" * 16}}
    with pytest.raises(ConfigurationError, match="build the index again"):
        make_tokenizer(other)


def test_fingerprints_are_those_of_every_index_of_this_version() -> None:
    made = {name: Normalization(parse_names(name)).config["fingerprint"] for name in (*NAMES, "auto")}
    assert made == FINGERPRINTS


FINGERPRINTS = {
    "none": "bb11732fad915c63",
    "compatibility": "e26a1d370b779f54",
    "diacritics": "f23e0f32d3178dc3",
    "latin": "327b475d6465bd43",
    "greek": "374506c347a922a4",
    "hebrew": "62ff3dd7418ce868",
    "arabic-light": "a1bb426821cf8d02",
    "arabic-heavy": "4650d5f096f6427e",
    "cjk": "ab0ea0b02fcc71c2",
    "digits": "4c49e9ce381b5e3d",
    "hyphens": "ebebbda2614e78cd",
    "apostrophes": "ab46ae9b00657d98",
    "noisy": "451663fd8555e6f2",
    "auto": "ce3cfafc2a0ec963",
}


@pytest.mark.parametrize(
    ("spec", "names", "message"),
    [
        ("words", "latein", "no normalization is called 'latein'; there are auto, case, none, compatibility"),
        (str.split, "latin", "words and characters can be normalized, not 'callable'"),
        (make_tokenizer("words", normalize="latin"), "greek", "normalized already: latin"),
    ],
)
def test_a_chain_that_cannot_be_is_refused(spec: object, names: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_tokenizer(spec, normalize=names)  # type: ignore[arg-type]


def test_marks_are_in_one_place_of_what_a_character_is_replaced_by() -> None:
    # The kernels put the marks at the end of a character in order with those that follow, and take others as they are.
    for names in [[], *([name] for name in NAMES), [*NAMES[1:]]]:
        table = Normalization(parse_names(names)).table
        distinct = np.unique(table.blocks, return_index=True)[1]  # blocks of code points that fold alike are kept once
        for code in (BLOCK * distinct[:, np.newaxis] + np.arange(BLOCK)).ravel().tolist():
            orders = [letter >> ORDER_BIT for letter in letters_of(chr(code), table)]
            parts = [is_mark for is_mark, _ in groupby(orders, bool)]
            assert parts.count(True) <= 1
            assert parts[:1] != [True] or len(parts) == 1


def test_folding_is_that_of_the_table_where_no_name_says_otherwise() -> None:
    plain = "".join(map(chr, range(0x20, 0x500)))
    assert Normalization(("hebrew",)).apply(plain) == Normalization(()).apply(plain)
