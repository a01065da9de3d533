"""Alignment of two texts: what it promises, on texts small enough to try everything."""

import random
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ibidem
from ibidem import Alignment, Weighting, align, jaccard
from ibidem.text import Texts, tokenizer
from ibidem.weights import DocumentFrequencies

patient = settings(deadline=None)  # the first example waits for the compiler

FREQUENCIES = DocumentFrequencies.count([tokenizer().encode(Texts.from_strings(["a b c d", "a b e", "a f g", "a h"]))])

FAMILIES = {
    "set": {"family": "set"},
    "multiset": {"family": "multiset"},
    "weighted": {"family": "weighted", "tf": "logarithmic", "idf": "smooth", "frequencies": FREQUENCIES},
    "weighted, with a token that weighs nothing": {"family": "weighted", "idf": "standard", "frequencies": FREQUENCIES},
}
every_family = pytest.mark.parametrize("options", FAMILIES.values(), ids=FAMILIES.keys())


def token_ids(text: str) -> np.ndarray:
    return tokenizer().encode(Texts.from_strings([text])).ids


def some_words(count: int, seed: int) -> list[str]:
    """Words of a vocabulary of their own, as frequent as in a language."""
    drawn = random.Random(seed)
    return [f"w{seed}x{int(1000 ** drawn.random())}" for _ in range(count)]


@st.composite
def pairs_of_texts(draw: st.DrawFn) -> tuple[str, str]:
    """Two texts of few words, of which the second may hold parts of the first."""
    words = st.lists(st.sampled_from("abcdefgh"), max_size=30)
    a, b = draw(words), draw(words)
    for _ in range(draw(st.integers(0, 2))):
        start = draw(st.integers(0, len(a)))
        b += a[start : start + draw(st.integers(0, 20))] + draw(words)
    return " ".join(a), " ".join(b)


@every_family
@patient
@given(texts=pairs_of_texts(), threshold=st.sampled_from([0.5, 0.7, 1.0]), window=st.integers(2, 6))
def test_two_similar_windows_always_meet_a_reported_pair(
    options: dict, texts: tuple[str, str], threshold: float, window: int
) -> None:
    a, b = texts
    weighting = Weighting.of(**options)
    pairs = align(a, b, threshold=threshold, min_length=window, **options)
    ids_a, ids_b = token_ids(a), token_ids(b)
    for i in range(len(ids_a) - window + 1):
        for j in range(len(ids_b) - window + 1):
            window_a, window_b = ids_a[i : i + window], ids_b[j : j + window]
            weighs = weighting.idf_of(np.concatenate([window_a, window_b])).any()
            if weighs and jaccard(window_a, window_b, weighting) >= threshold:
                # Each token is a letter and a space.
                assert any(
                    x.a_start < 2 * (i + window) - 1
                    and 2 * i < x.a_end
                    and x.b_start < 2 * (j + window) - 1
                    and 2 * j < x.b_end
                    for x in pairs
                )


@every_family
@patient
@given(texts=pairs_of_texts(), threshold=st.sampled_from([0.3, 0.5, 0.9]), min_length=st.integers(1, 40))
def test_every_reported_pair_is_long_and_similar_enough(
    options: dict, texts: tuple[str, str], threshold: float, min_length: int
) -> None:
    a, b = texts
    pairs = align(a, b, threshold=threshold, min_length=min_length, **options)
    for x in pairs:
        in_a, in_b = token_ids(a[x.a_start : x.a_end]), token_ids(b[x.b_start : x.b_end])
        assert x.similarity == jaccard(in_a, in_b, Weighting.of(**options)) >= threshold
        assert min(len(in_a), len(in_b)) >= min_length


@patient
@given(pairs_of_texts(), st.integers(1, 8))
def test_pairs_come_in_the_order_of_the_first_text_and_none_holds_another(
    texts: tuple[str, str], min_length: int
) -> None:
    pairs = align(*texts, min_length=min_length)
    assert [x.a_start for x in pairs] == sorted(x.a_start for x in pairs)
    for x, y in permutations(pairs, 2):
        in_a = y.a_start <= x.a_start and x.a_end <= y.a_end
        assert not (in_a and y.b_start <= x.b_start and x.b_end <= y.b_end)


@every_family
@patient
@given(texts=pairs_of_texts())
def test_exchanging_the_texts_exchanges_the_sides(options: dict, texts: tuple[str, str]) -> None:
    a, b = texts
    if a == b:
        return
    exchanged = {
        Alignment(a_start=x.b_start, a_end=x.b_end, b_start=x.a_start, b_end=x.a_end, similarity=x.similarity)
        for x in align(b, a, min_length=4, **options)
    }
    assert set(align(a, b, min_length=4, **options)) == exchanged


@pytest.mark.parametrize("threshold", [0.2, 0.5, 1.0])
@pytest.mark.parametrize("length", [16, 100, 5000])
@every_family
def test_a_text_aligns_with_itself_as_a_whole(options: dict, length: int, threshold: float) -> None:
    text = " ".join(some_words(length, seed=1))
    expected = Alignment(a_start=0, a_end=len(text), b_start=0, b_end=len(text), similarity=1.0)
    assert align(text, text, threshold=threshold, **options) == [expected]


def test_unrelated_texts_share_nothing() -> None:
    assert align(" ".join(some_words(2000, seed=1)), " ".join(some_words(3000, seed=2))) == []


@pytest.mark.parametrize("length", [60, 300, 3000])
@pytest.mark.parametrize("seed", range(5))
def test_a_passage_with_a_quarter_of_its_words_changed_is_found_to_its_ends(length: int, seed: int) -> None:
    passage, changed = some_words(length, seed=10), []
    drawn = random.Random(seed)
    for start in range(0, length, 4):
        four = passage[start : start + 4]
        four[drawn.randrange(len(four))] = f"new{start}"
        changed += four
    a = some_words(200, seed=11) + passage + some_words(500, seed=12)
    b = some_words(700, seed=13) + changed + some_words(100, seed=14)
    [pair] = align(" ".join(a), " ".join(b))
    first_a, last_a = (" ".join(a)[:end].count(" ") for end in (pair.a_start, pair.a_end))
    first_b, last_b = (" ".join(b)[:end].count(" ") for end in (pair.b_start, pair.b_end))
    found = np.array([first_a, last_a, first_b, last_b])
    planted = np.array([200, 200 + length - 1, 700, 700 + length - 1])
    assert (np.abs(found - planted) <= 8).all()


def test_a_passage_that_stands_twice_is_found_twice() -> None:
    passage, between = " ".join(some_words(50, seed=1)), " ".join(some_words(100, seed=2))
    pairs = align(passage, f"{passage} {between} {passage}")
    assert [(x.a_start, x.a_end, x.similarity) for x in pairs] == 2 * [(0, len(passage), 1.0)]
    assert [x.b_start for x in pairs] == [0, len(passage) + len(between) + 2]


def test_passages_that_changed_places_are_found_apart() -> None:
    first, second, between = (some_words(40, seed) for seed in (1, 2, 3))
    pairs = align(" ".join(first + between + second), " ".join(second + first))
    assert [x.similarity for x in pairs] == [1.0, 1.0]
    assert pairs[0].b_start > pairs[1].b_start


def test_positions_are_code_points_of_the_texts_as_given() -> None:
    passage = "Ünë ñandú ﬁnd 𝒂𝒃 𐐷𐐲 Straße naïve coöperate Ångström résumé façade Zoë Brontë piñata jalapeño Dvořák"
    a, b = f"🙂🙂 {passage} 🙂", f"\ud800 other 🙂🙂🙂 {passage}!"
    [pair] = align(a, b, min_length=12)
    assert a[pair.a_start : pair.a_end] == b[pair.b_start : pair.b_end] == passage


@pytest.mark.parametrize(("a", "b"), [("", ""), ("", "word " * 20), ("word " * 15, "word " * 15), ("?!", "...")])
def test_a_text_shorter_than_min_length_has_no_passages(a: str, b: str) -> None:
    assert align(a, b) == []


def test_tokens_without_weight_are_not_similar() -> None:
    assert align("a a a a", "a a a a", min_length=2, family="weighted", idf="standard", frequencies=FREQUENCIES) == []


def test_a_long_text_of_one_word_is_one_passage() -> None:
    [pair] = align("word " * 20_000, "word " * 19_000)
    assert pair.similarity == 0.95


def test_characters_can_be_the_tokens() -> None:
    a, b = "一二三四五六七八九十天地玄黄宇宙洪荒", "日月盈昃一二三四五六七八九十天地玄黄宇宙洪荒辰宿列张"
    [pair] = align(a, b, tokenizer="characters:2")
    assert (pair.a_start, pair.a_end, pair.b_start, pair.b_end) == (0, 18, 4, 22)


@pytest.mark.parametrize(
    "options",
    [
        {"threshold": 0.0},
        {"threshold": 1.01},
        {"threshold": -1.0},
        {"threshold": float("nan")},
        {"min_length": 0},
        {"family": "bag"},
        {"family": "weighted", "idf": "smooth"},
        {"tokenizer": "sentences"},
    ],
    ids=str,
)
def test_a_wrong_argument_is_a_value_error(options: dict) -> None:
    with pytest.raises(ValueError):
        align("some text", "some text", **options)


def test_align_is_exported() -> None:
    assert ibidem.align is align
