"""What became of plants, judged from the rows that name them."""

from typing import Any

from ibidem.auditing.plants import Plant
from ibidem.auditing.result import judge_plants
from ibidem.contamination.items import Evals, Item
from ibidem.text import Document


def test_plants_are_judged_by_the_item_that_was_planted() -> None:
    items = Evals([Item("e", "", "", number, f"question {number}") for number in range(3)])
    plants = [Plant(Document(f"p{number}", ""), number, "verbatim", 9) for number in range(3)]

    def row(document: str, item: int, containment: float) -> dict[str, Any]:
        place = {"eval_key": "e", "config": "", "split": "", "eval_instance_index": str(item)}
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
        place = {"eval_key": "e", "config": "", "split": "", "eval_instance_index": str(item)}
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
        place = {"eval_key": "e", "config": "", "split": "", "eval_instance_index": str(item)}
        return {"document": document, **place, "part": "question", "containment": containment, **rest}

    (lost,) = judge_plants(
        plants, items, [row("p0", 0, 1.0), row("p0-1", 0, 0.9)], [row("p0-2", 0, 0.8, reason="boilerplate")]
    )
    assert (lost.containment, lost.reason, lost.wrong) == (0.0, "boilerplate", ())
    (false,) = judge_plants(plants, items, [row(each, 0, 0.9) for each in ("p0", "p0-1", "p0-2", "p0-other")], [])
    assert (false.containment, false.wrong) == (0.9, (0.9,))
    (other,) = judge_plants(plants, items, [row("p0", 1, 0.6), row("p0-2", 1, 0.7)], [])
    assert other.wrong == (0.7,)
