"""Shares of two texts: those of their tokens, and those that reuse counts of the same documents."""

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem import Alignment, Match, align, find_reuse, make_tokenizer
from ibidem.comparison import count_shares
from ibidem.comparison.tokenized import count_tokens
from ibidem.results import Matches
from ibidem.reuse.outputs.document_pairs import describe_pair
from ibidem.spans import Ignored

words = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=30)


def draw_works(seed: int) -> dict[str, str]:
    """Texts of words, most of them rare: one copied in part, one changed, one quoted, one unrelated."""
    drawn = random.Random(seed)
    own = [drawn.choices([f"word{number}" for number in range(3000)], k=200) for _ in range(4)]
    shared = own[0][50:150]
    changed = [word if at % 6 else f"new{at}" for at, word in enumerate(shared)]
    return {
        "a": " ".join(own[0]),
        "b": " ".join([*own[1][:90], *shared, *own[1][90:]]),
        "c": " ".join([*changed[50:], *own[2], *changed[:50]]),
        "d": f"{' '.join(own[3])} “{' '.join(shared[:40])}”",
    }


@pytest.mark.parametrize("seed", range(3))
def test_two_texts_share_the_words_that_reuse_counts(seed: int) -> None:
    texts = draw_works(seed)
    rows = find_reuse(texts.items(), quotations=5).document_pairs.to_pylist()
    assert len(rows) >= 3
    for row in rows:
        shares = align(texts[row["a"]], texts[row["b"]]).shares(quotations=5)
        counted = shares.to_dict()
        assert counted == {name: row[name] for name in counted}
        assert shares.describe(row["a"], row["b"]) == describe_pair(row)
        for side in "ab":
            assert [each._asdict() for each in getattr(shares, f"{side}_quotations")] == row[f"{side}_quotations"]


@given(words, words)
def test_the_shares_of_a_pair_are_those_of_its_passages_alone(a: list[str], b: list[str]) -> None:
    text_a, text_b = "x " * 5 + " ".join(a) + " y" * 4, "z " * 7 + " ".join(b)
    pair = Alignment(a_start=10, a_end=10 + len(" ".join(a)), b_start=14, b_end=len(text_b), similarity=1.0)
    shares = count_shares(text_a, text_b, [pair])
    assert (shares.a.words, shares.b.words) == (len(a) + 9, len(b) + 7)
    assert sum(shares.a[1:5]) == len(a)
    assert sum(shares.b[1:5]) == len(b)
    assert count_shares(text_a, text_b, []).a[1:] == (0, 0, 0, 0, 0, 0)
    exchanged = Alignment(a_start=14, a_end=len(text_b), b_start=10, b_end=pair.a_end, similarity=1.0)
    assert count_shares(text_b, text_a, [exchanged])[:2] == (shares.b, shares.a)


TOKENIZERS = ["characters", "characters:4", "words:3"]


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@given(words, words)
def test_shares_count_words_whatever_a_token_is(tokenizer: str, a: list[str], b: list[str]) -> None:
    text_a, text_b = " ".join(a), " ".join(b)
    pair = Alignment(a_start=0, a_end=len(text_a), b_start=0, b_end=len(text_b), similarity=1.0)
    assert count_shares(text_a, text_b, [pair], tokenizer=tokenizer) == count_shares(text_a, text_b, [pair])


@pytest.mark.parametrize("tokenizer", ["words", *TOKENIZERS])
@given(st.integers(0, 1 << 30))
@settings(max_examples=20)
def test_no_share_says_more_than_was_copied(tokenizer: str, seed: int) -> None:
    """A word is counted as identical only if it is in three words that the other text has in a row, too."""
    drawn = random.Random(seed)
    own = ["".join(drawn.choices("abcdefgh", k=drawn.randint(1, 7))) for _ in range(90)]
    misread = [word if drawn.random() < 0.8 else drawn.choice("xyz") + word[1:] for word in own[10:80]]
    sides = own, [*drawn.choices(own, k=20), *misread, *drawn.choices(own, k=20)]
    runs = [{tuple(side[at : at + 3]) for at in range(len(side) - 2)} for side in sides]
    both = runs[0] & runs[1]
    shares = align(*map(" ".join, sides), tokenizer=tokenizer, min_pair_length=8).shares()
    for side, counts in zip(sides, (shares.a, shares.b), strict=True):
        copied = [
            any(tuple(side[at : at + 3]) in both for at in range(k - 2, k + 1) if at >= 0) for k in range(len(side))
        ]
        assert counts.words == len(side)
        assert counts.identical + counts.moved <= sum(copied)


def test_words_are_folded_as_the_characters_are() -> None:
    given, spelled = "ivlivs vidit vrbem magnam " * 4, "julius uidit urbem magnam " * 4
    pair = Alignment(a_start=0, a_end=len(given), b_start=0, b_end=len(spelled), similarity=1.0)
    for spec in ("words", "characters:4"):
        plain = count_shares(given, spelled, [pair], tokenizer=spec)
        latin = count_shares(given, spelled, [pair], tokenizer=make_tokenizer(spec, normalize="latin"))
        assert (plain.a.identical, latin.a.identical) == (0, 16)


def test_an_ideograph_is_a_word() -> None:
    a, b = "話說天下大勢分久必合", "話說天下大事分久必合"
    pair = Alignment(a_start=0, a_end=len(a), b_start=0, b_end=len(b), similarity=1.0)
    for tokenizer in ("words", *TOKENIZERS):
        assert count_shares(a, b, [pair], tokenizer=tokenizer).a == (10, 5, 0, 5, 0, 0, 0)


def test_frequencies_of_tokens_that_are_no_words_are_not_used() -> None:
    texts = draw_works(1)
    tokenizer = make_tokenizer("characters")
    found = align(texts["a"], texts["b"], tokenizer=tokenizer)
    frequencies = count_tokens(list(texts.values()), tokenizer)
    counted = count_shares(texts["a"], texts["b"], found, tokenizer=tokenizer, frequencies=frequencies)
    assert counted == found.shares()


def test_quotations_have_a_word_at_least() -> None:
    with pytest.raises(ValueError, match="quotations must be 1 word or more"):
        align("a b c", "a b c", min_pair_length=1).shares(quotations=0)


def test_words_of_an_ignored_passage_are_absent() -> None:
    texts = draw_works(7)
    template = " ".join(texts["a"].split()[50:100])
    shares = align(texts["a"], texts["b"], ignore=[("template", template)]).shares()
    assert (shares.a.words, shares.a.absent, shares.a.identical) == (200, 50, 50)
    assert (shares.b.words, shares.b.absent, shares.b.identical) == (300, 50, 50)


def test_matches_with_a_document_of_an_index_count_as_the_alignment_of_the_two_texts() -> None:
    texts = draw_works(0)
    found = align(texts["d"], texts["a"])
    matches = [
        Match(
            query_name="d",
            query_start=pair.a_start,
            query_end=pair.a_end,
            document="a",
            start=pair.b_start,
            end=pair.b_end,
            similarity=pair.similarity,
            text=texts["a"][pair.b_start : pair.b_end],
        )
        for pair in found
    ]
    elsewhere = msgspec.structs.replace(matches[0], document="b", query_start=0)
    shares = Matches([*matches, elsewhere], query=texts["d"]).shares("a", texts["a"], quotations=5)
    assert shares == found.shares(quotations=5)
    assert len(shares.a_quotations) == 1
    ignored = [Ignored("d", 0, len(texts["d"]), "sheet", 0, 9, 1.0)]
    assert Matches(matches, query=texts["d"], ignored=ignored).shares("a", texts["a"]).a.absent == 240
