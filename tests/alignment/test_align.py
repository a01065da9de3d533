"""Alignment of two texts: what it promises, on texts small enough to try everything."""

import gzip
import json
import math
import random
from itertools import permutations
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ibidem import Alignment, Weighting, align, containment, jaccard
from ibidem.alignment.overlap_evidence import CHANCE, evidence
from ibidem.text import Texts, make_tokenizer
from ibidem.weights import DocumentFrequencies

patient = settings(deadline=None)  # the first example waits for the compiler

FREQUENCIES = DocumentFrequencies.count(
    [make_tokenizer().encode(Texts.from_strings(["a b c d", "a b e", "a f g", "a h"]))]
)

FAMILIES = {
    "set": {"family": "set"},
    "multiset": {"family": "multiset"},
    "weighted": {"family": "weighted", "tf": "logarithmic", "idf": "smooth", "frequencies": FREQUENCIES},
    "weighted, with a token that weighs nothing": {
        "family": "weighted",
        "tf": "raw",
        "idf": "standard",
        "frequencies": FREQUENCIES,
    },
}
every_family = pytest.mark.parametrize("options", FAMILIES.values(), ids=FAMILIES.keys())


def token_ids(text: str) -> np.ndarray:
    return make_tokenizer().encode(Texts.from_strings([text])).ids


def some_words(count: int, seed: int) -> list[str]:
    """Words of a vocabulary of their own, as frequent as in a language."""
    drawn = random.Random(seed)
    return [f"w{seed}x{int(1000 ** drawn.random())}" for _ in range(count)]


pytestmark = pytest.mark.filterwarnings("ignore:nothing can be found", "ignore:neither text is as long as a passage")


@st.composite
def pairs_of_texts(draw: st.DrawFn) -> tuple[str, str]:
    """Two texts of few words, of which the second may hold parts of the first."""
    words = st.lists(st.sampled_from("abcdefgh"), max_size=30)
    a, b = draw(words), draw(words)
    for _ in range(draw(st.integers(0, 2))):
        start = draw(st.integers(0, len(a)))
        b += a[start : start + draw(st.integers(0, 20))] + draw(words)
    return " ".join(a), " ".join(b)


def surely_similar(a: np.ndarray, b: np.ndarray, options: dict, window: int) -> list[tuple[int, int]]:
    """The starts of windows that are similar by 0.65, with evidence beyond chance."""
    if min(len(a), len(b)) < window:
        return []
    weighting = Weighting.of(**options)
    mean = weighting.idf_of(np.concatenate([a, b])).mean() or 1.0
    tf = np.append(0.0, np.diff(weighting.tf_table(2)))[1]
    found = []
    for i in range(len(a) - window + 1):
        for j in range(len(b) - window + 1):
            in_a, in_b = a[i : i + window], b[j : j + window]
            similarity = jaccard(in_a, in_b, weighting)
            if similarity < 0.65:
                continue
            counts = (np.array([np.count_nonzero(side == t) for t in np.union1d(in_a, in_b)]) for side in (in_a, in_b))
            weights = weighting.tf_table(window)[np.maximum(*counts)] / tf * weighting.idf_of(np.union1d(in_a, in_b))
            if evidence(similarity * weights.sum() / mean, weights.sum() / mean, CHANCE) >= math.log(
                10 * len(a) * len(b)
            ):
                found.append((i, j))
    return found


@every_family
@settings(deadline=None, max_examples=20)
@given(texts=pairs_of_texts(), threshold=st.sampled_from([0.1, 0.3]), window=st.sampled_from([2, 4, 8]))
@example(texts=("a a a a a b", "a a b a a a a a b"), threshold=0.1, window=2)
def test_two_surely_similar_windows_always_meet_a_reported_pair(
    options: dict, texts: tuple[str, str], threshold: float, window: int
) -> None:
    a, b = texts
    pairs = align(a, b, threshold=threshold, min_pair_length=window, **options)
    for i, j in surely_similar(token_ids(a), token_ids(b), options, window):
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
@given(texts=pairs_of_texts(), threshold=st.sampled_from([0.3, 0.5, 0.9]), min_pair_length=st.integers(1, 40))
def test_every_reported_pair_is_long_and_similar_enough(
    options: dict, texts: tuple[str, str], threshold: float, min_pair_length: int
) -> None:
    a, b = texts
    weighting = Weighting.of(**options)
    for x in align(a, b, threshold=threshold, min_pair_length=min_pair_length, **options):
        shorter, longer = sorted((token_ids(a[x.a_start : x.a_end]), token_ids(b[x.b_start : x.b_end])), key=len)
        assert x.similarity == jaccard(shorter, longer, weighting)
        if x.kind == "summary":
            assert (x.a_start, x.a_end) == (0, len(a)) or (x.b_start, x.b_end) == (0, len(b))
            assert x.containment == containment(shorter, longer, weighting) >= threshold
        else:
            assert x.containment is None
            assert x.similarity >= threshold
        assert len(longer) >= min_pair_length


@every_family
@settings(deadline=None, max_examples=30)
@given(texts=pairs_of_texts(), min_pair_length=st.integers(1, 12))
def test_a_threshold_only_filters(options: dict, texts: tuple[str, str], min_pair_length: int) -> None:
    thresholds = (0.05, 0.2, 0.3, 0.4, 0.65, 0.9, 1.0)
    found = [align(*texts, threshold=threshold, min_pair_length=min_pair_length, **options) for threshold in thresholds]
    for lower, (threshold, higher) in zip(found, list(zip(thresholds, found, strict=True))[1:], strict=False):
        strength = [x.similarity if x.containment is None else x.containment for x in lower]
        assert higher == [x for x, value in zip(lower, strength, strict=True) if value >= threshold]


def test_a_threshold_only_filters_real_texts(data: Path) -> None:
    texts = {row["id"]: row["text"] for row in read_rows(data / "pan13-train-documents.jsonl.gz")}
    pairs = [(row["suspicious"], row["source"]) for row in read_rows(data / "pan13-train-pairs.jsonl.gz")]
    thresholds = (0.1, 0.3, 0.5, 0.8)
    kept = 0
    for a, b in pairs[::100]:
        found = [list(align(texts[a], texts[b], threshold=threshold)) for threshold in thresholds]
        for lower, (threshold, higher) in zip(found, list(zip(thresholds, found, strict=True))[1:], strict=False):
            strength = [x.similarity if x.containment is None else x.containment for x in lower]
            assert higher == [x for x, value in zip(lower, strength, strict=True) if value >= threshold]
        kept += len(found[-1])
    assert kept > 0


def read_rows(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@patient
@given(pairs_of_texts(), st.integers(1, 8))
def test_pairs_come_in_the_order_of_the_first_text_and_no_two_overlap_in_both(
    texts: tuple[str, str], min_pair_length: int
) -> None:
    pairs = align(*texts, min_pair_length=min_pair_length)
    assert [x.a_start for x in pairs] == sorted(x.a_start for x in pairs)
    for x, y in permutations(pairs, 2):
        in_a = y.a_start < x.a_end and x.a_start < y.a_end
        assert not (in_a and y.b_start < x.b_end and x.b_start < y.b_end)


@every_family
@patient
@given(texts=pairs_of_texts())
def test_exchanging_the_texts_exchanges_the_sides(options: dict, texts: tuple[str, str]) -> None:
    a, b = texts
    if a == b:
        return
    exchanged = {
        msgspec.structs.replace(x, a_start=x.b_start, a_end=x.b_end, b_start=x.a_start, b_end=x.a_end)
        for x in align(b, a, min_pair_length=4, **options)
    }
    assert set(align(a, b, min_pair_length=4, **options)) == exchanged


@pytest.mark.parametrize("threshold", [0.2, 0.5, 1.0])
@pytest.mark.parametrize("length", [16, 100, 5000])
@every_family
def test_a_text_aligns_with_itself_as_a_whole(options: dict, length: int, threshold: float) -> None:
    text = " ".join(some_words(length, seed=1))
    expected = Alignment(a_start=0, a_end=len(text), b_start=0, b_end=len(text), similarity=1.0)
    [pair] = align(text, text, threshold=threshold, min_pair_length=16, **options)
    assert msgspec.structs.replace(pair, expected=None) == expected


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
    first, second, between = some_words(40, seed=1), some_words(40, seed=2), some_words(100, seed=3)
    pairs = align(" ".join(first + between + second), " ".join(second + first))
    assert [x.similarity for x in pairs] == [1.0, 1.0]
    assert pairs[0].b_start > pairs[1].b_start


def test_positions_are_code_points_of_the_texts_as_given() -> None:
    passage = "Ünë ñandú ﬁnd 𝒂𝒃 𐐷𐐲 Straße naïve coöperate Ångström résumé façade Zoë Brontë piñata jalapeño Dvořák"
    a, b = f"🙂🙂 {passage} 🙂", f"\ud800 other 🙂🙂🙂 {passage}!"
    [pair] = align(a, b, min_pair_length=12)
    assert a[pair.a_start : pair.a_end] == b[pair.b_start : pair.b_end] == passage


@pytest.mark.parametrize(("a", "b"), [("", ""), ("", "word " * 20), ("word " * 15, "word " * 15), ("?!", "...")])
def test_a_text_shorter_than_min_length_has_no_passages(a: str, b: str) -> None:
    assert align(a, b, min_pair_length=16) == []


def test_short_texts_are_searched_for_short_passages() -> None:
    [pair] = align("So he said: the readiness is all, and went.", "The readiness is all!")
    assert (pair.a_start, pair.a_end, pair.b_start, pair.b_end) == (12, 32, 0, 20)


def test_tokens_without_weight_are_not_similar() -> None:
    assert (
        align("a a a a", "a a a a", min_pair_length=2, family="weighted", idf="standard", frequencies=FREQUENCIES) == []
    )


def test_a_long_text_of_one_word_is_one_passage() -> None:
    [pair] = align("word " * 20_000, "word " * 19_000)
    assert pair.similarity == pytest.approx(math.log(19_001) / math.log(20_001))


def test_characters_can_be_the_tokens() -> None:
    a, b = "一二三四五六七八九十天地玄黄宇宙洪荒", "日月盈昃一二三四五六七八九十天地玄黄宇宙洪荒辰宿列张"
    [pair] = align(a, b, tokenizer="characters:2", min_pair_length=16)
    assert (pair.a_start, pair.a_end, pair.b_start, pair.b_end) == (0, 18, 4, 22)


@pytest.mark.parametrize(
    "options",
    [
        {"threshold": 0.0},
        {"threshold": 1.01},
        {"threshold": -1.0},
        {"threshold": float("nan")},
        {"min_pair_length": 0},
        {"family": "bag"},
        {"family": "weighted", "idf": "rare"},
        {"family": "multiset", "idf": "smooth"},
        {"tokenizer": "sentences"},
    ],
    ids=str,
)
def test_a_wrong_argument_is_a_value_error(options: dict) -> None:
    with pytest.raises(ValueError):
        align("some text", "some text", **options)


def some_text(length: int, seed: int) -> str:
    return " ".join(some_words(length, seed))


def test_words_weigh_by_how_rare_they_are_in_the_two_texts() -> None:
    common, rare = (
        "of the and in " * 30,
        "Ur Uruk Eridu Lagash Nippur Kish Isin Larsa Umma Sippar Akkad Mari Ebla Susa Assur",
    )
    changed = rare.replace("Uruk", "the").replace("Kish", "of")
    [weighed] = align(f"{common} x {rare} y", f"{changed} z", min_pair_length=8)
    [counted] = align(f"{common} x {rare} y", f"{changed} z", min_pair_length=8, family="multiset")
    assert weighed.similarity > counted.similarity


def test_weights_are_counted_in_the_texts_if_no_frequencies_are_given() -> None:
    a, b = some_text(300, 1) + " " + some_text(50, 2), some_text(50, 2) + " " + some_text(200, 3)
    tokens = token_ids(f"{a} {b}")
    counted = DocumentFrequencies(*np.unique(tokens, return_counts=True), len(tokens))
    weighting = {"family": "weighted", "tf": "logarithmic", "idf": "smooth", "frequencies": counted}
    [pair] = align(a, b)
    assert [pair] == align(a, b, **weighting)
    passages = token_ids(a[pair.a_start : pair.a_end]), token_ids(b[pair.b_start : pair.b_end])
    assert pair.similarity == jaccard(*passages, Weighting.of(**weighting))


def test_words_that_two_passages_repeat_each_for_itself_are_no_similarity(monkeypatch: pytest.MonkeyPatch) -> None:
    form = ["def", "lt", "self", "other", "if", "not", "isinstance", "other", "return"]

    def text(seed: int) -> str:
        drawn, around = random.Random(seed), some_words(800, seed)
        passage = [
            word for n in range(16) for word in (*drawn.sample(form, 6), *(f"own{seed}x{n}x{k}" for k in "abcd"))
        ]
        return " ".join(around[:400] + passage + around[400:])

    texts = text(71), text(72)
    assert align(*texts) == align(*texts, tf="raw") == []
    monkeypatch.setattr("ibidem.alignment.selection.measure_unforetold", lambda *_: math.inf)
    assert align(*texts, tf="raw") != []
    assert align(*texts) == []


def test_a_passage_rewritten_from_end_to_end_is_one_passage() -> None:
    drawn, passage = random.Random(4), some_words(120, seed=20)
    rewritten = [word if drawn.random() < 0.6 else f"other{n}" for n, word in enumerate(passage)]
    drawn.shuffle(rewritten)
    a = some_words(400, 21) + passage + some_words(400, 22)
    b = some_words(300, 23) + rewritten + some_words(200, 24)
    [pair] = align(" ".join(a), " ".join(b))
    assert abs(" ".join(b)[: pair.b_start].count(" ") - 300) <= 8
    assert abs(" ".join(b)[: pair.b_end].count(" ") - 419) <= 8


def text_with_a_summary() -> tuple[str, str, str]:
    """A text, a source, and the passage of the text that sums the source up."""
    source, drawn = [f"source{n}" for n in range(900)], random.Random(4)
    summary = source[::9]
    drawn.shuffle(summary)
    return f"{some_text(300, 31)} {' '.join(summary)} {some_text(300, 32)}", " ".join(source), " ".join(summary)


def test_a_passage_that_sums_up_the_other_text_is_reported_with_all_of_it() -> None:
    a, b, summary = text_with_a_summary()
    [pair] = align(a, b)
    assert (pair.kind, pair.b_start, pair.b_end) == ("summary", 0, len(b))
    assert a[pair.a_start : pair.a_end] == summary
    assert pair.containment == 1.0
    assert pair.similarity < 0.2
    [exchanged] = align(b, a)
    assert (exchanged.b_start, exchanged.b_end) == (pair.a_start, pair.a_end)


def test_summaries_can_be_left_out() -> None:
    a, b, _ = text_with_a_summary()
    assert align(a, b, summaries=False) == []


@every_family
@settings(deadline=None, max_examples=30)
@given(texts=pairs_of_texts(), min_pair_length=st.integers(1, 12))
def test_similar_pairs_are_the_same_with_summaries_and_without(
    options: dict, texts: tuple[str, str], min_pair_length: int
) -> None:
    found = align(*texts, min_pair_length=min_pair_length, **options)
    similar = align(*texts, min_pair_length=min_pair_length, summaries=False, **options)
    assert [each for each in found if each.kind == "similar"] == list(similar)


def test_a_summary_stands_beside_what_is_copied_into_it() -> None:
    a, b, summary = text_with_a_summary()
    copied = " ".join(f"source{n}" for n in range(300, 360))
    a = a.replace(summary, f"{summary} {copied}")
    similar, summed_up = sorted(align(a, b), key=lambda pair: pair.kind)
    assert [similar.kind, summed_up.kind] == ["similar", "summary"]
    assert b[similar.b_start : similar.b_end] == copied
    assert summary in a[summed_up.a_start : summed_up.a_end]


@pytest.mark.parametrize("threshold", [0.1, 0.3, 0.9, 1.0])
def test_a_copy_inside_a_summary_is_never_hidden_by_it(threshold: float) -> None:
    a, b, summary = text_with_a_summary()
    copied = " ".join(f"source{n}" for n in range(300, 360))
    start = a.index(summary) + len(summary) + 1
    pairs = align(a[:start] + copied + " " + a[start:], b, threshold=threshold)
    assert any(
        x.kind == "similar" and x.a_start <= start and start + len(copied) <= x.a_end and x.similarity >= threshold
        for x in pairs
    )


def test_a_copied_passage_is_not_called_a_summary() -> None:
    passage = some_text(60, 40)
    a, b = (
        f"{some_text(500, 41)} {passage} {some_text(300, 42)}",
        f"{some_text(300, 43)} {passage} {some_text(200, 44)}",
    )
    [pair] = align(a, b)
    assert b[pair.b_start : pair.b_end] == passage


def test_a_passage_that_the_other_text_has_twice_and_little_else_is_found_twice() -> None:
    passage = " ".join(some_words(70, 1))
    pairs = align(f"{passage} {' '.join(some_words(70, 2))}", f"{passage} or {passage}")
    assert [(pair.b_start, pair.b_end) for pair in pairs] == [
        (0, len(passage)),
        (len(passage) + 4, 2 * len(passage) + 4),
    ]


def test_characters_that_a_whole_text_shares_with_a_passage_from_it_are_no_passage() -> None:
    drawn = random.Random(51)
    source = "".join(chr(0x4E00 + int(400 ** drawn.random())) for _ in range(8000))
    host = "".join(chr(0x6000 + int(400 ** drawn.random())) for _ in range(2000))
    [pair] = align(host[:900] + source[3000:3300] + host[900:], source, tokenizer="characters")
    ends = np.array([pair.a_start, pair.a_end, pair.b_start, pair.b_end])
    assert (abs(ends - [900, 1200, 3000, 3300]) <= 3).all()


REPEATED = {
    "refrain": [
        "row",
        "row",
        "row",
        "your",
        "boat",
        "gently",
        "down",
        "the",
        "stream",
        "merrily",
        "merrily",
        "life",
        "is",
        "but",
        "a",
        "dream",
    ]
    * 20,
    "log": ["info", "request", "served", "in", "ms"] * 60,
    "code": ["for", "i", "in", "range", "n", "do", "print", "value", "i", "end"] * 40,
    "letters": [random.Random(3 + n).choice("acgt") for n in range(400)],
    "tags": ["div", "li", "span", "p"] * 63,
    "passage": [f"word{n}" for n in range(172)] * 3,
}


@pytest.mark.parametrize("name", REPEATED)
def test_a_text_that_repeats_itself_is_found_whole_also_with_a_word_changed(name: str) -> None:
    text = REPEATED[name]
    changed = [*text[: len(text) // 2], "zzz", *text[len(text) // 2 + 1 :]]
    [pair] = align(" ".join(text), " ".join(text))
    assert (pair.a_start, pair.b_start, pair.similarity) == (0, 0, 1.0)
    assert pair.a_end == pair.b_end == len(" ".join(text))
    found = align(" ".join(text), " ".join(changed))
    assert sum(pair.b_end - pair.b_start for pair in found) >= 0.95 * len(" ".join(changed))


def test_one_word_or_a_name_is_no_passage_even_where_it_is_the_whole_text() -> None:
    assert [len(align(text, text)) for text in ("hello", "Ada Lovelace", "Ada King Lovelace")] == [0, 0, 1]
    assert len(align("hello", "hello", min_pair_length=1)) == 1
