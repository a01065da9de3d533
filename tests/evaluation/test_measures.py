"""Scores in rows: one for each category, and one for everything."""

import pytest

from ibidem.evaluation import Case
from ibidem.evaluation.measures import by_category, cluster_row, pair_row, plagdet_rows, position_rows


def case(source: str, start: int, category: str = "") -> Case:
    return Case(
        suspicious="essay",
        start=start,
        end=start + 10,
        source=source,
        source_start=start,
        source_end=start + 10,
        category=category,
    )


TRUTH = [case("a", 0, "copied"), case("b", 0, "summary")]
FOUND = [case("a", 0), case("c", 0)]


def test_a_category_has_what_was_reported_of_its_pairs_and_all_has_everything() -> None:
    rows = {name: (found, true) for name, found, true in by_category(FOUND, TRUTH)}
    assert rows == {"copied": (FOUND[:1], TRUTH[:1]), "summary": ([], TRUTH[1:]), "all": (FOUND, TRUTH)}


@pytest.mark.parametrize("rows", [plagdet_rows, position_rows])
def test_scores_are_of_the_category_that_they_stand_beside(rows) -> None:  # type: ignore[no-untyped-def]
    recalls = {row["category"]: row["recall"] for row in rows(FOUND, TRUTH)}
    assert recalls == {"copied": 1, "summary": 0, "all": 0.5}


def test_pairs_and_clusters_are_counted_once() -> None:
    row = pair_row([("a", "b"), ("b", "a")], [("a", "b"), ("c", "d")])
    assert (row["pairs"], row["precision"], row["recall"]) == (2, 1, 0.5)
    clusters = cluster_row({"a": 1, "b": 1}, {"a": "x", "b": "x", "c": "y"})
    assert (clusters["documents"], clusters["clusters"], clusters["reported"]) == (3, 2, 2)
    assert clusters["adjusted_rand_index"] == 1


def test_a_detection_that_is_given_again_is_one() -> None:
    [*_, row] = plagdet_rows([*FOUND, FOUND[1], FOUND[1]], [*TRUTH, TRUTH[0]])
    assert (row["cases"], row["reported"], row["precision"]) == (2, 2, 0.5)
