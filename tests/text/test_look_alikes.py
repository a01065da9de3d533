"""Letters of another script in a word: which word it is, and that words of one script are left alone."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.text import Texts, make_tokenizer
from ibidem.text.look_alikes import _ALIKE, _GROUPS, count_look_alikes, restore_script
from ibidem.text.unicode_table import SCRIPTS, script_of


def test_letters_that_look_alike_are_letters_of_the_scripts_that_the_tokenizer_knows() -> None:
    for group in _GROUPS:
        scripts = [script_of(letter) for letter in group]
        assert all(scripts)
        assert len({*scripts}) > 1
        assert all(unicodedata.is_normalized("NFD", letter) for letter in group)
        assert all(letter.isupper() for letter in group) or not any(
            letter.isupper() for letter in group if letter < "\u13a0"
        )


@pytest.mark.parametrize(
    ("word", "plain"),
    [
        ("p\u0430ypal", "paypal"),
        ("\u0430\u0440\u0440l\u0435", "apple"),  # all but the l are Cyrillic
        ("\u0441o\u0431a\u043aa", "\u0441\u043e\u0431\u0430\u043a\u0430"),  # Russian with Latin o and a
        ("\u03b1\u03bbph\u03b1", "\u03b1\u03bbph\u03b1"),  # neither Greek nor Latin has all of these letters
        ("w\u043e\u03bff", "woof"),  # of three scripts
        ("\u04cfight", "light"),
        ("e\u0301t\u0435\u0301", "e\u0301te\u0301"),
        ("\u0394t", "\u0394t"),
        ("10\u043a\u043c", "10\u043a\u043c"),
        ("\u0441\u043e\u0440", "\u0441\u043e\u0440"),  # a Russian word that looks Latin
        ("cop", "cop"),
        ("", ""),
    ],
)
def test_a_word_is_spelled_in_one_script_if_it_can_be(word: str, plain: str) -> None:
    assert restore_script(word) == plain


@given(
    word=st.text(
        "abcdefghijklmnopqrstuvwxyz\u0430\u0431\u0432\u0433\u0435\u0438\u043a\u043c\u043d\u043e", min_size=1, max_size=9
    ),
    data=st.data(),
)
def test_exchanging_letters_of_a_word_changes_neither_the_word_nor_what_it_is_restored_to(
    word: str, data: st.DataObject
) -> None:
    scripts = {script_of(letter) for letter in word}
    if len(scripts) != 1:
        return
    [script] = scripts
    keep = data.draw(st.integers(0, len(word) - 1))
    others = [
        [other for (letter, _), other in _ALIKE.items() if letter == each and _ALIKE.get((other, script)) == each]
        for each in word
    ]
    letters = [
        each if place == keep or not forms else data.draw(st.sampled_from([each, *forms]))
        for place, (each, forms) in enumerate(zip(word, others, strict=True))
    ]
    hidden = "".join(letters)
    restored = restore_script(hidden)
    assert restore_script(restored) == restored
    assert len(restored) == len(word)
    if others[keep] == []:  # what no other script has says which script it is
        assert restored == word
        ids = make_tokenizer("words").encode(Texts.from_strings([word, hidden])).ids.tolist()
        assert ids[0] == ids[1]


def test_words_are_counted() -> None:
    assert len(SCRIPTS) == 5
    assert count_look_alikes("plain words, \u0441\u043b\u043e\u0432\u0430, 10\u043a\u043c") == 0
    assert count_look_alikes("w\u043erds, p\u0430ypal; \u0394t") == 2
