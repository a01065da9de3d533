from hypothesis import given
from hypothesis import strategies as st

from ibidem.contamination.item_parts import ItemParts, find_templates
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
    assert ItemParts.join([first]) is first


@given(st.lists(st.lists(st.sampled_from(["add", "and", "1", "2", "30"]), max_size=4), max_size=8))
def test_templates_are_the_texts_that_differ_from_another_in_numbers_alone(texts: list[list[str]]) -> None:
    def differ_in_numbers(a: list[str], b: list[str]) -> bool:
        pairs = list(zip(a, b, strict=False))
        return len(a) == len(b) and a != b and all(x == y or (x.isdigit() and y.isdigit()) for x, y in pairs)

    expected = {n for n, a in enumerate(texts) if any(differ_in_numbers(a, b) for b in texts)}
    assert find_templates([" ".join(each) for each in texts]) == expected
