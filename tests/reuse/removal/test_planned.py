"""A plan that removes repeated passages: its settings come back, and what is written beside a file stays."""

import json
from pathlib import Path

from ibidem.jobs.workspace import Workspace
from ibidem.plans import plan_passage_dedup
from ibidem.reuse.removal.planned import PlannedPassages
from ibidem.text import make_tokenizer

from ...jobs.samples import write_collection


def test_the_choices_come_back_from_the_plan(tmp_path: Path) -> None:
    inputs = write_collection(tmp_path / "inputs")
    chosen = {"threshold": 0.7, "min_length": 9, "keep": "max(year)", "boundary": "lines", "recall": 0.9, "seed": 3}
    plan_passage_dedup(
        [str(inputs)], tmp_path / "made", tmp_path / "plan", tokenizer="words:2", action="mask", **chosen
    )
    job = PlannedPassages(Workspace(tmp_path / "plan"))
    assert {name: getattr(job.choices, name) for name in chosen} == chosen
    assert make_tokenizer(job.choices.tokenizer).config == make_tokenizer("words:2").config
    assert job.action == "mask"
    assert json.loads((tmp_path / "plan/plan.json").read_text())["kind"] == "passages"
