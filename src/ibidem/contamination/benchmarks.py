"""The columns of well-known benchmarks, as they are published, and how to read an item of each."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple


class AnswerChoices(NamedTuple):
    """The answers of an item, and which of them is correct, if that is known."""

    answers: tuple[str, ...] = ()
    correct: int | None = None


class Benchmark(NamedTuple):
    """The columns of a benchmark.

    Attributes:
        needs: columns that only files of this kind have together.
        question: the column of the question.
        answers: columns with an answer each, of which the first is the correct one; a list in a later one is several.
        correct: the column that says which answer is correct, or its label; empty if the first is.
        choices: the column of the choices, which no row may lack; empty if there is none.
        passage: the column of the passage; empty if there is none.
        id: a column that names the item.
        first: the number of the first of the ``answers`` in the column ``correct``.
    """

    name: str
    needs: tuple[str, ...]
    question: str
    answers: tuple[str, ...] = ()
    correct: str | int = ""
    choices: str = ""
    passage: str = ""
    id: str = "id"
    first: int = 0

    def read_answers(self, row: Mapping[str, Any]) -> AnswerChoices:
        """The answers of a row.

        Raises:
            ValueError: the choices are no list.
        """
        correct = row.get(self.correct) if isinstance(self.correct, str) else self.correct
        if self.choices:
            return read_choices(row.get(self.choices), correct)
        values = [_read_first(row.get(name)) for name in self.answers[:1]]
        for name in self.answers[1:]:
            value = row.get(name)
            values += map(_read_text, value) if isinstance(value, list) else [_read_text(value)]
        if not any(values):
            return AnswerChoices()
        label = str(correct).strip()
        number = int(label) - self.first if label.isdigit() else None
        return AnswerChoices(tuple(values), number if self.correct else 0)


def recognize(columns: Collection[str]) -> Benchmark | None:
    """The benchmark whose columns these are, if one has them.

    >>> recognize(["ctx", "endings", "label"]).name
    'hellaswag'
    """
    return next((benchmark for benchmark in BENCHMARKS if set(benchmark.needs) <= set(columns)), None)


def read_choices(choices: Any, correct: Any = None) -> AnswerChoices:
    """Choices as benchmarks write them: a list, or an object of texts and labels; ``correct`` is a number or a label.

    Raises:
        ValueError: the choices are no list.

    >>> read_choices({"text": ["Paris", "Rome"], "label": ["A", "B"]}, "B")
    AnswerChoices(answers=('Paris', 'Rome'), correct=1)
    """
    labels: list[str] = []
    if isinstance(choices, Mapping):
        labels = [str(choice) for choice in choices.get("label") or choices.get("labels") or ()]
        choices = choices.get("text") or choices.get("choices")
    if isinstance(choices, str) and not choices.strip():
        choices = None  # an empty field of a CSV file
    if isinstance(choices, str) or not isinstance(choices, Sequence | None):
        raise ValueError(f"the choices are of type {type(choices).__name__}, not a list")
    answers = tuple(_read_text(choice) for choice in choices or ())
    return AnswerChoices(answers, _find_correct(correct, answers, labels))


def _read_text(value: Any) -> str:
    return value if isinstance(value, str) else str(value) if isinstance(value, int | float) else ""


def _read_first(value: Any) -> str:
    """One answer; of several ways to write it, as trivia and several readers have them, the first."""
    if isinstance(value, Mapping):
        value = value.get("value") or value.get("text")
    return _read_text(value[0] if isinstance(value, list) and value else value)


def _find_correct(correct: Any, answers: tuple[str, ...], labels: list[str]) -> int | None:
    """The place of the correct answer, of which its label, its number from 0, or its text is given."""
    if correct is None or isinstance(correct, bool):
        return None
    label = str(correct).strip()
    if label in labels:
        return labels.index(label)
    if label.isdigit() and int(label) < len(answers):
        return int(label)
    if len(label) == 1 and label.isalpha() and ord(label.upper()) - ord("A") < len(answers):
        return ord(label.upper()) - ord("A")
    return answers.index(label) if label in answers else None


_SCIQ = ("correct_answer", "distractor1", "distractor2", "distractor3")
_GPQA = ("Correct Answer", "Incorrect Answer 1", "Incorrect Answer 2", "Incorrect Answer 3")

BENCHMARKS = (
    Benchmark("humaneval", ("prompt", "canonical_solution"), "prompt", ("canonical_solution",), id="task_id"),
    Benchmark("mbpp", ("text", "code", "test_list"), "text", ("code",), id="task_id"),
    Benchmark("mbpp", ("prompt", "code", "test_list"), "prompt", ("code",), id="task_id"),
    Benchmark("hellaswag", ("ctx", "endings"), "ctx", choices="endings", correct="label"),
    Benchmark(
        "winogrande", ("sentence", "option1", "option2"), "sentence", ("option1", "option2"), correct="answer", first=1
    ),
    Benchmark("piqa", ("goal", "sol1", "sol2"), "goal", ("sol1", "sol2"), correct="label"),
    Benchmark("openbookqa", ("question_stem", "choices"), "question_stem", choices="choices", correct="answerKey"),
    Benchmark(
        "race", ("article", "question", "options"), "question", choices="options", correct="answer", passage="article"
    ),
    Benchmark(
        "truthfulqa",
        ("question", "best_answer", "incorrect_answers"),
        "question",
        ("best_answer", "incorrect_answers"),
    ),
    Benchmark("truthfulqa", ("question", "mc1_targets"), "question", choices="mc1_targets", correct=1),
    Benchmark("sciq", ("question", "correct_answer", "distractor1"), "question", _SCIQ, passage="support"),
    Benchmark("gpqa", ("Question", "Correct Answer", "Incorrect Answer 1"), "Question", _GPQA, id="Record ID"),
    Benchmark("copa", ("premise", "choice1", "choice2"), "premise", ("choice1", "choice2"), correct="label", id="idx"),
    Benchmark(
        "logiqa",
        ("context", "query", "options"),
        "query",
        choices="options",
        correct="correct_option",
        passage="context",
    ),
    Benchmark(
        "mmlu-pro",
        ("question", "options", "answer_index"),
        "question",
        choices="options",
        correct="answer_index",
        id="question_id",
    ),
    Benchmark("squad", ("context", "question", "answers"), "question", ("answers",), passage="context"),
    Benchmark("boolq", ("question", "passage", "answer"), "question", passage="passage"),
    Benchmark("drop", ("question", "passage"), "question", passage="passage", id="query_id"),
    Benchmark(
        "commonsenseqa", ("question", "question_concept", "choices"), "question", choices="choices", correct="answerKey"
    ),
    Benchmark("arc", ("question", "choices", "answerKey"), "question", choices="choices", correct="answerKey"),
    Benchmark("mmlu", ("question", "choices"), "question", choices="choices", correct="answer"),
    Benchmark("math", ("problem", "solution"), "problem", ("solution",)),
    Benchmark("aime", ("Problem", "Answer"), "Problem", ("Answer",), id="ID"),
    Benchmark("problems", ("problem", "answer"), "problem", ("answer",)),
    Benchmark("ifeval", ("prompt", "instruction_id_list"), "prompt", id="key"),
    Benchmark("bbh", ("input", "target"), "input", ("target",)),
    Benchmark("triviaqa", ("question", "question_id", "answer"), "question", ("answer",), id="question_id"),
    Benchmark("gsm8k", ("question", "answer"), "question", ("answer",)),
    Benchmark("questions", ("question",), "question"),
)
"""The most special first: a file is the first of these whose columns it has. Those of decon are read by their own."""
