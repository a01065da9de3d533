"""Words by their stems: the places of words, and one token for the forms of one word."""

import pickle
import sys
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ibidem
from ibidem.errors import ConfigurationError, MissingExtraError
from ibidem.text import Texts, make_tokenizer
from ibidem.text.stems import stem_languages

FORMS = [
    "run",
    "Runs",
    "running",
    "houses",
    "House",
    "universal",
    "Ünïversities",
    "l'été",
    "re-\nmember",
    "remembering",
]
texts = st.lists(st.lists(st.sampled_from(FORMS) | st.text(max_size=8), max_size=12).map(" ".join), max_size=4)


@cache
def tokenizer(names: str = "stems-english") -> ibidem.text.Tokenizer:
    return make_tokenizer("words", normalize=names)


def id_of(word: str, names: str = "stems-english") -> int:
    [found] = tokenizer(names).encode(Texts.from_strings([word])).ids.tolist()
    return int(found)


@given(texts, st.sampled_from(["", "latin,", "hyphens,diacritics,"]))
def test_places_are_those_of_words_and_a_word_has_one_stem_wherever_it_stands(given: list[str], names: str) -> None:
    batch = Texts.from_strings(given)
    words = make_tokenizer("words", normalize=names.strip(",")).encode(batch, offsets=True)
    stems = tokenizer(f"{names}stems-english").encode(batch, offsets=True)
    for of_words, of_stems in zip(words[1:], stems[1:], strict=True):
        assert of_words is not None
        assert of_stems is not None
        assert of_words.tolist() == of_stems.tolist()
    assert words.starts is not None
    assert words.ends is not None
    for number, text in enumerate(given):
        for row in range(int(words.bounds[number]), int(words.bounds[number + 1])):
            word = text[int(words.starts[row]) : int(words.ends[row])]
            assert id_of(word, f"{names}stems-english") == int(stems.ids[row])
    assert tokenizer(f"{names}stems-english").encode(batch).starts is None


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("english", "running", "Runs"),
        ("german", "Häuser", "HAUS"),
        ("french", "continuer", "continuaient"),
        ("russian", "книга", "книгой"),
        ("greek", "ανθρώπων", "ανθρώπους"),
    ],
)
def test_forms_of_a_word_are_one_token(language: str, one: str, other: str) -> None:
    assert id_of(one, f"stems-{language}") == id_of(other, f"stems-{language}")
    assert id_of(one, "") != id_of(other, "")


def test_a_passage_in_other_forms_is_found_and_cut_out_of_the_text_as_given() -> None:
    a = "Nothing. The children were running towards the houses when the bells began ringing and the dogs barked"
    b = "A child runs towards a house, when a bell begins to ring, and the dog barks"
    assert not ibidem.align(a, b, min_pair_length=8)
    [pair] = ibidem.align(a, b, min_pair_length=8, normalize="stems-english")
    assert a[pair.a_start : pair.a_end].startswith("running towards")
    assert b[pair.b_start : pair.b_end].endswith("the dog barks")


def test_a_configuration_makes_the_same_tokenizer_again() -> None:
    made = make_tokenizer("words:2", normalize="latin,stems-german")
    assert make_tokenizer(made.config).config == made.config == pickle.loads(pickle.dumps(made)).config
    assert make_tokenizer(made, normalize="latin,stems-german").config == made.config
    stems = made.config["stems"]
    with pytest.raises(ConfigurationError, match=r"snowballstemmer 0\.1"):
        make_tokenizer({**made.config, "stems": {**stems, "snowball": "0.1"}})


@pytest.mark.parametrize(
    ("spec", "names", "cause"),
    [
        ("words", "stems-klingon", "no stems of 'klingon'; there are arabic"),
        ("words", "stems-english,stems-german", "the stems of one language"),
        ("words", "noisy,stems-english", "choose one of them"),
        ("characters", "stems-english", "words have stems"),
    ],
)
def test_what_has_no_stems_is_refused(spec: str, names: str, cause: str) -> None:
    with pytest.raises(ValueError, match=cause):
        make_tokenizer(spec, normalize=names)


def test_the_languages_are_those_of_the_library_and_without_it_the_command_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert {"english", "german", "greek", "russian"} <= set(stem_languages())
    monkeypatch.setitem(sys.modules, "snowballstemmer", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'ibidem\[stems\]'"):
        make_tokenizer("words", normalize="stems-english")
