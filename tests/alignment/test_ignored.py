"""Passages that are similar to a text to ignore count as absent, in either text, and are listed."""

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from ibidem import PassageIndex, align, make_tokenizer
from ibidem.alignment.ignored import IgnoredTexts, list_texts
from ibidem.text import Texts

VOCABULARY = [f"w{number}" for number in range(3_000)]


def words(seed: int, count: int) -> list[str]:
    drawn = random.Random(seed)
    return [drawn.choice(VOCABULARY) for _ in range(count)]


SHEET = words(1, 80)
COPY = words(2, 60)


def quote(seed: int, *, changed: int = 0) -> str:
    """A text of its own words, then a part of the sheet, then what two texts share."""
    part = list(SHEET[10:40])
    for place in range(changed):
        part[5 * place + 3] = f"x{seed}"
    return " ".join([*words(seed, 100), *part, *words(seed + 50, 100), *COPY])


@pytest.mark.parametrize("changed", [0, 3])
def test_what_both_texts_have_of_a_text_to_ignore_is_no_pair(changed: int) -> None:
    a, b = quote(3, changed=changed), quote(4, changed=changed)
    assert len(align(a, b, min_pair_length=10)) == 2
    found = align(a, b, min_pair_length=10, ignore=[("sheet", " ".join(SHEET))])
    assert [a[pair.a_start : pair.a_end] for pair in found] == [" ".join(COPY)]
    assert [each.document for each in found.ignored] == ["a", "b"]
    for each, text in zip(found.ignored, (a, b), strict=True):
        passage = text[each.start : each.end].split()
        assert len(set(passage) & set(SHEET)) >= 25
        assert each.text == "sheet"
        assert " ".join(SHEET)[each.text_start : each.text_end].split()[:1] == SHEET[10:11]


def test_a_passage_may_begin_before_what_is_ignored_and_end_behind_it() -> None:
    first, second = words(5, 40), words(6, 40)
    a, b = (" ".join([*first, *SHEET[20:40], *second]) for _ in range(2))
    [pair] = align(a, b, ignore=[" ".join(SHEET)])
    assert (pair.a_start, pair.a_end, pair.similarity) == (0, len(a), 1.0)


def test_a_text_that_is_ignored_whole_has_nothing_to_align() -> None:
    sheet = " ".join(SHEET)
    found = align(sheet, sheet, ignore=[sheet])
    assert not found
    assert [(each.start, each.end, each.similarity) for each in found.ignored] == [(0, len(sheet), 1.0)] * 2


def test_an_index_is_asked_for_the_rest_of_a_text(tmp_path: Path) -> None:
    texts = [("one", " ".join([*SHEET, *words(7, 80)])), ("two", " ".join([*words(8, 80), *COPY]))]
    query = quote(9)
    with PassageIndex.build(tmp_path / "index", texts, min_length=8) as index:
        assert {match.document for match in index.align(query, min_pair_length=10)} == {"one", "two"}
        found = index.align(query, min_pair_length=10, ignore=[" ".join(SHEET)], name="essay")
    assert {match.document for match in found} == {"two"}
    assert [each.document for each in found.ignored] == ["essay"]


def test_a_search_asks_for_the_rest_of_a_query(tmp_path: Path) -> None:
    sheet, answer = " ".join(SHEET[:30]), " ".join(words(11, 40))
    texts = [("sheet", sheet), ("answer", answer), ("both", f"{sheet} {answer}")]
    query = f"{sheet} {answer}"
    with PassageIndex.build(tmp_path / "index", texts, min_length=8) as index:
        whole = index.search(query, threshold=0.5)
        assert {match.document for match in whole} == {"answer", "both"}
        found = index.search(query, threshold=0.5, ignore=[("task", sheet)], name="essay")
        assert {match.document for match in found} == {"answer", "both"}
        for match in found:
            assert query[match.query_start : match.query_end] == answer == match.text
            assert match.similarity == 1.0
        [ignored] = found.ignored
        assert (ignored.document, ignored.text, query[ignored.start : ignored.end]) == ("essay", "task", sheet)
        [again] = index.search_many([query], threshold=0.5, ignore=[("task", sheet)])
        assert list(again) == [structs.replace(match, query_name="0") for match in found]
        assert [structs.replace(each, document="essay") for each in again.ignored] == [ignored]
        [(explained, statistics)] = index.explain_many([query], threshold=0.5, ignore=[("task", sheet)])
        assert list(explained) == list(again)
        assert explained.ignored == again.ignored == statistics.ignored


def test_a_query_that_is_ignored_whole_finds_nothing_and_a_note_says_so(tmp_path: Path) -> None:
    sheet = " ".join(SHEET)
    with PassageIndex.build(tmp_path / "index", [("sheet", sheet)], min_length=8) as index:
        assert len(index.search(sheet)) == 1
        with pytest.warns(UserWarning, match="all of the query is similar to texts to ignore"):
            found = index.search(sheet, ignore=[sheet])
        assert (len(found), len(found.ignored)) == (0, 1)
        first, second = index.explain_many([sheet, " ".join(COPY)], ignore=[sheet])
        assert (len(first[0].ignored), len(second[0].ignored)) == (1, 0)
        with pytest.raises(ValueError, match="no token that has a weight"):
            index.search("!", ignore=[sheet])


@given(st.integers(0, 2**20), st.integers(0, 70), st.integers(8, 60))
def test_a_long_quotation_is_taken_out_and_every_token_keeps_its_place(seed: int, first: int, size: int) -> None:
    part = SHEET[first : first + max(size, 12)]
    own = [f"own{seed}x{number}" for number in range(60)]
    text = " ".join([*own[:30], *part, *own[30:]])
    tokenizer = make_tokenizer("words")
    tokens = tokenizer.encode(Texts.from_strings([text, "other"]), offsets=True)
    kept, ignored = IgnoredTexts((("sheet", " ".join(SHEET)),), tokenizer).take_out(tokens, 0.3, ("text", "other"))
    assert kept.starts is not None
    assert kept.ends is not None
    left = [text[start:end] for start, end in zip(kept.starts[:-1], kept.ends[:-1], strict=True)]
    assert left == (own if len(part) >= 12 else left)
    assert kept.bounds.tolist() == [0, len(left), len(left) + 1]
    assert np.isin(kept.ids, tokens.ids).all()
    assert all(each.document == "text" for each in ignored)


def test_texts_to_ignore_are_a_collection_and_not_one_string() -> None:
    assert list_texts([{"id": "s", "text": "a"}, "b"]) == (("s", "a"), ("1", "b"))
    with pytest.raises(TypeError, match="not one str"):
        align("a", "b", ignore="a sheet")
