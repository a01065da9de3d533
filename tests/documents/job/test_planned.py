"""The settings of a planned deduplication; what the plan makes is tested beside the stages."""

import msgspec
import pytest

from ibidem.documents.job.planned import DedupSettings
from ibidem.documents.job.planning import plan_dedup
from ibidem.documents.signatures import Shingler
from ibidem.jobs.workspace import Workspace


@pytest.mark.parametrize("shingle", ["characters:9", "words:5:rabin:40"])
def test_choices_come_back_from_the_plan(inputs, tmp_path, shingle):
    chosen = {"threshold": 0.5, "keep": "max(year)", "cluster_mode": "connected", "num_hashes": 64, "seed": 3}
    plan_dedup([str(inputs)], tmp_path / "made", tmp_path / "plan", text="text", id="id", shingle=shingle, **chosen)
    workspace = Workspace(tmp_path / "plan")
    settings, choices = workspace.plan.read_settings(DedupSettings), workspace.job.choices
    assert {name: getattr(choices, name) for name in chosen} == chosen
    assert (settings.text, settings.id, settings.ranges >= 1) == ("text", "id", True)
    assert Shingler(choices.shingle).config == Shingler(shingle).config
    assert choices.require_valid().banding == choices.banding


def test_a_setting_that_this_version_does_not_know_is_refused():
    with pytest.raises(msgspec.ValidationError, match="unknown field `colour`"):
        msgspec.convert({"choices": {}, "colour": "red"}, DedupSettings)
