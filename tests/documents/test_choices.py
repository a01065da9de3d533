"""What a deduplication is asked for, and what follows from it."""

import pytest

from ibidem.documents.choices import Choices


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"threshold": 0.0}, "threshold"),
        ({"recall": 1.5}, "recall"),
        ({"cluster_mode": "loose"}, "cluster_mode is one of representative, connected, not 'loose'"),
        ({"seed": -1}, "seed"),
    ],
)
def test_choices_that_make_no_sense_are_refused(choices: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Choices(**choices).require_valid()


def test_bands_and_the_filter_keep_the_recall_together() -> None:
    choices = Choices(threshold=0.7, recall=0.95)
    similarity = choices.threshold
    missed_by_bands = (1 - similarity**choices.banding.rows) ** choices.banding.bands
    assert missed_by_bands <= 0.05
    assert 0 < choices.least_agreeing <= similarity * choices.num_hashes


def test_estimates_are_taken_for_the_similarity_without_verification() -> None:
    assert Choices(threshold=0.5, num_hashes=64, verify=False).least_agreeing == 32
