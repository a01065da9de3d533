import numpy as np

from ibidem.contamination.items import Item
from ibidem.contamination.parts import ANSWER, PASSAGE, QUESTION, split_parts
from ibidem.text import make_tokenizer

LONG = " ".join(f"word{number}" for number in range(30))


def test_questions_passages_and_long_answers_are_parts() -> None:
    items = [
        Item("e", "", "", 0, "A question of more than eight words, with a number: 12", "The passage.", (LONG, "short")),
        Item("e", "", "", 1, "Another question of more than eight words, with none at all", "The passage."),
    ]
    parts = split_parts(items, make_tokenizer("words"))
    assert parts.kinds.tolist() == [QUESTION, PASSAGE, ANSWER, QUESTION]
    assert parts.items.tolist() == [0, 0, 0, 1]  # two items share the passage
    tokens = [parts.texts[0][start:end] for start, end in zip(parts.starts[:11], parts.ends[:11], strict=True)]
    assert tokens[-1] == "12"
    assert parts.numbers[:11].tolist() == [False] * 10 + [True]


def test_a_short_question_is_looked_for_alone_and_with_its_choices() -> None:
    items = [
        Item("e", "", "", 0, "Which of these is true?", "", ("Water boils.", "Ice burns.")),
        Item("e", "", "", 1, "Why?"),
    ]
    assert split_parts(items, make_tokenizer("words")).texts == [
        "Which of these is true?",
        "Which of these is true?\nWater boils.\nIce burns.",
        "Why?",
    ]


def test_questions_that_an_evaluation_asks_of_several_passages_are_common() -> None:
    asked, passage = "What is the best title of the passage that is given here?", "A passage that two items have."
    items = [
        Item("a", "", "", 0, asked, passage),
        Item("a", "", "", 1, asked.upper(), "Another passage, of which the same is asked."),
        Item("a", "", "", 2, "Who wrote the passage that is given here?", passage),
        Item("b", "", "", 0, asked, "A passage of another evaluation, of which the same is asked."),
    ]
    parts = split_parts(items, make_tokenizer("words"))
    questions = np.flatnonzero(parts.kinds == QUESTION)
    assert parts.common[questions].tolist() == [True, True, False, False]
    numbers = parts.questions[questions].tolist()
    assert numbers[0] == numbers[1]
    assert len(set(numbers)) == 3
    assert parts.sharing[passage] == [0, 2]
