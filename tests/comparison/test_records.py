"""Pairs as records."""

import ibidem
from ibidem.comparison.records import pair_record


def test_a_record_has_the_texts_the_places_and_the_columns_of_both() -> None:
    verses = {"locators": [[0, 9, "1", "verse"], [9, 40, "2", "verse"]]}
    a = ibidem.Document("x", "one day a man went out", verses | {"author": "Ada"})
    b = ibidem.Document("y", "that day a man went out")
    pair = ibidem.Alignment(a_start=10, a_end=22, b_start=11, b_end=23, similarity=0.9)
    record = pair_record(pair, (a, b), names={"a": "x", "b": "y"})
    assert (record["a"], record["b"], record["similarity"]) == ("x", "y", 0.9)
    assert record["a_text"] == a.text[10:22]
    assert record["b_text"] == b.text[11:23]
    assert record["a_locator"] == "verse 2"
    assert record["a_metadata"] == {"author": "Ada"}
    assert "b_locator" not in record
    assert "a_text" not in pair_record(pair, (a, b), with_text=False)


def test_a_record_counts_the_words_that_hide_behind_letters_of_another_script() -> None:
    a = ibidem.Document("x", "the wolf crossed the river before dawn and nobody saw it")
    b = ibidem.Document("y", a.text.replace("wolf", "w\u043elf").replace("dawn", "d\u0430wn"))
    [pair] = ibidem.align(a.text, b.text, min_pair_length=8)
    record = pair_record(pair, (a, b))
    assert record["similarity"] == 1.0
    assert record["b_look_alikes"] == 2
    assert "a_look_alikes" not in record
