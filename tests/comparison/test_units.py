"""Which unit stands for which, and what a unit is."""

import gzip
import json
from collections import defaultdict
from pathlib import Path

import pytest

import ibidem
from ibidem.comparison.units import align_units, cut_units

Spans = list[tuple[int, int, int]]


def texts_of(text: str, units: str) -> list[tuple[str, str]]:
    return [(unit.label, text[unit.start : unit.end]) for unit in cut_units(text, units)]


def test_lines_keep_their_numbers() -> None:
    assert texts_of("one\n\ntwo \r\nthree", "line") == [("1", "one"), ("3", "two"), ("4", "three")]


def test_paragraphs_end_at_an_empty_line() -> None:
    assert texts_of("one\ntwo\n\n \n three\n", "paragraph") == [("1", "one\ntwo"), ("2", "three")]


def test_sentences_end_with_their_marks_and_what_closes_them() -> None:
    text = 'He said "No!" She left... 3.5 times? Yes\n\nA heading\n\nLast'
    assert [sentence for _, sentence in texts_of(text, "sentence")] == [
        'He said "No!"',
        "She left...",
        "3.5 times?",
        "Yes",
        "A heading",
        "Last",
    ]
    assert [sentence for _, sentence in texts_of("子曰。學而時習之！「好。」是", "sentence")] == [
        "子曰。",
        "學而時習之！",
        "「好。」",
        "是",
    ]


@pytest.mark.parametrize("units", ["line", "sentence", "paragraph"])
@pytest.mark.parametrize("text", ["", "   \n\n ", "\n"])
def test_an_empty_text_has_no_unit(text: str, units: str) -> None:
    assert cut_units(text, units) == []
    assert align_units(text, text, units) == []


def test_ranges_of_the_users_own_keep_their_labels_and_come_in_order() -> None:
    assert [unit.label for unit in cut_units("one two", [(4, 7, "b"), (0, 3, "a")])] == ["a", "b"]
    assert [unit.label for unit in cut_units("one two", [(0, 3), (4, 7)])] == ["1", "2"]


def test_what_is_no_unit_is_told() -> None:
    with pytest.raises(ValueError, match="no unit is called 'verse'; there are line, sentence, paragraph"):
        cut_units("", "verse")
    with pytest.raises(ValueError, match="the unit '1', 0 to 9, lies outside of a text of 3"):
        cut_units("one", [(0, 9)])


def test_a_sentence_that_was_cut_in_two_has_two_partners() -> None:
    a = "The ferry came in at last with all its lanterns lit and the whole street ran down. Nobody slept."
    b = "The ferry came in at last with all its lanterns lit. And the whole street ran down. Nobody slept."
    assert [(pair.a_unit, pair.b_unit) for pair in align_units(a, b, "sentence")] == [
        ("1", "1"),
        ("1", "2"),
        ("2", "3"),
    ]


def test_units_that_moved_are_found() -> None:
    a = "The captain called the names from the rail.\nEverybody waited by the harbour wall.\nThe storm had gone east."
    b = "Everybody waited by the harbour wall.\nThe storm had gone east.\nThe captain called the names from the rail."
    found = align_units(a, b, "line")
    assert [(pair.a_unit, pair.b_unit, pair.similarity) for pair in found] == [
        ("1", "3", 1),
        ("2", "1", 1),
        ("3", "2", 1),
    ]


def test_only_units_in_the_pair_of_passages_are_aligned() -> None:
    a, b = "one two three. four five six.", "one two three. four five six."
    pair = ibidem.Alignment(a_start=0, a_end=16, b_start=0, b_end=29, similarity=0.5)
    assert [(unit.a_unit, unit.b_unit) for unit in align_units(a, b, "sentence", pair)] == [("1", "1")]


def chapter(verses: list[tuple[int, str]]) -> tuple[str, Spans]:
    text, spans = "", []
    for number, verse in verses:
        start = len(text) + 1 if text else 0
        text = f"{text} {verse}" if text else verse
        spans.append((start, len(text), number))
    return text, spans


def test_every_verse_of_ruth_stands_for_itself_in_two_translations(data: Path) -> None:
    chapters: dict[tuple[str, int], list[tuple[int, str]]] = defaultdict(list)
    with gzip.open(data / "bibles-en.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if row["book"] == "ruth":
                chapters[row["version"], row["chapter"]].append((row["verse"], row["text"]))
    for number in range(1, 5):
        (a, verses_a), (b, verses_b) = chapter(chapters["kjv1611", number]), chapter(chapters["web", number])
        found = [(pair.a_unit, pair.b_unit) for pair in align_units(a, b, (verses_a, verses_b))]
        assert found == [(str(verse), str(verse)) for _, _, verse in verses_b]
