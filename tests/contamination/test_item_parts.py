import numpy as np

from ibidem.contamination.item_parts import ItemParts
from ibidem.contamination.items import Item
from ibidem.contamination.parts import QUESTION, split_parts
from ibidem.text import make_tokenizer

PASSAGE = "A passage that two items of different rounds have, of a few words."


def parts(*items: Item) -> ItemParts:
    made = split_parts(items, make_tokenizer("words"))
    return ItemParts.of(items, made, made.bounds[1:].astype(float))


def test_joined_lists_number_items_and_parts_one_after_another() -> None:
    first = parts(Item("a", "", "", 0, "What is it then?", PASSAGE), Item("a", "", "", 1, "And who?"))
    later = parts(Item("b", "", "", "x", "Who said so?", PASSAGE))
    joined = ItemParts.join([first, later])
    assert [joined.items[owner].question for owner in joined.owners.tolist()][-2:] == ["Who said so?"] * 2
    assert joined.texts == [*first.texts, *later.texts]
    assert joined.sharing[PASSAGE] == [0, 2]
    assert ItemParts.join([first]) is first


def test_questions_that_an_evaluation_asks_of_several_passages_are_common() -> None:
    asked = "What is the best title of the passage that is given here?"
    listed = parts(
        Item("a", "", "", 0, asked, PASSAGE),
        Item("a", "", "", 1, asked.upper(), "Another passage, of which the same is asked."),
        Item("a", "", "", 2, "Who wrote the passage that is given here?", PASSAGE),
        Item("b", "", "", 0, asked, "A passage of another evaluation, of which the same is asked."),
    )
    questions = np.flatnonzero(listed.kinds == QUESTION)
    assert listed.common[questions].tolist() == [True, True, False, False]
    numbers = listed.questions[questions].tolist()
    assert numbers[0] == numbers[1]
    assert len(set(numbers)) == 3
