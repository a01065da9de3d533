"""The settings of planned reuse; what the plan finds is tested beside the stages."""

from ibidem.jobs.workspace import Workspace
from ibidem.reuse.job.planned import ReuseSettings
from ibidem.reuse.job.planning import plan_reuse
from ibidem.reuse.question import Question

from ...jobs.samples import write_collection


def test_the_question_comes_back_from_the_plan(inputs, tmp_path):
    asked = {"threshold": 0.5, "min_pair_length": 9, "date": "year", "phrases": ["all rights reserved"], "within": True}
    others = write_collection(tmp_path / "others", files=2)
    plan_reuse(
        [str(inputs)],
        tmp_path / "made",
        tmp_path / "plan",
        against=[str(others)],
        tokenizer="characters:4",
        format="csv",
        also=["graphml"],
        **asked,
    )
    workspace = Workspace(tmp_path / "plan")
    settings = workspace.plan.read_settings(ReuseSettings)
    assert workspace.job.question.describe() == Question(**asked, tokenizer="characters:4").describe()
    assert (settings.others, settings.format, settings.also) == (6, "csv", ("graphml",))
