import json

from ibidem.contamination.detector import Occurrence
from ibidem.contamination.item_parts import ItemParts
from ibidem.contamination.items import Item
from ibidem.contamination.judging import JudgedOccurrence
from ibidem.contamination.parts import split_parts
from ibidem.contamination.result import Origin
from ibidem.contamination.tables import render_decon
from ibidem.text import make_tokenizer

ITEMS = [
    Item(
        "quiz", "", "test", 7, "Who wrote it?", "A passage of some words.", ("he", "she"), 1, "evals/quiz.jsonl, line 3"
    ),
    Item("other", "", "", "x-1", "And when was it written?"),
]
PARTS = split_parts(ITEMS, make_tokenizer("words"))
LISTED = ItemParts.of(ITEMS, PARTS, PARTS.bounds[1:].astype(float))


def judged(part: int, kind: str = "leak") -> JudgedOccurrence:
    occurrence = Occurrence(
        0, part, 3, 16, 0, 12, 30.0, 0.9123456789, 1.0, 0, 0, "", True, True, False, 1.0, 0, "Who wrote it"
    )
    return JudgedOccurrence(4, occurrence, kind, 20.0)


def describe(*occurrences: JudgedOccurrence) -> list[dict[str, object]]:
    origins = {4: Origin("train/a.jsonl", 12, "doc")}
    return [json.loads(line) for line in render_decon(LISTED, occurrences, origins).splitlines()]


def test_a_leak_has_the_fields_of_a_report_and_lines_are_counted_from_0() -> None:
    assert describe(judged(0)) == [
        {
            "training_file": "train/a.jsonl",
            "training_line": 12,
            "eval_dataset": "quiz",
            "eval_key": "quiz",
            "eval_line": 2,
            "eval_instance_index": 7,
            "split": "test",
            "method": "ibidem",
            "contamination_score": 0.912346,
            "idf_overlap": 0.912346,
            "training_overlap_text": "Who wrote it",
            "eval_overlap_text": "Who wrote it",
            "eval_question_text": "Who wrote it?",
            "eval_answer_text": "she",
            "eval_passage_text": "A passage of some words.",
            "is_correct": True,
            "reference_file": "evals/quiz.jsonl",
        }
    ]


def test_what_is_unknown_or_no_leak_is_left_out_and_a_passage_has_its_own_share() -> None:
    assert describe(judged(0, "template")) == []
    passage = next(at for at in range(len(PARTS)) if PARTS.texts[at].startswith("A passage"))
    [row] = describe(judged(passage))
    assert row["passage_idf_overlap"] == 0.912346
    assert "idf_overlap" not in row
    [row] = describe(judged(len(PARTS) - 1))
    assert not {"eval_instance_index", "split", "eval_answer_text", "reference_file"} & row.keys()
