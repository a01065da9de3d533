import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem import find_contamination
from ibidem.contamination.siblings import MOST, measure_distinct
from tests.contamination.samples import pages

NAMES = ["Nora", "Pavel", "Quentin", "Rosa"]
TOWNS = ["Visby", "Tartu", "Odense", "Bergen"]
ASKED = (
    "The following paragraph describes a voyage by ship over the Baltic Sea, and you have to say who arrives first. "
    "{} leaves the harbour of {} before the others sail. Who arrives first?"
)


def ask(number: int) -> str:
    """An item of a template: those from 0 to 7 are in the evaluation of the tests, those up to 15 are not."""
    return ASKED.format(NAMES[number % 4], TOWNS[(number + number // 4) % 4])


def find(texts: list[str], evals: list[str], key: str = "a") -> list[tuple[int, str, str]]:
    """What is said of the items in documents: the document, the item, and the reason or ``"leak"``."""
    rows = [{"question": text, "eval_key": key if number < 8 else "other"} for number, text in enumerate(evals)]
    found = find_contamination(pages(40) + texts, rows)
    listed = [(row, "leak") for row in found.contamination.to_pylist()]
    listed += [(row, row["reason"]) for row in found.left_out.to_pylist() if row["document"] is not None]
    return sorted((int(row["document"]) - 40, row["eval_instance_index"], reason) for row, reason in listed)


FAMILY = [ask(number) for number in range(8)]


@pytest.mark.parametrize("number", range(8))
def test_an_item_of_a_template_is_told_from_the_others(number: int) -> None:
    leaks = [each for each in find([f"{pages(1)[0]} {FAMILY[number]}"], FAMILY) if each[2] == "leak"]
    assert leaks == [(0, str(number), "leak")]


def test_another_item_of_the_template_is_a_leak_of_none_and_the_kind_is_named() -> None:
    said = find([f"{pages(1)[0]} {ask(number)}" for number in range(8, 16)], FAMILY)
    assert {reason for _, _, reason in said} <= {"template of many items", "similar item"}
    assert {document for document, _, reason in said if reason == "template of many items"} == set(range(8))


def test_an_item_with_another_number_is_no_leak_where_items_differ_in_numbers() -> None:
    asked = (
        "A baker in Grahamstown sells {} loaves on Monday and {} rolls on Tuesday at 75 cents each. How many is that?"
    )
    family = [asked.format(number, 90 - number) for number in (12, 31, 56)]
    other = asked.format(12, 41)
    assert find([other], family[:1]) == [(0, "0", "leak")]
    assert {reason for _, _, reason in find([other], family)} <= {"template of many items", "similar item"}
    assert (0, "0", "leak") in find([family[0]], family)


def test_items_of_the_same_words_are_told_apart_by_their_signs() -> None:
    asked = "Complete the rest of the sequence of brackets so that each of them is closed properly, if you can: {}"
    family = [asked.format(signs) for signs in ("( [ <", "[ ( <", "< < (")]
    assert find([asked.format("([\n<")], family) == [
        (0, "0", "leak"),
        (0, "1", "template of many items"),
        (0, "2", "template of many items"),
    ]
    assert {reason for _, _, reason in find([asked.format("{ { {")], family)} == {"template of many items"}


def test_items_of_other_evaluations_and_copies_of_an_item_are_no_siblings() -> None:
    corrected = FAMILY[0].replace("before", "long after")
    altered = FAMILY[0].replace("before", "and")
    assert find([altered], FAMILY[:1] * 2)[:1] == [(0, "0", "leak")]
    every = [FAMILY[0], *["Nothing of this kind is asked about the sea at all, whatever."] * 7, corrected]
    assert (0, "0", "leak") in find([altered], every)


@given(st.lists(st.tuples(st.floats(0.1, 9), st.integers(0, 2**MOST - 1), st.booleans()), min_size=1, max_size=12))
def test_the_share_of_what_distinguishes_is_the_least_over_siblings(tokens: list[tuple[float, int, bool]]) -> None:
    expected = 1.0
    for sibling in range(MOST):
        shares = []
        for is_held in (False, True):
            group = [(weight, found) for weight, holders, found in tokens if bool(holders >> sibling & 1) == is_held]
            found = sum(weight for weight, is_found in group if is_found)
            shares.append(found / sum(weight for weight, _ in group) if group else None)
        own, common = shares
        if own is not None and common:
            expected = min(expected, own / common)
    weights, holders, is_found = zip(*tokens, strict=True)
    assert measure_distinct(np.array(weights), np.array(holders, np.uint8), np.array(is_found)) == pytest.approx(
        expected
    )
