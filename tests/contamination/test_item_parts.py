from ibidem.contamination.item_parts import ItemParts
from ibidem.contamination.items import Item
from ibidem.contamination.parts import split_parts
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
    assert (first.has_numbers, joined.has_numbers) == (True, False)
    assert ItemParts.join([first]) is first
