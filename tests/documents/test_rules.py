"""What a deduplication is asked for, and what follows from it."""

import pickle

import pytest

from ibidem.documents.rules import Rules


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"threshold": 0.0}, "threshold"),
        ({"threshold": 0.01}, "num_hashes=128 cannot have a recall"),
        ({"recall": 1.5}, "recall"),
        ({"cluster_mode": "loose"}, "cluster_mode is one of representative, connected, not 'loose'"),
        ({"seed": -1}, "seed"),
        ({"keep": "last"}, "a keep policy is"),
    ],
)
def test_rules_that_make_no_sense_are_refused(choices: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Rules.of("words:5", (), **choices)


def test_bands_and_the_filter_keep_the_recall_together() -> None:
    rules = Rules(threshold=0.7, recall=0.95)
    similarity = rules.threshold
    missed_by_bands = (1 - similarity**rules.banding.rows) ** rules.banding.bands
    assert missed_by_bands <= 0.05
    assert 0 < rules.least_agreeing <= similarity * rules.num_hashes


def test_rules_go_to_another_process() -> None:
    rules = Rules.of("words:2", ("latin",), keep="max(year)")
    copy = pickle.loads(pickle.dumps(rules))
    assert copy == rules
    assert copy.policy == rules.policy
