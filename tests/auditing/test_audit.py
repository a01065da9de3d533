"""What is found of planted items, counted by hand and by a whole run."""

import random
from typing import Any

import pytest

import ibidem
from ibidem import CorpusError
from ibidem.auditing.audit import audit
from ibidem.auditing.plants import KINDS
from ibidem.auditing.result import GRID, Audit


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


@pytest.mark.filterwarnings("ignore:no document of the training data has a token")
def test_training_data_without_a_text_are_refused() -> None:
    with pytest.raises(CorpusError, match="no document to plant items in"):
        audit(["", " "], EVALS)


@pytest.mark.parametrize(("name", "value"), [("threshold", 0), ("target", 1.5), ("sample", 0), ("plants", 0)])
def test_an_argument_out_of_range_is_named(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=name):
        audit(TRAIN, EVALS, **{name: value})  # type: ignore[arg-type]


def test_names_are_public() -> None:
    assert ibidem.audit is audit
