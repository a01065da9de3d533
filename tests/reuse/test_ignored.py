"""Reuse and repeated passages without what is similar to a text to ignore."""

import random
from pathlib import Path
from typing import Any

import pytest

from ibidem import deduplicate_passages, find_reuse
from ibidem.resources import Resources
from ibidem.reuse.question import Question
from tests.alignment.test_ignored import COPY, SHEET, words
from tests.reuse.small_collections import explain


def answers(count: int = 6) -> dict[str, str]:
    """Answers that quote the sheet with a word changed; the first two share more than that."""
    made = {}
    for number in range(count):
        part = list(SHEET[5:55])
        part[random.Random(number).randrange(5, 45)] = f"x{number}"
        made[f"answer {number}"] = " ".join([*words(number + 10, 90), *part, *words(number + 40, 90)])
    for number in range(2):
        made[f"answer {number}"] += " " + " ".join(COPY)
    return made


IGNORE = [("sheet.txt", " ".join(SHEET))]


@pytest.mark.parametrize("recall", [0.99, 1])
def test_passages_similar_to_a_sheet_are_left_out_and_listed(recall: float) -> None:
    texts = answers()
    assert find_reuse(texts.items(), keep_boilerplate=True, recall=recall).pairs.num_rows > 1
    reuse = find_reuse(texts.items(), ignore=IGNORE, texts=True, recall=recall)
    assert [(pair["a"], pair["b"], pair["a_text"]) for pair in reuse.pairs.to_pylist()] == [
        ("answer 0", "answer 1", " ".join(COPY))
    ]
    rows = reuse.left_out.to_pylist()
    assert [(row["reason"], row["a"], row["b"]) for row in rows] == [("ignored", name, "sheet.txt") for name in texts]
    for row in rows:
        assert row["a_text"] == texts[row["a"]][row["a_start"] : row["a_end"]]
        assert row["b_text"] == " ".join(SHEET)[row["b_start"] : row["b_end"]]
        assert row["similarity"] > 0.8
    assert reuse.summary["left_out_by_reason"] == {"ignored": len(texts)}
    shares = {row["document"]: row["reused_tokens"] for row in reuse.documents.to_pylist()}
    assert shares == {name: len(COPY) if name in ("answer 0", "answer 1") else 0 for name in texts}


def test_the_sheet_is_no_boilerplate_when_it_is_ignored() -> None:
    reuse = find_reuse(answers(12).items(), ignore=IGNORE)
    assert reuse.summary["boilerplate"] == 0
    assert set(reuse.left_out.column("reason").to_pylist()) == {"ignored"}


def test_sources_are_compared_without_the_sheet() -> None:
    texts = answers()
    sources = [("source", " ".join([*SHEET, *words(99, 50), *COPY]))]
    reuse = find_reuse(texts.items(), against=sources, ignore=IGNORE)
    assert {(pair["a"], pair["b"]) for pair in reuse.pairs.to_pylist()} == {
        ("answer 0", "source"),
        ("answer 1", "source"),
    }


@pytest.mark.parametrize(("pair", "verdict"), [((0, 1), "found"), ((2, 3), "left out: ignored")])
def test_the_reason_is_given_for_two_documents(tmp_path: Path, pair: tuple[int, int], verdict: str) -> None:
    question = Question(ignore=tuple(IGNORE)).require_valid()
    names = f"answer {pair[0]}", f"answer {pair[1]}"
    why = explain([answers().items()], question, names, tmp_path, Resources.of("1G", 1, None))
    assert why["verdict"] == verdict
    assert "ignored" in why["left_out"]


def test_a_question_keeps_what_it_ignores_when_it_is_written_down() -> None:
    question = Question(ignore=tuple(IGNORE)).require_valid()
    assert question.ignore == tuple(IGNORE)
    described: dict[str, Any] = question.describe()
    assert Question(**described).require_valid().ignore == question.ignore


@pytest.mark.parametrize("boundary", ["words", "lines"])
def test_nothing_goes_of_passages_similar_to_a_licence(boundary: str) -> None:
    texts = {name: text.replace(" ", "\n") for name, text in answers().items()}
    everything = deduplicate_passages(texts.items(), min_length=20, boundary=boundary)
    assert len(everything.removed) > 1
    deduplication = deduplicate_passages(texts.items(), min_length=20, boundary=boundary, ignore=IGNORE)
    assert [(each.document, each.duplicate_of) for each in deduplication.removed] == [("answer 1", "answer 0")]
    assert [(each.document, each.text) for each in deduplication.ignored] == [(name, "sheet.txt") for name in texts]
    assert deduplication.edit("answer 1", texts["answer 1"]).split() == texts["answer 1"].split()[: -len(COPY)]
