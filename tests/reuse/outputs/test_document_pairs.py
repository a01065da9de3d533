"""Pairs of documents: the words that they share, counted once, without what is left out, the strongest pair first."""

import random
import re
from pathlib import Path

import numpy as np
import pytest

from ibidem import Alignment, find_reuse
from ibidem.comparison import count_shares
from ibidem.resources import Resources
from ibidem.reuse.collection import Collection
from ibidem.reuse.outputs.document_pairs import CountedWords, count_shared_words, describe_pair
from ibidem.reuse.pairs import Pairs
from ibidem.reuse.question import Question
from tests.reuse.small_collections import find_in

DRAWN = random.Random(5)
VOCABULARY = [f"word{number}" for number in range(3000)]


def prose(length: int) -> list[str]:
    return DRAWN.choices(VOCABULARY, k=length)


SHARED, LONG = prose(60), prose(120)
TEXTS = {
    "a": [*prose(100), *SHARED, *prose(100), *LONG],
    "b": [*SHARED, *prose(200)],
    "c": [*LONG[60:], *LONG[:60], *prose(50)],
    "d": [word if at % 5 else f"new{at}" for at, word in enumerate(LONG)],
    "e": prose(150),
}
WORKS = [(id, " ".join(words)) for id, words in TEXTS.items()]
COPIED = {"a": {*range(100, 160), *range(260, 380)}, "b": range(60), "c": range(120), "d": range(120), "e": ()}
"""Which words of each text are copied from another, or changed in a copy."""


@pytest.fixture
def collection(tmp_path: Path) -> tuple[Collection, Pairs]:
    """The collection, and two passages that overlap in ``a`` and are the same in ``b``."""
    reuse = find_in([WORKS], Question(), tmp_path, Resources.of("64M", 1, None))
    assert reuse.collection is not None
    ranges = np.array([[100, 160, 0, 60], [110, 165, 10, 65]])
    unknown = np.full(2, np.nan)
    pairs = Pairs(np.array([[0, 1], [0, 1]]), ranges, np.ones(2), np.array([30.0, 20.0]), np.zeros(2, bool), unknown)
    return reuse.collection, pairs


def test_quotations_of_the_other_document_are_listed_with_their_places() -> None:
    quoting = f"{' '.join(prose(20))} “{' '.join(SHARED[:30])}” and “{' '.join(prose(12))}” {' '.join(SHARED[30:])}"
    texts = {"q": quoting, "s": " ".join(SHARED)}
    assert "a_quotations" not in find_reuse(texts.items()).document_pairs.column_names
    (row,) = find_reuse(texts.items(), quotations=5).document_pairs.to_pylist()
    (quotation,) = row["a_quotations"]
    assert quoting[quotation["start"] : quotation["end"]] == " ".join(SHARED[:30])
    assert quotation["words"] == quotation["quoted"] == row["a_quoted"] == 30
    assert row["b_quotations"] == []
    assert (row["b_identical"], row["a_identical"]) == (60, 30)


def test_copies_moved_parts_and_changed_words_are_counted_as_what_they_are() -> None:
    reuse = find_reuse(WORKS)
    rows = {(row["a"], row["b"]): row for row in reuse.document_pairs.to_pylist()}
    assert set(rows) == {("a", "b"), ("a", "c"), ("a", "d"), ("c", "d")}
    ab, ac, ad = rows["a", "b"], rows["a", "c"], rows["a", "d"]
    assert (ab["a_words"], ab["a_identical"], ab["a_moved"], ab["a_changed"]) == (380, 60, 0, 0)
    assert (ab["b_words"], ab["b_identical"]) == (260, 60)
    assert (
        ac["a_identical"] + ac["a_moved"]
        == ac["c_identical" if "c_identical" in ac else "b_identical"] + ac["b_moved"]
        == 120
    )
    assert ad["b_identical"] == 0  # every fifth word is another one, so no run has five words
    assert 116 <= ad["b_changed"] <= 120
    assert ad["b_similar_share"] > 0.95
    documents = {row["document"]: row["reused_tokens"] for row in reuse.documents.to_pylist()}
    assert documents["a"] == 180
    assert documents["e"] == 0


def test_quotations_count_as_quoted_alone_if_they_are_long_enough() -> None:
    copied, said = " ".join(SHARED), " ".join(LONG[:50])
    before, behind = " ".join(prose(80)), " ".join(prose(80))
    given = [
        ("essay", f"{before} {copied} as „{said}“ and “{LONG[60]}” {behind}"),
        ("book", f"{copied} {' '.join(LONG)}"),
    ]
    plain, asked, long = (find_reuse(given, quotations=least) for least in (None, 5, 51))
    for found in (plain, long):
        [row] = found.document_pairs.to_pylist()
        assert (row["b_words"], row["b_identical"], row["b_quoted"]) == (273, 110, 0)
    [row] = asked.document_pairs.to_pylist()
    assert (row["b_words"], row["b_identical"], row["b_quoted"]) == (273, 60, 50)
    assert (row["a_words"], row["a_identical"], row["a_quoted"]) == (180, 110, 0)
    assert (
        "essay: 60 of 273 words (22 %) are in book, too, in runs of five or more, 50 more quoted"
        in describe_pair(row)[1]
    )
    assert asked.pairs.equals(plain.pairs)
    assert {row["document"]: row["reused_tokens"] for row in asked.documents.to_pylist()}["essay"] == 60
    with pytest.raises(ValueError, match="quotations must be 1 word or more"):
        find_reuse(given, quotations=0)


@pytest.mark.parametrize("tokenizer", ["characters:4", "words:2"])
def test_words_are_counted_whatever_a_token_is(tokenizer: str) -> None:
    texts = dict(WORKS)
    reuse = find_reuse(WORKS, tokenizer=tokenizer, quotations=5)
    passages: dict[tuple[str, str], list[Alignment]] = {}
    for row in reuse.pairs.to_pylist():
        places = {f"{side}_{end}": row[f"{side}_{end}"] for side in "ab" for end in ("start", "end")}
        pair = Alignment(**places, similarity=row["similarity"], kind=row["kind"])
        passages.setdefault((row["a"], row["b"]), []).append(pair)
    rows = {(row["a"], row["b"]): row for row in reuse.document_pairs.to_pylist()}
    assert set(rows) == set(passages) >= {("a", "b"), ("a", "c"), ("a", "d")}
    for (a, b), row in rows.items():
        counted = count_shares(texts[a], texts[b], passages[a, b]).to_dict()
        assert counted == {name: row[name] for name in counted}
    assert rows["a", "b"]["a_words"] == len(TEXTS["a"])
    assert 57 <= rows["a", "b"]["a_identical"] <= 60


def test_a_token_is_reused_if_each_word_that_it_touches_is() -> None:
    """Every word begins alike, so a passage in which parts were moved ends eight words late: these are no copy."""
    reuse = find_reuse(WORKS, tokenizer="characters:4")
    texts = dict(WORKS)
    shared: dict[str, set[int]] = {name: set() for name in texts}
    for row in reuse.pairs.to_pylist():
        for side in "ab":
            shared[row[side]].update(range(row[f"{side}_start"], row[f"{side}_end"]))
    for row in reuse.documents.to_pylist():
        name, text = row["document"], texts[row["document"]]
        words = [range(*word.span()) for word in re.finditer(r"\S+", text)]
        in_passages = _tokens_of(text, {at for places in words if set(places) <= shared[name] for at in places})
        copied = _tokens_of(text, {at for nth in COPIED[name] for at in words[nth]})
        assert row["tokens"] == len(text) - 3
        assert row["reused"] == row["reused_tokens"] / row["tokens"]
        assert 0.98 * copied <= row["reused_tokens"] <= in_passages


def _tokens_of(text: str, places: set[int]) -> int:
    """How many runs of four characters touch only words at these places."""
    return sum(all(at in places or text[at] == " " for at in range(first, first + 4)) for first in range(len(text) - 3))


def test_the_pair_of_most_evidence_is_first() -> None:
    evidence = find_reuse(WORKS).document_pairs.column("evidence").to_pylist()
    assert evidence == sorted(evidence, reverse=True)
    assert len(set(evidence)) > 1


def test_words_of_passages_that_overlap_count_once(collection: tuple[Collection, Pairs]) -> None:
    [row] = count_shared_words(*collection, CountedWords(collection[0])).table.to_pylist()
    assert (row["passages"], row["evidence"]) == (2, 50.0)
    assert row["a_identical"] == 60
    assert row["a_identical"] + row["a_changed"] + row["a_similar"] == 65


def test_what_is_quoted_counts_as_words_and_not_as_shared(collection: tuple[Collection, Pairs]) -> None:
    class Words(CountedWords):
        def find_quoted(self, document: int) -> list[tuple[int, int]]:
            return {0: [(90, 120), (0, 5)], 1: [(0, 20)]}[document]

    shared = count_shared_words(*collection, Words(collection[0], quotations=1))
    [row] = shared.table.to_pylist()
    assert (row["a_words"], row["a_identical"]) == (380, 40)
    assert (row["b_words"], row["b_identical"]) == (260, 40)
    assert describe_pair(row)[0].startswith("a: 40 of 380 words (11 %) are in b, too")
    assert shared.reused[0] <= 45


def test_names_and_their_order_change_no_count() -> None:
    texts = [" ".join(words) for words in TEXTS.values()]

    def shares_of(names: str) -> dict[frozenset[str], dict[str, float]]:
        """The shares of both documents of each pair, by the names that they have in ``TEXTS``."""
        texts_by_name = dict(zip(names, TEXTS, strict=True))
        rows = find_reuse(zip(names, texts, strict=True)).document_pairs.to_pylist()
        pair_shares = [{texts_by_name[row[side]]: row[f"{side}_identical_share"] for side in "ab"} for row in rows]
        return {frozenset(shares): shares for shares in pair_shares}

    assert shares_of("abcde") == shares_of("edcba")
