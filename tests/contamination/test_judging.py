import pytest

from ibidem.contamination.detector import Detector, Occurrence, Origin, make_detector
from ibidem.contamination.items import Evals, Item
from ibidem.contamination.judging import judge_occurrences, list_too_short
from ibidem.text import Texts, make_tokenizer
from tests.contamination.samples import QUESTIONS, pages

WORDS = make_tokenizer("words")
PASSAGE = "Grahamstown lies on the Bloukrans, and was founded in 1812 as a post of soldiers on the frontier."


@pytest.fixture(scope="module")
def detector() -> Detector:
    items = [Item("e", "", "", 0, QUESTIONS[0], PASSAGE), Item("e", "", "", 1, "Is it so?")]
    return make_detector(Evals(items), WORDS, [WORDS.encode(Texts.from_strings(pages()))])


def occurrence(part: int = 0, document: int = 0, source: str = "", **changes: object) -> Occurrence:
    whole = Occurrence(
        Origin(document, document, "", source),
        part,
        0,
        90,
        0,
        90,
        90.0,
        1.0,
        1.0,
        0,
        0,
        "",
        False,
        None,
        False,
        1.0,
        0,
        "text",
    )
    return whole._replace(**changes)


def judge(detector: Detector, *occurrences: Occurrence, tokens: int = 5_000) -> list[str]:
    judgements = judge_occurrences(detector, occurrences, tokens, 0.5)
    return [judgement.kind for judgement in judgements]


def test_a_whole_question_is_a_leak(detector: Detector) -> None:
    assert judge(detector, occurrence()) == ["leak"]


def test_a_passage_is_a_source_unless_its_question_stands_in_the_document_too(detector: Detector) -> None:
    passage = occurrence(1)
    assert judge(detector, passage) == ["source"]
    assert judge(detector, passage, occurrence()) == ["leak", "leak"]
    assert judge(detector, passage, occurrence(document=1)) == ["source", "leak"]


def test_other_numbers_make_a_template(detector: Detector) -> None:
    assert judge(detector, occurrence(other_numbers=2, same_numbers=1)) == ["template"]
    assert judge(detector, occurrence(other_numbers=1, same_numbers=1)) == ["leak"]


def test_a_place_without_most_of_what_distinguishes_an_item_is_of_a_template(detector: Detector) -> None:
    assert judge(detector, occurrence(distinct=0.7)) == ["template"]
    assert judge(detector, occurrence(distinct=0.75)) == ["leak"]


def test_a_question_that_is_asked_of_several_passages_is_a_leak_beside_its_own_alone() -> None:
    asked = "What is the best title of the passage that is given here in the book of exercises?"
    items = [Item("e", "", "", 0, asked, PASSAGE), Item("e", "", "", 1, asked, "Of the bakers of Leiden in the war.")]
    common = make_detector(Evals(items), WORDS, [WORDS.encode(Texts.from_strings(pages()))])
    assert judge(common, occurrence()) == ["template"]
    assert judge(common, occurrence(), occurrence(1, containment=0.6)) == ["template", "source"]
    assert judge(common, occurrence(), occurrence(1)) == ["leak", "leak"]
    assert judge(common, occurrence(), occurrence(1, distinct=0.1)) == ["template", "source"]


def test_of_items_of_one_question_the_one_whose_choices_are_there_is_the_leak() -> None:
    asked = "Which of these four towns lies on the Bloukrans in the Eastern Cape of South Africa?"
    items = [Item("e", "", "", n, asked, answers=(f"town {n}", f"place {n}")) for n in range(2)]
    same = make_detector(Evals(items), WORDS, [WORDS.encode(Texts.from_strings(pages()))])
    assert judge(same, occurrence(), occurrence(1)) == ["leak", "leak"]
    assert judge(same, occurrence(answer_found=True), occurrence(1)) == ["leak", "template"]


def test_numbers_that_documents_fill_in_otherwise_make_every_other_number_a_template(detector: Detector) -> None:
    one_other = occurrence(other_numbers=1, same_numbers=3)
    fillings = [occurrence(document=n, other_numbers=4, filling=f"{n} 5 6 7") for n in (1, 2)]
    assert judge(detector, one_other) == ["leak"]
    assert judge(detector, one_other, fillings[0]) == ["leak", "template"]
    assert judge(detector, one_other, *fillings) == ["template"] * 3
    assert judge(detector, occurrence(same_numbers=4), *fillings) == ["leak", "template", "template"]


def test_a_piece_that_many_documents_have_is_boilerplate_and_a_whole_question_is_not(detector: Detector) -> None:
    pieces = [occurrence(document=number, containment=0.6, copy=number, eval_end=60) for number in range(12)]
    assert judge(detector, *pieces) == ["boilerplate"] * 12
    assert judge(detector, *pieces[:3]) == ["leak"] * 3
    assert judge(detector, *(piece._replace(copy=0) for piece in pieces)) == ["leak"] * 12
    assert judge(detector, *(piece._replace(eval_end=90) for piece in pieces)) == ["leak"] * 12


def test_the_reason_says_how_a_template_and_boilerplate_are_known(detector: Detector) -> None:
    def piece(number: int, source: str) -> Occurrence:
        return occurrence(document=number, source=source, containment=0.6, copy=number, eval_end=60)

    within = judge_occurrences(detector, [piece(number, "a") for number in range(12)], 5_000, 0.5)
    across = judge_occurrences(detector, [piece(number, "ab"[number % 2]) for number in range(12)], 5_000, 0.5)
    assert {judgement.reason for judgement in within} == {"boilerplate within a source"}
    assert {judgement.reason for judgement in across} == {"boilerplate across sources"}
    numbered = judge_occurrences(detector, [occurrence(other_numbers=2), occurrence(document=1)], 5_000, 0.5)
    assert [judgement.reason for judgement in numbered] == ["template", "leak"]


def test_little_of_a_part_is_listed_if_it_is_evident_and_what_chance_gives_is_not(detector: Detector) -> None:
    assert judge(detector, occurrence(containment=0.3)) == ["partial"]
    assert judge(detector, occurrence(containment=0.3, worth=15.0)) == []
    assert judge(detector, occurrence(worth=10.0)) == ["chance"]
    assert judge(detector, occurrence(worth=20.0)) == ["leak"]
    assert judge(detector, occurrence(worth=20.0, containment=0.5)) == ["chance"]
    assert judge(detector, occurrence(rival=True)) == ["similar item"]


def test_a_piece_pays_for_the_number_of_items_and_a_whole_question_does_not(detector: Detector) -> None:
    piece = occurrence(containment=0.9, worth=16.0)
    assert judge(detector, piece) == ["leak"]
    many = detector._replace(items=[*detector.items] * 500)
    kinds = [judge_occurrences(many, [each], 5_000, 0.5)[0].kind for each in (piece, occurrence(worth=12.0))]
    assert kinds == ["chance", "leak"]


def test_evidence_is_beyond_what_so_much_text_gives_by_chance(detector: Detector) -> None:
    assert judge(detector, occurrence(worth=20.0), tokens=1_000) == ["leak"]
    assert judge(detector, occurrence(worth=18.0), tokens=10_000_000) == ["chance"]


def test_a_question_of_a_few_common_words_is_too_short_to_tell(detector: Detector) -> None:
    assert [detector.parts.texts[part] for part in list_too_short(detector, 10**12)] == ["Is it so?"]
