from ibidem.contamination.detector import make_detector
from ibidem.contamination.items import Evals, Item
from ibidem.contamination.rounds import Rounds
from ibidem.text import Document, Documents, Texts, make_tokenizer
from tests.contamination.samples import EVALS, QUESTIONS, pages

WORDS = make_tokenizer("words")
SAMPLE = [WORDS.encode(Texts.from_strings(pages()))]
FIRST = make_detector(EVALS, WORDS, SAMPLE)
SIMILAR = "Which river flows through the small village of Cradock in the Western Cape of South Africa?"
LATER = make_detector(Evals([Item("later", "", "", "x", SIMILAR)]), WORDS, SAMPLE)


def documents(*texts: str) -> Documents:
    return Documents.of([Document(str(number), text) for number, text in enumerate(texts)])


def test_one_round_finds_what_its_detector_finds() -> None:
    pages_and_questions = documents(*pages(3), *QUESTIONS)
    assert Rounds.of([FIRST]).find(pages_and_questions) == FIRST.find(pages_and_questions)
    assert Rounds.of([FIRST]).items is FIRST.item_parts


def test_parts_of_later_rounds_are_numbered_behind_those_before() -> None:
    rounds = Rounds.of([FIRST, LATER])
    occurrences, _ = rounds.find(documents(QUESTIONS[0], SIMILAR))
    parts_of_first = len(FIRST.parts)
    assert [(occurrence.document, occurrence.part) for occurrence in occurrences] == [
        (0, 0),
        (0, parts_of_first),
        (1, 0),
        (1, parts_of_first),
    ]
    assert rounds.items.items[int(rounds.items.owners[parts_of_first])].question == SIMILAR
    assert rounds.items.texts[parts_of_first] == SIMILAR
    assert [occurrence.part for occurrence in rounds.find(documents(QUESTIONS[0], SIMILAR), 1)[0]] == [
        parts_of_first,
        parts_of_first,
    ]


def test_of_two_rounds_the_item_of_more_worth_explains_a_place() -> None:
    rounds = Rounds.of([FIRST, LATER])
    occurrences, _ = rounds.find(documents(QUESTIONS[0], SIMILAR))
    marked = rounds.find_rivals([(occurrence.document, occurrence) for occurrence in occurrences])
    assert [occurrence.rival for _, occurrence in marked] == [False, True, True, False]
    alone = [occurrences[1], occurrences[2]]
    assert not any(
        occurrence.rival
        for _, occurrence in rounds.find_rivals([(occurrence.document, occurrence) for occurrence in alone])
    )
