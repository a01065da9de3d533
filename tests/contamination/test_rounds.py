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
    given = documents(*pages(3), *QUESTIONS)
    assert Rounds.of([FIRST]).find(given) == FIRST.find(given)
    assert Rounds.of([FIRST]).items is FIRST.item_parts


def test_parts_of_later_rounds_are_numbered_behind_those_before() -> None:
    rounds = Rounds.of([FIRST, LATER])
    found, _ = rounds.find(documents(QUESTIONS[0], SIMILAR))
    own = len(FIRST.parts)
    assert [(each.document, each.part) for each in found] == [(0, 0), (0, own), (1, 0), (1, own)]
    assert rounds.items.items[int(rounds.items.owners[own])].question == SIMILAR
    assert rounds.items.texts[own] == SIMILAR
    assert not rounds.items.has_numbers
    assert [each.part for each in rounds.find(documents(QUESTIONS[0], SIMILAR), 1)[0]] == [own, own]


def test_of_two_rounds_the_item_of_more_worth_explains_a_place() -> None:
    rounds = Rounds.of([FIRST, LATER])
    found, _ = rounds.find(documents(QUESTIONS[0], SIMILAR))
    marked = rounds.find_rivals([(each.document, each) for each in found])
    assert [each.rival for _, each in marked] == [False, True, True, False]
    alone = [found[1], found[2]]
    assert not any(each.rival for _, each in rounds.find_rivals([(each.document, each) for each in alone]))
