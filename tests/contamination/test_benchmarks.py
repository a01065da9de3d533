from typing import Any

import pytest

from ibidem.contamination.benchmarks import BENCHMARKS, AnswerChoices, read_choices, recognize

ROWS: dict[str, tuple[dict[str, Any], AnswerChoices]] = {
    "gsm8k": ({"question": "How many?", "answer": "#### 3"}, AnswerChoices(("#### 3",), 0)),
    "humaneval": (
        {
            "task_id": "HumanEval/0",
            "prompt": "def f():",
            "canonical_solution": "    return 1",
            "test": "",
            "entry_point": "f",
        },
        AnswerChoices(("    return 1",), 0),
    ),
    "mbpp": ({"task_id": 1, "text": "Write.", "code": "f()", "test_list": []}, AnswerChoices(("f()",), 0)),
    "mmlu": (
        {"question": "Which?", "choices": ["a", "b"], "answer": 1, "subject": "x"},
        AnswerChoices(("a", "b"), 1),
    ),
    "arc": (
        {"id": "q1", "question": "Which?", "choices": {"text": ["a", "b"], "label": ["A", "B"]}, "answerKey": "B"},
        AnswerChoices(("a", "b"), 1),
    ),
    "hellaswag": (
        {"ind": 3, "ctx": "A man", "endings": ["runs", "sits"], "label": "1"},
        AnswerChoices(("runs", "sits"), 1),
    ),
    "boolq": ({"question": "is it", "passage": "It is.", "answer": True}, AnswerChoices()),
    "squad": (
        {
            "id": "s",
            "context": "It is so.",
            "question": "Is it?",
            "answers": {"text": ["so", "so"], "answer_start": [6]},
        },
        AnswerChoices(("so",), 0),
    ),
    "truthfulqa": (
        {"question": "Why?", "best_answer": "So", "correct_answers": ["So"], "incorrect_answers": ["No"]},
        AnswerChoices(("So", "No"), 0),
    ),
    "winogrande": (
        {"sentence": "_ ran", "option1": "He", "option2": "It", "answer": "2"},
        AnswerChoices(("He", "It"), 1),
    ),
    "piqa": ({"goal": "Go", "sol1": "x", "sol2": "y", "label": 0}, AnswerChoices(("x", "y"), 0)),
    "openbookqa": (
        {"question_stem": "Why", "choices": {"text": ["a"], "label": ["A"]}, "answerKey": "A"},
        AnswerChoices(("a",), 0),
    ),
    "race": ({"article": "Long.", "question": "Q", "options": ["a", "b"], "answer": "B"}, AnswerChoices(("a", "b"), 1)),
    "sciq": (
        {
            "question": "Q",
            "correct_answer": "c",
            "distractor1": "1",
            "distractor2": "2",
            "distractor3": "3",
            "support": "",
        },
        AnswerChoices(("c", "1", "2", "3"), 0),
    ),
    "drop": ({"question": "Q", "passage": "P", "query_id": "7"}, AnswerChoices()),
    "math": ({"problem": "P", "solution": "S", "level": "1"}, AnswerChoices(("S",), 0)),
    "mmlu-pro": (
        {"question_id": 70, "question": "Q", "options": ["a", "b"], "answer": "B", "answer_index": 1},
        AnswerChoices(("a", "b"), 1),
    ),
    "gpqa": (
        {
            "Question": "Q",
            "Correct Answer": "c",
            "Incorrect Answer 1": "1",
            "Incorrect Answer 2": "2",
            "Incorrect Answer 3": "3",
        },
        AnswerChoices(("c", "1", "2", "3"), 0),
    ),
    "copa": (
        {"premise": "It rained.", "choice1": "a", "choice2": "b", "question": "effect", "idx": 4, "label": 1},
        AnswerChoices(("a", "b"), 1),
    ),
    "logiqa": (
        {"context": "All are.", "query": "Which?", "options": ["a", "b"], "correct_option": 0},
        AnswerChoices(("a", "b"), 0),
    ),
    "commonsenseqa": (
        {
            "question": "Where?",
            "question_concept": "door",
            "choices": {"text": ["a", "b"], "label": ["A", "B"]},
            "answerKey": "A",
        },
        AnswerChoices(("a", "b"), 0),
    ),
    "aime": ({"ID": "2024-I-1", "Problem": "P", "Solution": "S", "Answer": 204}, AnswerChoices(("204",), 0)),
    "problems": ({"problem": "P", "answer": "7"}, AnswerChoices(("7",), 0)),
    "ifeval": ({"key": 1000, "prompt": "Write.", "instruction_id_list": ["x"], "kwargs": []}, AnswerChoices()),
    "bbh": ({"input": "not ( True ) is", "target": "False"}, AnswerChoices(("False",), 0)),
    "triviaqa": (
        {"question": "Who?", "question_id": "tc_1", "answer": {"value": "Lewis", "aliases": ["H. Lewis"]}},
        AnswerChoices(("Lewis",), 0),
    ),
    "questions": ({"question": "Q"}, AnswerChoices()),
}


@pytest.mark.parametrize("name", ROWS)
def test_a_row_of_a_benchmark_is_recognized_and_its_answers_are_read(name: str) -> None:
    row, choices = ROWS[name]
    benchmark = recognize(list(row))
    assert benchmark is not None
    assert benchmark.name == name
    assert benchmark.read_answers(row) == choices
    assert row[benchmark.question]


def test_truthfulqa_with_labelled_choices_is_recognized_too() -> None:
    row = {"question": "Which?", "mc1_targets": {"choices": ["a", "b"], "labels": [0, 1]}}
    benchmark = recognize(list(row))
    assert benchmark is not None
    assert (benchmark.name, benchmark.read_answers(row)) == ("truthfulqa", AnswerChoices(("a", "b"), 1))


def test_of_several_ways_to_write_an_answer_the_first_is_read() -> None:
    benchmark = recognize(["question", "answer"])
    assert benchmark is not None
    assert benchmark.read_answers({"question": "where", "answer": ["Fernie", "Fernie, Canada"]}) == AnswerChoices(
        ("Fernie",), 0
    )


def test_every_benchmark_has_a_row_here() -> None:
    assert {each.name for each in BENCHMARKS} == set(ROWS)


def test_columns_of_none_are_not_recognized() -> None:
    assert recognize(["text", "id"]) is None


@pytest.mark.parametrize(
    ("correct", "place"), [("B", 1), ("b", 1), (1, 1), ("1", 1), ("Rome", 1), (7, None), (None, None), (True, None)]
)
def test_the_correct_choice_is_a_letter_a_number_or_a_text(correct: object, place: int | None) -> None:
    assert read_choices(["Paris", "Rome"], correct).correct == place
