"""The measures by name, and the scores of results in rows: one for each measure and category."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ibidem.evaluation.cases import Case, drop_repeated
from ibidem.evaluation.documents import adjusted_rand_index, document_pair_scores
from ibidem.evaluation.plagdet import pan_scores
from ibidem.evaluation.positions import Average, Counted, case_scores

Row = dict[str, Any]

ALL = "all"
"""The category of everything."""


def by_category(reported: Sequence[Case], truth: Sequence[Case]) -> Iterator[tuple[str, list[Case], list[Case]]]:
    """Yield each category of the truth: its name, the cases reported of pairs of documents that have it, and its own
    cases; then everything.

    Cases reported of a pair without any true case count with everything alone.
    """
    for category in sorted({case.category for case in truth} - {""}):
        true = [case for case in truth if case.category == category]
        pairs = {(case.suspicious, case.source) for case in true}
        yield category, [case for case in reported if (case.suspicious, case.source) in pairs], true
    yield ALL, list(reported), list(truth)


def plagdet_rows(reported: Sequence[Case], truth: Sequence[Case], *, average: Average = "macro") -> Iterator[Row]:
    """PAN's measures of each category."""
    for category, cases_reported, cases_true in by_category(reported, truth):
        scores = pan_scores(cases_reported, cases_true, average=average)
        counts = {"cases": len(drop_repeated(cases_true)), "reported": len(drop_repeated(cases_reported))}
        yield {"category": category, **counts, **scores._asdict(), "f1": scores.f1, "plagdet": scores.plagdet}


def position_rows(
    reported: Sequence[Case], truth: Sequence[Case], *, average: Average = "micro", side: Counted = "both"
) -> Iterator[Row]:
    """Scores of the characters of each category."""
    for category, cases_reported, cases_true in by_category(reported, truth):
        scores = case_scores(cases_reported, cases_true, side=side, average=average)
        counts = {"cases": len(cases_true), "reported": len(cases_reported)}
        yield {"category": category, **counts, **scores._asdict(), "f1": scores.f1}


def pair_row(reported: Sequence[tuple[str, str]], truth: Sequence[tuple[str, str]]) -> Row:
    """Scores of pairs of documents."""
    scores = document_pair_scores(reported, truth)
    return {"pairs": len(set(truth)), "reported": len(set(reported)), **scores._asdict(), "f1": scores.f1}


def cluster_row(reported: Mapping[str, object], truth: Mapping[str, object]) -> Row:
    """The adjusted Rand index of clusterings by id; a document that one lacks is a cluster of its own there."""
    ids = sorted(reported.keys() | truth.keys())
    labels = [
        [(True, clustering[id]) if id in clustering else (False, id) for id in ids] for clustering in (reported, truth)
    ]
    return {
        "documents": len(ids),
        "clusters": len(set(labels[1])),
        "reported": len(set(labels[0])),
        "adjusted_rand_index": adjusted_rand_index(*labels),
    }
