"""The columns of well-known benchmarks, as they are published, and how to read an item of each."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple


class AnswerChoices(NamedTuple):
    """The answers of an item, and which of them is correct, if that is known."""

    answers: tuple[str, ...] = ()
    correct: int | None = None


_Reader = Callable[[Mapping[str, Any]], AnswerChoices]


def _read_nothing(row: Mapping[str, Any]) -> AnswerChoices:
    return AnswerChoices()


class Benchmark(NamedTuple):
    """The columns of a benchmark.

    Attributes:
        needs: columns that only files of this kind have together.
        question: the column of the question.
        passage: the column of the passage; empty if there is none.
        answers: reads the answers of a row.
        id: a column that names the item.
        choices: the column of the choices, which no row may lack; empty if there is none.
    """

    name: str
    needs: tuple[str, ...]
    question: str
    passage: str = ""
    answers: _Reader = _read_nothing
    id: str = "id"
    choices: str = ""


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
        labels = [str(choice) for choice in choices.get("label") or ()]
        choices = choices.get("text")
    if isinstance(choices, str) and not choices.strip():
        choices = None  # an empty field of a CSV file
    if isinstance(choices, str) or not isinstance(choices, Sequence | None):
        raise ValueError(f"the choices are of type {type(choices).__name__}, not a list")
    answers = tuple(_read_text(choice) for choice in choices or ())
    return AnswerChoices(answers, _find_correct(correct, answers, labels))


def _read_text(value: Any) -> str:
    return value if isinstance(value, str) else str(value) if isinstance(value, int | float) else ""


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


def _read_one(column: str) -> _Reader:
    """One answer; of several ways to write it, as trivia have them, the first."""

    def read(row: Mapping[str, Any]) -> AnswerChoices:
        answer = row.get(column)
        if isinstance(answer, Mapping):
            answer = answer.get("value")
        text = _read_text(answer[0] if isinstance(answer, list) and answer else answer)
        return AnswerChoices((text,), 0) if text else AnswerChoices()

    return read


def _make_benchmark(
    name: str, needs: tuple[str, ...], question: str, choices: str, correct: str, *, passage: str = "", id: str = "id"
) -> Benchmark:
    """A benchmark with a list of the choices in one column, and which is correct in another."""

    def read(row: Mapping[str, Any]) -> AnswerChoices:
        return read_choices(row.get(choices), row.get(correct))

    return Benchmark(name, needs, question, passage, read, id, choices)


def _read_numbered(*columns: str, correct: str = "answer", first: int = 1) -> _Reader:
    """Choices in a column each; the correct one is numbered from ``first``."""

    def read(row: Mapping[str, Any]) -> AnswerChoices:
        label = str(row.get(correct, "")).strip()
        number = int(label) - first if label.isdigit() else None
        return AnswerChoices(tuple(_read_text(row.get(name)) for name in columns), number)

    return read


def _read_spans(row: Mapping[str, Any]) -> AnswerChoices:
    """The answers of squad: the same answer, as several people marked it."""
    answers = row.get("answers")
    texts = answers.get("text") if isinstance(answers, Mapping) else answers
    return AnswerChoices((_read_text(texts[0]),), 0) if isinstance(texts, list) and texts else AnswerChoices()


def _read_truths(row: Mapping[str, Any]) -> AnswerChoices:
    correct_answer = _read_text(row.get("best_answer"))
    incorrect_answers = row.get("incorrect_answers")
    return AnswerChoices(
        (correct_answer, *(_read_text(answer) for answer in incorrect_answers or ()))
        if isinstance(incorrect_answers, list)
        else (correct_answer,),
        0,
    )


def _read_labelled(row: Mapping[str, Any]) -> AnswerChoices:
    """The choices of truthfulqa with a label each, 1 for the correct one."""
    targets = row.get("mc1_targets")
    choices = targets if isinstance(targets, Mapping) else {}
    labels = list(choices.get("labels") or ())
    return AnswerChoices(read_choices(choices.get("choices")).answers, labels.index(1) if 1 in labels else None)


def _read_correct_first(*columns: str) -> _Reader:
    """Choices in a column each, of which the first is correct."""
    return lambda row: AnswerChoices(tuple(_read_text(row.get(name)) for name in columns), 0)


BENCHMARKS = (
    Benchmark("humaneval", ("prompt", "canonical_solution"), "prompt", "", _read_one("canonical_solution"), "task_id"),
    Benchmark("mbpp", ("text", "code", "test_list"), "text", "", _read_one("code"), "task_id"),
    Benchmark("mbpp", ("prompt", "code", "test_list"), "prompt", "", _read_one("code"), "task_id"),
    _make_benchmark("hellaswag", ("ctx", "endings"), "ctx", "endings", "label"),
    Benchmark("winogrande", ("sentence", "option1", "option2"), "sentence", "", _read_numbered("option1", "option2")),
    Benchmark("piqa", ("goal", "sol1", "sol2"), "goal", "", _read_numbered("sol1", "sol2", correct="label", first=0)),
    _make_benchmark("openbookqa", ("question_stem", "choices"), "question_stem", "choices", "answerKey"),
    _make_benchmark("race", ("article", "question", "options"), "question", "options", "answer", passage="article"),
    Benchmark("truthfulqa", ("question", "best_answer", "incorrect_answers"), "question", "", _read_truths),
    Benchmark("truthfulqa", ("question", "mc1_targets"), "question", "", _read_labelled, choices="mc1_targets"),
    Benchmark(
        "sciq",
        ("question", "correct_answer", "distractor1"),
        "question",
        "support",
        _read_correct_first("correct_answer", "distractor1", "distractor2", "distractor3"),
    ),
    Benchmark(
        "gpqa",
        ("Question", "Correct Answer", "Incorrect Answer 1"),
        "Question",
        "",
        _read_correct_first("Correct Answer", "Incorrect Answer 1", "Incorrect Answer 2", "Incorrect Answer 3"),
        "Record ID",
    ),
    Benchmark(
        "copa",
        ("premise", "choice1", "choice2"),
        "premise",
        "",
        _read_numbered("choice1", "choice2", correct="label", first=0),
        "idx",
    ),
    _make_benchmark("logiqa", ("context", "query", "options"), "query", "options", "correct_option", passage="context"),
    _make_benchmark(
        "mmlu-pro", ("question", "options", "answer_index"), "question", "options", "answer_index", id="question_id"
    ),
    Benchmark("squad", ("context", "question", "answers"), "question", "context", _read_spans),
    Benchmark("boolq", ("question", "passage", "answer"), "question", "passage"),
    Benchmark("drop", ("question", "passage"), "question", "passage", id="query_id"),
    _make_benchmark("commonsenseqa", ("question", "question_concept", "choices"), "question", "choices", "answerKey"),
    _make_benchmark("arc", ("question", "choices", "answerKey"), "question", "choices", "answerKey"),
    _make_benchmark("mmlu", ("question", "choices"), "question", "choices", "answer"),
    Benchmark("math", ("problem", "solution"), "problem", "", _read_one("solution")),
    Benchmark("aime", ("Problem", "Answer"), "Problem", "", _read_one("Answer"), "ID"),
    Benchmark("problems", ("problem", "answer"), "problem", "", _read_one("answer")),
    Benchmark("ifeval", ("prompt", "instruction_id_list"), "prompt", id="key"),
    Benchmark("bbh", ("input", "target"), "input", "", _read_one("target")),
    Benchmark("triviaqa", ("question", "question_id", "answer"), "question", "", _read_one("answer"), "question_id"),
    Benchmark("gsm8k", ("question", "answer"), "question", "", _read_one("answer")),
    Benchmark("questions", ("question",), "question"),
)
"""The most special first: a file is the first of these whose columns it has. Those of decon are read by their own."""
