"""evaluate: the measures by what the files hold, in JSON or a table; files that cannot be compared are named."""

import json
import math
from pathlib import Path

import pytest

from .samples import Run, lines_of, write_lines

PRECISION, RECALL = 10 / 15, 10 / 20
F1 = 2 * PRECISION * RECALL / (PRECISION + RECALL)


def test_passages_are_scored_by_plagdet_and_by_positions(run: Run, folder: Path) -> None:
    plagdet, positions = lines_of(run("evaluate", "found.jsonl", "truth.jsonl"))
    assert plagdet == {
        "measure": "plagdet",
        "category": "all",
        "cases": 1,
        "reported": 1,
        "precision": PRECISION,
        "recall": RECALL,
        "granularity": 1.0,
        "f1": pytest.approx(F1),
        "plagdet": pytest.approx(F1 / math.log2(2)),
    }
    assert positions == {
        "measure": "positions",
        "category": "all",
        "cases": 1,
        "reported": 1,
        "precision": PRECISION,
        "recall": RECALL,
        "f1": pytest.approx(F1),
    }


def test_folders_of_xml_are_scored_as_lines_are_and_by_category(run: Run, folder: Path) -> None:
    category, whole = lines_of(run("evaluate", "detections", "corpus", "--measure", "plagdet"))
    assert (category.pop("category"), whole.pop("category")) == ("02-no-obfuscation", "all")
    expected, _ = lines_of(run("evaluate", "found.jsonl", "truth.jsonl"))
    expected.pop("category")
    assert category == whole == expected


def test_what_is_reported_of_other_pairs_counts_with_everything_alone(run: Run, folder: Path) -> None:
    case = json.loads(Path("truth.jsonl").read_text("utf-8"))
    write_lines("truth.jsonl", case | {"category": "none"}, case | {"category": "summary", "source": "z"})
    write_lines("found.jsonl", case, case | {"suspicious": "w"})
    rows = lines_of(run("evaluate", "found.jsonl", "truth.jsonl", "--measure", "positions"))
    assert [(row["category"], row["precision"], row["recall"]) for row in rows] == [
        ("none", 1.0, 1.0),
        ("summary", 0.0, 0.0),
        ("all", 0.5, 0.5),
    ]


@pytest.mark.parametrize(("side", "precision"), [("suspicious", 0.5), ("source", 1.0)])
def test_positions_are_those_of_the_side_asked_for(run: Run, folder: Path, side: str, precision: float) -> None:
    [row] = lines_of(run("evaluate", "found.jsonl", "truth.jsonl", "--measure", "positions", "--side", side))
    assert (row["precision"], row["recall"]) == (precision, 0.5)


def test_an_average_may_be_asked_for(run: Run, folder: Path) -> None:
    case = json.loads(Path("truth.jsonl").read_text("utf-8"))
    write_lines("truth.jsonl", case, case | {"source": "z", "this_length": 20, "source_length": 20})
    write_lines("found.jsonl", case)
    recalls = [
        lines_of(run("evaluate", "found.jsonl", "truth.jsonl", *average, "--measure", measure))[0]["recall"]
        for measure in ("plagdet", "positions")
        for average in ([], ["--average", "micro"], ["--average", "macro"])
    ]
    assert recalls == pytest.approx([1 / 2, 1 / 3, 1 / 2, 1 / 3, 1 / 3, 1 / 2])


def test_pairs_of_documents_are_scored_without_passages(run: Run, folder: Path) -> None:
    write_lines("pairs.jsonl", {"a": "y", "b": "x"}, {"a": "x", "b": "z"})
    write_lines("true.jsonl", {"suspicious": "x", "source": "y"})
    [row] = lines_of(run("evaluate", "pairs.jsonl", "true.jsonl"))
    assert row == {"measure": "pairs", "pairs": 1, "reported": 2, "precision": 0.5, "recall": 1.0, "f1": 2 / 3}
    assert lines_of(run("evaluate", "pairs.jsonl", "truth.jsonl"))[0]["precision"] == 0.5
    assert lines_of(run("evaluate", "found.jsonl", "truth.jsonl", "--measure", "pairs"))[0]["f1"] == 1.0


def test_clusters_are_scored_and_a_document_that_is_left_out_is_alone(run: Run, folder: Path) -> None:
    write_lines("true.jsonl", *({"id": id, "cluster": id // 2} for id in range(6)))
    write_lines("same.jsonl", *({"id": str(id), "cluster": f"c{id // 2}"} for id in range(6)))
    write_lines("some.jsonl", *({"id": id, "cluster": 9} for id in range(2)))
    [same] = lines_of(run("evaluate", "same.jsonl", "true.jsonl"))
    expected = {"measure": "clusters", "documents": 6, "clusters": 3, "reported": 3, "adjusted_rand_index": 1.0}
    assert same == expected
    [some] = lines_of(run("evaluate", "some.jsonl", "true.jsonl"))
    # 1 pair of documents is together in both, 1 in the one, 3 in the other, of 15.
    assert some["adjusted_rand_index"] == pytest.approx((1 - 3 / 15) / (2 - 3 / 15))


def test_nothing_reported_is_a_score_of_0(run: Run, folder: Path) -> None:
    write_lines("found.jsonl")
    plagdet, positions = lines_of(run("evaluate", "found.jsonl", "truth.jsonl"))
    assert plagdet["plagdet"] == positions["f1"] == 0.0


def test_a_reader_sees_a_table(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ibidem.cli.evaluate.is_terminal", lambda _: True)
    shown = run("evaluate", "found.jsonl", "truth.jsonl").stdout
    assert "granularity" in shown
    assert f"{F1:.3f}" in shown
    assert len(lines_of(run("evaluate", "found.jsonl", "truth.jsonl", "--json"))) == 2


def test_two_empty_files_are_an_error(run: Run, folder: Path) -> None:
    result = run("evaluate", write_lines("found.jsonl"), write_lines("truth.jsonl"))
    assert (result.exit_code, result.stderr) == (
        2,
        "ibidem: error: found.jsonl and truth.jsonl are both empty: there is nothing to score\n",
    )


def test_a_measure_needs_what_it_measures(run: Run, folder: Path) -> None:
    write_lines("found.jsonl", {"a": "x", "b": "y"})
    result = run("evaluate", "found.jsonl", "truth.jsonl", "--measure", "plagdet")
    assert result.exit_code == 2
    assert "--measure plagdet needs passages, and the files hold pairs" in result.stderr
