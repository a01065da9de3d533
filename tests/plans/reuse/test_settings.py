"""The settings of a plan are the question that was asked."""

from ibidem.plans.reuse.planning import plan_reuse
from ibidem.plans.reuse.settings import ReuseSettings
from ibidem.plans.workspace import Workspace
from ibidem.reuse.find import Question
from ibidem.text import make_tokenizer

from ..samples import write_collection


def test_the_question_comes_back_from_the_plan(inputs, tmp_path):
    asked = {"threshold": 0.5, "min_length": 9, "date": "year", "phrases": ["all rights reserved"], "within": True}
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
    settings = ReuseSettings.of(Workspace(tmp_path / "plan"))
    expected = Question.of(**asked, tokenizer=make_tokenizer("characters:4").config)
    assert settings.make_question() == expected
    assert (settings.others, settings.format, settings.also) == (6, "csv", ("graphml",))
