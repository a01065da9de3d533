"""What is found of planted items, counted by hand and by a whole run."""

import random
from typing import Any

import pytest

import ibidem
from ibidem import CorpusError
from ibidem.auditing.audit import GRID, Audit, audit, draw_documents, judge_plants
from ibidem.auditing.plants import KINDS, Plant
from ibidem.contamination.items import Evals, Item
from ibidem.text import Document


def some_words(count: int, seed: int) -> list[str]:
    drawn = random.Random(seed)
    return [f"w{int(6000 ** drawn.random())}" for _ in range(count)]


TRAIN = [" ".join(some_words(250, seed)) for seed in range(60)]
EVALS = [
    {
        "question": f"{' '.join(some_words(14, 500 + n))} {n + 20}. {' '.join(some_words(14, 700 + n))}?",
        "answer": f"yes {n}",
        "passage": " ".join(some_words(40, 900 + n)),
    }
    for n in range(len(KINDS))
]


@pytest.fixture(scope="module")
def found() -> Audit:
    return run_audit(threads=1)


def run_audit(**settings: Any) -> Audit:
    return audit(TRAIN, EVALS, plants=5, question="question", answer="answer", passage="passage", **settings)


def of_kind(found: Audit, kind: str) -> dict[str, Any]:
    (row,) = (row for row in found.kinds.to_pylist() if row["kind"] == kind and row["words"] == "all")
    return row


def test_verbatim_items_are_found_and_none_is_taken_for_another(found: Audit) -> None:
    row = of_kind(found, "verbatim")
    assert (row["planted"], row["found"], row["right"], row["reported"]) == (5, 5, 5, 5)
    assert row["recall"] == row["precision"] == row["recall_high"] == 1.0
    assert 0.4 < row["recall_low"] < 0.6
    assert row["threshold_for_target"] >= 0.5


def test_every_kind_has_rows_for_all_and_for_its_lengths(found: Audit) -> None:
    rows = found.kinds.to_pylist()
    assert list(dict.fromkeys(row["kind"] for row in rows)) == [kind.name for kind in KINDS]
    for kind in KINDS:
        own = [row for row in rows if row["kind"] == kind.name]
        assert own[0]["words"] == "all"
        assert sum(row["planted"] for row in own[1:]) == own[0]["planted"]
        assert sum(row["found"] for row in own[1:]) == own[0]["found"]


def test_recall_falls_with_the_threshold(found: Audit) -> None:
    rows = found.curve.to_pylist()
    for kind in KINDS:
        if kind.expected == "no leak":
            continue
        recalls = [row["recall"] for row in rows if row["kind"] == kind.name]
        assert len(recalls) == len(GRID)
        assert recalls == sorted(recalls, reverse=True)


def test_what_was_missed_is_listed_with_its_reason(found: Audit) -> None:
    whole = [row for row in found.kinds.to_pylist() if row["words"] == "all"]
    assert found.missed.num_rows == sum(
        row["false"] if row["recall"] is None else row["planted"] - row["found"] for row in whole
    )
    missed = found.missed.to_pylist()
    assert {"answer alone"} <= {row["kind"] for row in missed}
    assert all(row["reason"] and row["text"] for row in missed)
    assert found.summary["planted"] == sum(row["planted"] for row in whole)


def test_the_same_seed_gives_the_same_and_threads_change_nothing(found: Audit) -> None:
    again = run_audit(threads=2)
    assert again.kinds.equals(found.kinds)
    assert again.missed.equals(found.missed)


def test_a_passage_alone_is_found_as_a_source_and_other_numbers_are_no_leak(found: Audit) -> None:
    passage, numbers = of_kind(found, "passage alone"), of_kind(found, "other numbers")
    assert (passage["planted"], passage["found"], passage["false"], passage["precision"]) == (5, 5, 0, 1.0)
    assert (numbers["planted"], numbers["reported"], numbers["false"]) == (5, 0, 0)
    assert numbers["recall"] is numbers["precision"] is numbers["threshold_for_target"] is None
    assert (numbers["false_share"], numbers["false_low"]) == (0.0, 0.0)
    assert 0.3 < numbers["false_high"] < 0.6


def test_documents_that_hold_an_item_already_are_counted_and_are_no_hosts() -> None:
    train = [*TRAIN[:10], f"so: {EVALS[3]['question']}"]
    found = audit(train, EVALS, plants=1, threads=1)
    assert found.summary["documents_with_items_already"] == 1
    assert found.summary["documents_read"] == 11


def test_plants_are_judged_by_the_item_that_was_planted() -> None:
    items = Evals([Item("e", "", "", number, f"question {number}") for number in range(3)])
    plants = [Plant(Document(f"p{number}", ""), number, "verbatim", 9) for number in range(3)]

    def row(document: str, item: int, containment: float) -> dict[str, Any]:
        place = {"eval_key": "e", "config": "", "split": "", "eval_instance_index": item}
        return {"document": document, **place, "part": "question", "containment": containment}

    leaks = [row("p0", 0, 0.7), row("p0", 0, 0.9), row("p0", 2, 0.6), row("p1", 2, 0.8), row("other", 1, 1.0)]
    left_out = [row("p1", 1, 0.4) | {"reason": "template"}]
    first, second, third = judge_plants(plants, items, leaks, left_out)
    assert (first.containment, first.wrong) == (0.9, (0.6,))
    assert (second.containment, second.reason, second.wrong) == (0.0, "template", (0.8,))
    assert (third.containment, third.reason, third.wrong) == (0.0, "not found", ())


def test_what_is_no_leak_and_is_called_one_is_false() -> None:
    items = Evals([Item("e", "", "", number, f"question {number}", f"passage {number // 2}") for number in range(4)])
    expected = ("source", "source", "no leak", "no leak", "source")
    plants = [Plant(Document(f"p{number}", ""), number % 4, "a form", 9, each) for number, each in enumerate(expected)]

    def row(document: int, item: int, part: str, containment: float, reason: str = "") -> dict[str, Any]:
        place = {"eval_key": "e", "config": "", "split": "", "eval_instance_index": item}
        rest = {"part": part, "containment": containment, **({"reason": reason} if reason else {})}
        return {"document": f"p{document}", **place, **rest}

    leaks = [row(1, 0, "passage", 0.9), row(1, 1, "question", 0.3), row(2, 2, "question", 0.7)]
    left_out = [row(0, 0, "passage", 0.8, "source"), row(3, 3, "question", 0.9, "template")]
    source, asked, numbers, template, nothing = judge_plants(plants, items, leaks, left_out)
    assert source.is_found(0.8)
    assert not source.is_found(0.85)
    assert not source.is_false(0.1)
    assert (asked.is_found(0.9), asked.is_false(0.3), asked.is_false(0.5)) == (True, True, False)
    assert (numbers.is_found(0.1), numbers.is_false(0.7), numbers.is_false(0.8)) == (False, True, False)
    assert (template.reason, template.is_false(0.1)) == ("template", False)
    assert (nothing.reason, nothing.is_found(0.1), nothing.is_false(0.1)) == ("not found", False, False)


def test_what_many_documents_hold_is_found_if_it_is_in_each_and_false_in_a_template() -> None:
    items = Evals([Item("e", "", "", number, f"question {number}") for number in range(2)])
    copies, templates = (Document("p0-1", ""), Document("p0-2", "")), (Document("p0-other", ""),)
    plants = [Plant(Document("p0", ""), 0, "a form", 9, copies=copies, templates=templates)]

    def row(document: str, item: int, containment: float, **rest: str) -> dict[str, Any]:
        place = {"eval_key": "e", "config": "", "split": "", "eval_instance_index": item}
        return {"document": document, **place, "part": "question", "containment": containment, **rest}

    (lost,) = judge_plants(
        plants, items, [row("p0", 0, 1.0), row("p0-1", 0, 0.9)], [row("p0-2", 0, 0.8, reason="boilerplate")]
    )
    assert (lost.containment, lost.reason, lost.wrong) == (0.0, "boilerplate", ())
    (false,) = judge_plants(plants, items, [row(each, 0, 0.9) for each in ("p0", "p0-1", "p0-2", "p0-other")], [])
    assert (false.containment, false.wrong) == (0.9, (0.9,))
    (other,) = judge_plants(plants, items, [row("p0", 1, 0.6), row("p0-2", 1, 0.7)], [])
    assert other.wrong == (0.7,)


def test_documents_are_drawn_all_as_likely() -> None:
    texts = [str(number) for number in range(40)]
    drawn = [draw_documents(texts, 10, random.Random(seed)) for seed in range(400)]
    assert all(len(kept) == 10 and read == 40 for kept, read in drawn)
    counts = [sum(any(document.text == text for document in kept) for kept, _ in drawn) for text in texts]
    assert all(60 < count < 140 for count in counts)
    kept, read = draw_documents(texts[:4], 10, random.Random(1))
    assert ([document.text for document in kept], read) == (texts[:4], 4)


def test_training_data_without_a_text_are_refused() -> None:
    with pytest.raises(CorpusError, match="no document to plant items in"):
        audit(["", " "], EVALS)


@pytest.mark.parametrize(("name", "value"), [("threshold", 0), ("target", 1.5), ("sample", 0), ("plants", 0)])
def test_an_argument_out_of_range_is_named(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=name):
        audit(TRAIN, EVALS, **{name: value})  # type: ignore[arg-type]


def test_names_are_public() -> None:
    assert ibidem.audit is audit
