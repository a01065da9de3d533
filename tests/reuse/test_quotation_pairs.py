"""Short quotations: what is found by the order of words, and what is not."""

from typing import Any

from ibidem import find_reuse

from .quotations import around, rows, words

VERSE = words(70, 9)


def answers(*passages: list[str]) -> list[tuple[str, str]]:
    """Documents of 270 words that hold a passage each, and enough others to show what chance gives."""
    quoting = [(f"answer {n}", around(2000 + n, passage)) for n, passage in enumerate(passages)]
    return quoting + [(f"other {n}", around(3000 + n, [])) for n in range(20)]


def verses(*texts: list[str]) -> list[tuple[str, str]]:
    return [(f"verse {n}", " ".join(text)) for n, text in enumerate(texts)] + [
        (f"unsaid {n}", " ".join(words(400 + n, 12))) for n in range(30)
    ]


def found(*arguments: Any, **options: Any) -> list[tuple[str, str, str]]:
    return [(row["a"], row["b"], row["a_text"]) for row in rows(find_reuse(*arguments, texts=True, **options))]


def test_a_part_of_a_long_verse_is_found() -> None:
    known = verses([*words(71, 15), *VERSE, *words(72, 20)])
    expected = [("answer 0", "verse 0", " ".join(VERSE))]
    assert found(answers(VERSE), against=known) == expected
    assert found(answers(VERSE), against=known, recall=1.0) == expected


def test_a_word_that_was_changed_is_passed_over() -> None:
    changed = [*VERSE[:4], "another", *VERSE[5:]]
    ((a, b, text),) = found(answers(changed), against=verses([*words(71, 15), *VERSE, *words(72, 20)]))
    assert (a, b, text) == ("answer 0", "verse 0", " ".join(changed))


def test_the_same_words_in_another_order_are_no_quotation() -> None:
    known = verses([*words(71, 30), *VERSE, *words(72, 30)])
    assert found(answers(VERSE[::-1]), against=known) == []


def test_a_quotation_is_a_part_of_the_shorter_document_unless_a_length_is_asked_for() -> None:
    documents = [*answers(VERSE), ("book", " ".join([*words(500, 400), *VERSE, *words(501, 400)]))]
    assert found(documents) == []
    assert found(documents, min_pair_length=9) == [("answer 0", "book", " ".join(VERSE))]
    assert found(documents, min_pair_length=30) == []


def test_of_a_known_text_eight_words_are_enough() -> None:
    books = [(f"book {n}", " ".join([*words(500 + n, 900), *VERSE, *words(600 + n, 900)])) for n in range(5)]
    known = [(name, text if name == "book 3" else text.replace(" ".join(VERSE), "")) for name, text in books]
    assert found(answers(VERSE[:8]), against=known) == [("answer 0", "book 3", " ".join(VERSE[:8]))]
    assert found(answers(VERSE[:7]), against=known) == []


def test_tokens_that_overlap_have_runs_too() -> None:
    known = verses([*words(71, 15), *VERSE, *words(72, 15)])
    assert found(answers(VERSE), against=known, tokenizer="words:2") == [("answer 0", "verse 0", " ".join(VERSE))]


def test_what_chance_may_give_decides_what_is_a_quotation() -> None:
    known = verses([*words(71, 15), *VERSE, *words(72, 15)])
    assert found(answers(VERSE), against=known, expect=1e-30) == []
    assert len(found(answers(VERSE), against=known, expect=0.1)) == 1
    few, many = (found(answers(VERSE[:4]), against=known, min_pair_length=3, expect=expect) for expect in (1e-3, 1e9))
    assert len(few) < len(many)


def test_documents_of_one_series_are_not_paired() -> None:
    documents = [
        {"id": name, "text": text, "paper": "one"}
        for name, text in answers(VERSE) + verses([*words(71, 15), *VERSE, *words(72, 20)])
    ]
    assert len(found(documents)) == 1
    assert found(documents, series="paper") == []


def test_a_quotation_within_a_passage_that_was_found_is_not_reported_again() -> None:
    passage = words(73, 60)
    assert len(found(answers(passage, passage))) == 1
