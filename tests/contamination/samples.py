"""A few items, and pages without them."""

import random

from ibidem.contamination.items import Evals, Item
from ibidem.contamination.parts import Parts, split_parts
from ibidem.text import make_tokenizer

QUESTIONS = [
    "Which river flows through the small town of Grahamstown in the Eastern Cape of South Africa?",
    "A baker sells 48 loaves on Monday and half as many on Tuesday. How many loaves does she sell altogether?",
    "What is the embryological origin of the hyoid bone?",
]
ANSWERS = [("the Bloukrans", "the Kowie", "the Orange"), ("72",), ("the second and third pharyngeal arches",)]

ITEMS = [
    Item("quiz", "", "test", number, question, answers=answers, correct=0)
    for number, (question, answers) in enumerate(zip(QUESTIONS, ANSWERS, strict=True))
]
EVALS = Evals(ITEMS)


def pages(count: int = 40, words: int = 120, seed: int = 1) -> list[str]:
    """Pages of common words, among them those of the questions."""
    source = random.Random(seed)
    common = [
        "the",
        "of",
        "and",
        "a",
        "to",
        "in",
        "is",
        "was",
        "for",
        "it",
        "by",
        "this",
        "which",
        "many",
        "how",
        "half",
    ]
    rare = ["".join(source.choices("abcdefghilmnoprstu", k=7)) for _ in range(3_000)]
    return [
        " ".join(source.choice(common) if source.random() < 0.5 else source.choice(rare) for _ in range(words))
        for _ in range(count)
    ]


def parts() -> Parts:
    return split_parts(ITEMS, make_tokenizer("words"))
