from typing import Any

import pytest

from ibidem.contamination.benchmarks import BENCHMARKS, Choices, read_choices, recognize

ROWS: dict[str, tuple[dict[str, Any], Choices]] = {
    "gsm8k": ({"question": "How many?", "answer": "#### 3"}, Choices(("#### 3",), 0)),
    "humaneval": (
        {
            "task_id": "HumanEval/0",
            "prompt": "def f():",
            "canonical_solution": "    return 1",
            "test": "",
            "entry_point": "f",
        },
        Choices(("    return 1",), 0),
    ),
    "mbpp": ({"task_id": 1, "text": "Write.", "code": "f()", "test_list": []}, Choices(("f()",), 0)),
    "mmlu": (
        {"question": "Which?", "choices": ["a", "b"], "answer": 1, "subject": "x"},
        Choices(("a", "b"), 1),
    ),
    "arc": (
        {"id": "q1", "question": "Which?", "choices": {"text": ["a", "b"], "label": ["A", "B"]}, "answerKey": "B"},
        Choices(("a", "b"), 1),
    ),
    "hellaswag": ({"ind": 3, "ctx": "A man", "endings": ["runs", "sits"], "label": "1"}, Choices(("runs", "sits"), 1)),
    "boolq": ({"question": "is it", "passage": "It is.", "answer": True}, Choices()),
    "squad": (
        {
            "id": "s",
            "context": "It is so.",
            "question": "Is it?",
            "answers": {"text": ["so", "so"], "answer_start": [6]},
        },
        Choices(("so",), 0),
    ),
    "truthfulqa": (
        {"question": "Why?", "best_answer": "So", "correct_answers": ["So"], "incorrect_answers": ["No"]},
        Choices(("So", "No"), 0),
    ),
    "winogrande": (
        {"sentence": "_ ran", "option1": "He", "option2": "It", "answer": "2"},
        Choices(("He", "It"), 1),
    ),
    "piqa": ({"goal": "Go", "sol1": "x", "sol2": "y", "label": 0}, Choices(("x", "y"), 0)),
    "openbookqa": (
        {"question_stem": "Why", "choices": {"text": ["a"], "label": ["A"]}, "answerKey": "A"},
        Choices(("a",), 0),
    ),
    "race": ({"article": "Long.", "question": "Q", "options": ["a", "b"], "answer": "B"}, Choices(("a", "b"), 1)),
    "sciq": (
        {
            "question": "Q",
            "correct_answer": "c",
            "distractor1": "1",
            "distractor2": "2",
            "distractor3": "3",
            "support": "",
        },
        Choices(("c", "1", "2", "3"), 0),
    ),
    "drop": ({"question": "Q", "passage": "P", "query_id": "7"}, Choices()),
    "math": ({"problem": "P", "solution": "S", "level": "1"}, Choices(("S",), 0)),
    "questions": ({"question": "Q"}, Choices()),
}


@pytest.mark.parametrize("name", ROWS)
def test_a_row_of_a_benchmark_is_recognized_and_its_answers_are_read(name: str) -> None:
    row, choices = ROWS[name]
    benchmark = recognize(list(row))
    assert benchmark is not None
    assert benchmark.name == name
    assert benchmark.answers(row) == choices
    assert row[benchmark.question]


def test_every_benchmark_has_a_row_here() -> None:
    assert {each.name for each in BENCHMARKS} == set(ROWS)


def test_columns_of_none_are_not_recognized() -> None:
    assert recognize(["text", "id"]) is None


@pytest.mark.parametrize(
    ("correct", "place"), [("B", 1), ("b", 1), (1, 1), ("1", 1), ("Rome", 1), (7, None), (None, None), (True, None)]
)
def test_the_correct_choice_is_a_letter_a_number_or_a_text(correct: object, place: int | None) -> None:
    assert read_choices(["Paris", "Rome"], correct).correct == place
