"""What a question quotes is its source, and a document that holds the source alone holds no item."""

import pytest

import ibidem
from ibidem.contamination.quoted_sources import split_quotation

SOURCE = (
    "And it came to pass in the seventh year of the drought that the ferrymen of the upper river gathered by the mill, "
    "and they swore that no grain would pass the weir until the tolls were taken from the poor and laid on the abbey."
)
ASKED = "Which later reform most nearly granted what the ferrymen in extract {} demanded of the abbey and its reeve?"
INFORMATION = "This question refers to the following information.\n"


@pytest.mark.parametrize(
    "question",
    [
        f'{INFORMATION}"{SOURCE}"\nA chronicle, about 1300\n{ASKED}',
        f"{ASKED} “{SOURCE}”",
        f"«{SOURCE}» {ASKED}",
        f"»{SOURCE}« {ASKED}",
        f"‘The miller’s tale: {SOURCE}’ {ASKED}",
        f"Read the following passage.\n{SOURCE}\n{ASKED}",
    ],
)
def test_a_long_quotation_is_the_passage_of_its_item(question: str) -> None:
    rest, quotation = split_quotation(question)
    assert SOURCE in quotation
    assert SOURCE not in rest
    assert ASKED in rest
    train = [
        f"A chronicle. {SOURCE} Thus far.",
        f"A test: {question}",
        *[f"Page {n} of something else." for n in range(9)],
    ]
    found = ibidem.find_contamination(train, [{"question": question}])
    assert {row["document"] for row in found.contamination.to_pylist()} == {"1"}
    assert ("0", "source") in {(row["document"], row["reason"]) for row in found.left_out.to_pylist()}


@pytest.mark.parametrize(
    "question",
    [
        'Who said "the die is cast" when he crossed the river?',
        f"“{SOURCE}”",
        f"{SOURCE}\n\n{ASKED}",
        f'def ferry(river):\n    """{SOURCE}"""\n',
        f"Which of the following reforms is meant? {SOURCE}",
    ],
)
def test_what_is_no_long_quotation_stays_in_the_question(question: str) -> None:
    assert split_quotation(question) == (question, "")


def test_a_quotation_is_added_to_the_passage_that_an_item_has() -> None:
    evals = [{"question": f"{ASKED} “{SOURCE}”", "passage": "A passage of its own about the mill and the weir."}]
    [item] = ibidem.find_contamination([f"{ASKED} And then: {SOURCE}"], evals).items.to_pylist()
    assert item["status"] == "input_and_label"
