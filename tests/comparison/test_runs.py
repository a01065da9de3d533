"""Runs hold each token of both passages once, and say in which order they stand."""

import numpy as np
from hypothesis import given

from ibidem.comparison.correspondence import Correspondence, correspond
from ibidem.comparison.global_alignment import ALONE
from ibidem.comparison.runs import cut_runs

from .drawn_words import EVIDENCE, Ids, ids


@given(ids(60), ids(60))
def test_runs_hold_every_token_of_both_once(a: Ids, b: Ids) -> None:
    runs = cut_runs(correspond(a, b, EVIDENCE[:10]), len(b))
    assert sorted(i for run in runs for i in range(run.a_first, run.a_last)) == list(range(len(a)))
    assert sorted(j for run in runs for j in range(run.b_first, run.b_last)) == list(range(len(b)))
    for run in runs:
        ours, theirs = run.a_last - run.a_first, run.b_last - run.b_first
        if run.kind in ("equal", "moved"):
            assert a[run.a_first : run.a_last].tolist() == b[run.b_first : run.b_last].tolist()
        else:
            assert (ours > 0, theirs > 0) == {"changed": (True, True), "dropped": (True, False)}.get(
                run.kind, (False, True)
            )


def test_a_move_is_cut_out_of_what_stands_between() -> None:
    partners = np.array([0, 5, 6, ALONE, 1])
    moved = np.array([False, True, True, False, False])
    assert cut_runs(Correspondence(partners, moved), 8) == [
        ("equal", 0, 1, 0, 1),
        ("moved", 1, 3, 5, 7),
        ("dropped", 3, 4, 1, 1),
        ("equal", 4, 5, 1, 2),
        ("inserted", 5, 5, 2, 5),
        ("inserted", 5, 5, 7, 8),
    ]
