"""The JSON of a report: the most important pairs first, as many as there is room for, and nothing that is private."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import ibidem
from ibidem.web.report import FoundPair
from ibidem.web.report.content import Content, Privacy, make_content, snap_to_words

from .samples import SOURCES, found_pairs

WORDS = ibidem.make_tokenizer("words")
PAIRS = list(found_pairs())


def content(privacy: Privacy = Privacy(), most_bytes: int = 10**7) -> Content:  # noqa: B008
    return make_content(PAIRS, SOURCES, WORDS, privacy, most_bytes)


def rows(made: Content) -> list[tuple[Any, ...]]:
    """The pairs by the names of their documents, with the passages."""
    names = [document["name"] for document in made.documents]
    a, b = ([names[number] for number in made.columns[side]] for side in "ab")
    ranges = (made.columns[name] for name in ("a_start", "a_end", "b_start", "b_end"))
    return list(zip(a, b, *ranges, strict=True))


@given(st.text(alphabet="ab \u4e2d\u0e01'", max_size=40), st.data())
def test_a_passage_that_is_snapped_to_words_cuts_none_and_gains_no_other(text: str, data: st.DataObject) -> None:
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    first, last = snap_to_words(text, start, end)
    assert first <= start <= end <= last
    assert not (text[first:start] + text[end:last]).strip("ab")
    if start < end and first > 0 and text[first] in "ab":
        assert text[first - 1] not in "ab"


def test_each_pair_has_its_columns_and_its_comparison() -> None:
    made = content()
    expected = [(pair.a, pair.b, pair.a_start, pair.a_end, pair.b_start, pair.b_end) for pair in PAIRS]
    assert sorted(rows(made)) == sorted(expected)
    assert (made.left_out, made.without_text, len(made.comparisons)) == (0, 0, len(PAIRS))
    for row, line in zip(rows(made), map(json.loads, made.comparisons), strict=True):
        assert (line["a"]["document"], line["b"]["document"]) == row[:2]
        assert line["a"]["text"] == SOURCES[row[0]].text[row[2] : row[3]]
        assert line["reasons"] is not None
    assert {document["name"]: document["date"] for document in made.documents}["quay"] == "1911"


def test_the_most_important_pairs_come_first() -> None:
    made = content()
    lengths = [max(row[3] - row[2], row[5] - row[4]) for row in rows(made)]
    importance = [length * share for length, share in zip(lengths, made.columns["similarity"], strict=True)]
    assert importance == sorted(importance, reverse=True)


def test_what_has_no_room_is_counted_and_the_rest_is_the_beginning_of_the_whole() -> None:
    whole = content()
    for most_bytes in (0, 2_000, 5_000, 12_000):
        made = content(most_bytes=most_bytes)
        assert made.left_out + len(made.comparisons) == len(PAIRS)
        assert sum(map(len, made.comparisons)) <= most_bytes
        assert rows(made) == rows(whole)[: len(made.comparisons)]
        without = [not json.loads(line)["a"]["text"] for line in made.comparisons]
        assert sum(without) == made.without_text
    assert content(most_bytes=0).comparisons == []


def test_an_anonymous_report_has_numbers_for_names_and_no_dates() -> None:
    made = content(Privacy(anonymous=True))
    assert [document["name"] for document in made.documents] == [
        f"Document {n + 1}" for n in range(len(made.documents))
    ]
    assert {document["date"] for document in made.documents} == {None}
    for line in map(json.loads, made.comparisons):
        assert (line["a"]["document"], line["a"]["locators"], line["b"]["metadata"]) == ("", [], {})
        assert line["a"]["text"]


def test_without_texts_neither_passages_nor_words_are_told() -> None:
    for line in map(json.loads, content(Privacy(texts=False)).comparisons):
        assert {line[side][part] for side in "ab" for part in ("text", "before", "after")} == {""}
        assert line["reasons"] is None
        assert line["runs"]


def test_no_comparison_can_end_the_element_that_holds_it() -> None:
    assert all(b"<" not in line for line in content().comparisons)
    assert any("<img" in json.loads(line)["a"]["text"] for line in content().comparisons)


def test_a_passage_that_was_found_where_it_stands_is_no_pair() -> None:
    itself = FoundPair.of_alignment(
        ibidem.Alignment(a_start=0, a_end=9, b_start=0, b_end=9, similarity=1.0), ("ferry", "ferry")
    )
    assert make_content([itself], SOURCES, WORDS, Privacy(), 10**6).comparisons == []
