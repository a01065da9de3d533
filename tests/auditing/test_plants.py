"""Items in each form: what is planted, how much around it, and each item once a turn."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.auditing.plants import KINDS, Plant, count_words, draw_documents, make_plants
from ibidem.contamination.items import Item

QUESTION = "A farmer has seven goats. He sells two of them at the market. How many goats does he keep?"
PASSAGE = "Goats are sold at the market of the old town on the first Monday of the month."
HOSTS = [" ".join(f"host{n}x{m}" for m in range(400)) for n in range(5)]


def item(number: int, answers: tuple[str, ...] = ("four goats", "five goats"), correct: int | None = 1) -> Item:
    return Item("farm", "", "test", number, QUESTION.replace("seven", "17"), PASSAGE, answers, correct)


def plant_all(of: Item, hosts: list[str] = HOSTS) -> dict[str, Plant]:
    """The item in every form."""
    plants = [plant for turn in range(len(KINDS)) for plant in make_plants([(0, of)], hosts, turn, random.Random(turn))]
    return {plant.kind: plant for plant in plants}


def test_every_form_is_planted_in_as_many_words_as_it_says() -> None:
    plants = plant_all(item(0))
    assert list(plants) == [kind.name for kind in KINDS]
    for kind in KINDS:
        plant = plants[kind.name]
        around = count_words(plant.document.text) - plant.words
        assert abs(around - kind.host_words) <= 3, kind.name  # specks and lost blanks change words


def test_the_forms_are_what_their_names_say() -> None:
    texts = {kind: plant.document.text for kind, plant in plant_all(item(0)).items()}
    assert texts["verbatim"] == f"{item(0).question} five goats"
    assert "A farmer has 17 goats. He sells two\nof them" in texts["re-wrapped"]
    assert f"{item(0).question} five goats" in texts["in 5,000 words"]
    assert item(0).question in texts["question alone"]
    assert "five goats" not in texts["question alone"]
    assert "\nfive goats" in texts["answer alone"] or texts["answer alone"].startswith("five goats")
    assert "farmer" not in texts["answer alone"]
    assert item(0).question not in texts["sentences reordered"]
    assert "He sells two of them at the market." in texts["sentences reordered"]


@pytest.mark.parametrize("share", [10, 20, 30, 40])
def test_a_share_of_the_words_is_replaced(share: int) -> None:
    long = item(0)._replace(question=" ".join(f"word{n}," for n in range(200)), answers=())
    text = plant_all(long)[f"{share} % replaced"].document.text
    assert sum(f"word{n}," in text.split() for n in range(200)) == 200 - 2 * share


def test_a_form_that_an_item_does_not_have_is_left_out() -> None:
    kinds = set(plant_all(item(0, (), None)._replace(question="What is seven less two?", passage="")))
    lacking = {"answer alone", "sentences reordered", "passage alone", "beside 3 with other numbers"}
    lacking |= {"60 % of a question", "60 % of a question, in 12 sources"}
    lacking |= {"other numbers", "other numbers, in 12 documents"}
    assert {kind.name for kind in KINDS} - kinds == lacking


def test_a_form_that_spreads_is_in_12_documents_each_with_words_of_its_own() -> None:
    plants = plant_all(item(0))
    for kind, sources in (("in 12 documents", 1), ("in 12 sources", 12), ("20 % replaced, in 12 sources", 12)):
        holders = plants[kind].holders
        assert len({each.id for each in holders}) == len({each.text for each in holders}) == 12
        assert len({each.metadata["source"] for each in holders}) == sources
    assert all(item(0).question in each.text for each in plants["in 12 documents"].holders)
    assert all("A farmer has 17 goats. He sells" in each.text for each in plants["60 % of a question"].holders)
    assert "keep" not in plants["60 % of a question"].document.text
    assert "has 17 goats" not in "".join(each.text for each in plants["other numbers, in 12 documents"].holders)


def test_an_item_is_planted_beside_three_documents_with_other_numbers() -> None:
    plant = plant_all(item(0))["beside 3 with other numbers"]
    assert item(0).question in plant.document.text
    assert (plant.expected, len(plant.templates), plant.copies) == ("leak", 3, ())
    assert not any("has 17 goats" in each.text for each in plant.templates)


def test_a_passage_is_planted_without_its_question() -> None:
    plant = plant_all(item(0))["passage alone"]
    assert PASSAGE in plant.document.text
    assert "farmer" not in plant.document.text
    assert plant.expected == "source"


@given(
    st.lists(
        st.one_of(st.from_regex(r"[a-z]{1,6}[0-9]?", fullmatch=True), st.from_regex(r"[0-9]{1,5}", fullmatch=True))
    )
)
def test_other_numbers_leave_all_words_and_change_every_number(words: list[str]) -> None:
    plant = plant_all(item(0)._replace(question=" ".join(["how", *words, "?"]))).get("other numbers")
    numbers = [word for word in words if word.isdigit()]
    assert (plant is None) == (not numbers)
    if plant is not None:
        assert plant.expected == "no leak"
        (planted,) = (line for line in plant.document.text.split("\n") if line.startswith("how"))
        for before, after in zip(["how", *words, "?"], planted.split(), strict=True):
            assert (before == after) != before.isdigit()
            assert not before.isdigit() or (after.isdigit() and len(after) == len(before))


def test_each_item_is_planted_once_a_turn_and_in_every_form_in_the_end() -> None:
    items = [(number, item(number)) for number in range(20)]
    turns = [list(make_plants(items, HOSTS, turn, random.Random(1))) for turn in range(len(KINDS))]
    for plants in turns:
        assert sorted(plant.item for plant in plants) == list(range(20))
        assert len({plant.document.id for plant in plants}) == 20
    assert {plant.kind for plants in turns for plant in plants if plant.item == 7} == {kind.name for kind in KINDS}


@pytest.mark.parametrize("number", [1, 5, 16, len(KINDS) - 1, len(KINDS)])
def test_of_few_items_all_forms_get_about_as_many_plants(number: int) -> None:
    items = [(each, item(each)) for each in range(number)]
    turns = -(-5 * len(KINDS) // number) if number > 5 else len(KINDS)
    kinds = [plant.kind for turn in range(turns) for plant in make_plants(items, HOSTS, turn, random.Random(1))]
    counts = [kinds.count(kind.name) for kind in KINDS]
    assert max(counts) - min(counts) <= 1


def test_words_of_a_script_without_blanks_are_its_characters() -> None:
    chinese = item(0)._replace(
        question="农夫有七只山羊。他在集市上卖了两只。他还剩几只？", answers=("五只",), correct=0
    )
    plants = plant_all(chinese, ["".join(chr(0x4E00 + n) for n in range(900))])
    assert count_words(plants["in 50 words"].document.text) - plants["in 50 words"].words in range(48, 53)
    replaced = plants["20 % replaced"].document.text
    assert chinese.question not in replaced
    assert sum(each in replaced for each in "农夫有七只山羊") >= 4


def test_documents_are_drawn_all_as_likely() -> None:
    texts = [str(number) for number in range(40)]
    drawn = [draw_documents(texts, 10, random.Random(seed)) for seed in range(400)]
    assert all(len(kept) == 10 and read == 40 for kept, read in drawn)
    counts = [sum(any(document.text == text for document in kept) for kept, _ in drawn) for text in texts]
    assert all(60 < count < 140 for count in counts)
    kept, read = draw_documents(texts[:4], 10, random.Random(1))
    assert ([document.text for document in kept], read) == (texts[:4], 4)
