import pytest

from ibidem.contamination.detector import Detector, Occurrence, make_detector
from ibidem.contamination.items import Evals, Item
from ibidem.text import Document, Documents, Texts, make_tokenizer
from tests.contamination.samples import EVALS, QUESTIONS, pages

WORDS = make_tokenizer("words")


@pytest.fixture(scope="module")
def detector() -> Detector:
    return make_detector(EVALS, WORDS, [WORDS.encode(Texts.from_strings(pages()))])


def find(detector: Detector, *texts: str) -> list[Occurrence]:
    documents = Documents.of([Document(str(number), text) for number, text in enumerate(texts)])
    return detector.find(documents)[0]


@pytest.mark.parametrize("number", range(3))
def test_a_question_is_found_at_its_place_in_code_points(detector: Detector, number: int) -> None:
    page = f"É {pages(1)[0]}\n{QUESTIONS[number]} {pages(1, seed=2)[0]}"
    (occurrence,) = find(detector, pages(1)[0], page)
    assert (occurrence.document.number, occurrence.document.id, occurrence.part) == (1, "1", number)
    assert occurrence.text == page[occurrence.start : occurrence.end] == QUESTIONS[number].rstrip("?")
    assert (occurrence.eval_start, occurrence.eval_end) == (0, len(QUESTIONS[number]) - 1)
    assert occurrence.containment == pytest.approx(1)
    assert occurrence.similarity == 1


def test_pages_without_an_item_have_none(detector: Detector) -> None:
    assert find(detector, *pages(30, seed=3)) == []


def test_an_answer_beside_its_question_is_noted_and_whether_it_is_correct(detector: Detector) -> None:
    occurrences = find(detector, QUESTIONS[0], f"{QUESTIONS[0]} The Kowie.", f"{QUESTIONS[0]} It is the Bloukrans.")
    assert [(each.answer_found, each.is_correct) for each in occurrences] == [
        (False, None),
        (True, False),
        (True, True),
    ]


def test_the_result_of_a_solution_counts_behind_the_question_that_says_it_itself() -> None:
    question = "Tom buys 12 purple hats in Grahamstown and gives 5 to Ann. How many hats does Tom keep for the 7 fairs?"
    items = [Item("e", "", "", 0, question, answers=("He keeps 12 - 5 = 7 of them.\n#### 7",), correct=0)]
    detector = make_detector(Evals(items), WORDS, [WORDS.encode(Texts.from_strings(pages()))])
    occurrences = find(detector, question, f"{question} The answer is 7.", f"{question} The answer is 8.")
    assert [(each.answer_found, each.is_correct) for each in occurrences] == [
        (False, None),
        (True, True),
        (False, None),
    ]


def test_other_numbers_in_the_place_of_those_of_the_item_are_counted(detector: Detector) -> None:
    same, other = find(detector, QUESTIONS[1], QUESTIONS[1].replace("48", "90"))
    assert (same.same_numbers, same.other_numbers) == (1, 0)
    assert (other.same_numbers, other.other_numbers) == (0, 1)


def test_of_similar_items_the_one_that_explains_a_place_best_has_no_rival() -> None:
    first = "Which element has the symbol Au and is found in the rivers of Lydia near Sardis?"
    second = "Which element has the symbol Ag and is found in the mines of Laurion near Athens?"
    items = [Item("e", "", "", number, text) for number, text in enumerate((first, second))]
    detector = make_detector(Evals(items), WORDS, [WORDS.encode(Texts.from_strings(pages()))])
    occurrences = find(detector, f"{pages(1)[0]} {second}")
    assert [each.part for each in occurrences if not each.rival] == [1]


def test_an_item_of_ideographs_is_found() -> None:
    items = [Item("e", "", "", 0, "話說天下大勢分久必合合久必分")]
    detector = make_detector(Evals(items), WORDS, [WORDS.encode(Texts.from_strings(["臨江仙滾滾長江東逝水" * 20]))])
    (occurrence,) = find(detector, "滾滾長江東逝水，話說天下大勢，分久必合，合久必分。浪花淘盡英雄")
    assert occurrence.text == "話說天下大勢，分久必合，合久必分"
