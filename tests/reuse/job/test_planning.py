"""What makes no sense is refused before a search for reuse is planned."""

import pytest

from ibidem.errors import CorpusError, PlanError
from ibidem.reuse.job.planning import plan_reuse


def test_what_makes_no_sense_is_refused_when_planned(inputs, tmp_path):
    def refuse(error, words, output="made", **settings):
        with pytest.raises(error, match=words):
            plan_reuse([str(inputs)], tmp_path / output, tmp_path / "plan", **settings)

    (tmp_path / "taken").mkdir()
    refuse(CorpusError, "it exists already", output="taken")
    refuse(ValueError, "a format is one of parquet", format="pdf")
    refuse(ValueError, "a format is one of graphml", also=["pdf"])
    refuse(ValueError, "threshold", threshold=2)
    refuse(PlanError, "name a tokenizer", tokenizer=str.split)
    assert not (tmp_path / "plan").exists()
