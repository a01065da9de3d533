"""Items of evaluations: a question, its answers, and the passage that it is about; and the columns that hold these."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from ibidem.options import Option

THRESHOLD = 0.5
"""The least share of a part of an item in a leak, if nothing else is asked for."""


class Item(NamedTuple):
    """One item of an evaluation; the choices of one question are one item.

    Attributes:
        eval_key: the name of the evaluation.
        config, split: of the evaluation; empty if unknown.
        instance: what names the item within these, a number or a string.
        answers: the choices, or the one answer.
        correct: which of the answers is correct, if that is known.
        place: the file and the line, for messages.
    """

    eval_key: str
    config: str
    split: str
    instance: int | str
    question: str
    passage: str = ""
    answers: tuple[str, ...] = ()
    correct: int | None = None
    place: str = ""

    @property
    def key(self) -> tuple[str, str, str, int | str]:
        """The key that no other item has."""
        return self.eval_key, self.config, self.split, self.instance


class Evals(NamedTuple):
    """The items of some evaluations.

    Attributes:
        items: in the order in which they were read.
        recognized: what each file was taken for, such as ``"test.jsonl: gsm8k (question, answer)"``.
    """

    items: Sequence[Item]
    recognized: Sequence[str] = ()


QuestionColumn = Annotated[str | None, Option("Column of the evals that holds the question.", "COLUMN")]
AnswerColumn = Annotated[
    str | None, Option("Column of the evals that holds the answer, or which is correct.", "COLUMN")
]
PassageColumn = Annotated[str | None, Option("Column of the evals that holds the passage.", "COLUMN")]
ChoicesColumn = Annotated[str | None, Option("Column of the evals that holds the choices.", "COLUMN")]


class EvalColumns(NamedTuple):
    """The columns of evals that a caller names; those that are ``None`` are recognized."""

    question: QuestionColumn = None
    answer: AnswerColumn = None
    passage: PassageColumn = None
    choices: ChoicesColumn = None
