"""The settings of planned reuse, and its explanations; what a plan finds is tested beside the stages."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ibidem.cli import main
from ibidem.jobs.plan import read_plan
from ibidem.jobs.workspace import Workspace
from ibidem.plans import plan_reuse, run_rank
from ibidem.reuse.job.planned import ReuseSettings
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


def ids_in(inputs: Path) -> list[str]:
    lines = [line for file in sorted(inputs.rglob("*.jsonl")) for line in file.read_text().splitlines()]
    return [json.loads(line)["id"] for line in lines]


@pytest.mark.parametrize("settings", [{"min_pair_length": 12}, {"series": "year"}, {"ignore": ["word1 word2 word3"]}])
def test_a_plan_explains_as_the_plain_command_does(tmp_path: Path, settings: dict[str, object]) -> None:
    inputs = write_collection(tmp_path / "inputs")
    one, other = ids_in(inputs)[:2]
    plan_reuse(
        [str(inputs)], tmp_path / "made", tmp_path / "plan", memory="64M", parts=3, explain=(one, other), **settings
    )
    run_rank(tmp_path / "plan")
    assert [path.name for path in (tmp_path / "made").iterdir()] == ["summary.json"]
    options = [words for name, value in settings.items() for words in as_words(tmp_path, name, value)]
    plain = CliRunner().invoke(main, ["reuse", str(inputs), "--explain", one, other, *options])
    assert plain.exit_code == 0, plain.output
    assert json.loads((tmp_path / "made/summary.json").read_text()) == json.loads(plain.stdout)


def as_words(tmp_path: Path, name: str, value: object) -> list[str]:
    if name == "ignore":
        (tmp_path / "sheet.txt").write_text("word1 word2 word3")
        value = tmp_path / "sheet.txt"
    return [f"--{name.replace('_', '-')}", str(value)]


def test_the_command_plans_an_explanation(tmp_path: Path) -> None:
    inputs = write_collection(tmp_path / "inputs")
    words = ["plan", "reuse", str(inputs), "-o", str(tmp_path / "made"), "--plan", str(tmp_path / "plan")]
    result = CliRunner().invoke(main, [*words, "--explain", "a", "b"])
    assert result.exit_code == 0, result.output
    assert read_plan(tmp_path / "plan").kind == "explanation"
    result = CliRunner().invoke(main, ["run", str(tmp_path / "plan")])
    assert (result.exit_code, "no document has the id 'a'" in result.output) == (2, True)


def test_an_update_is_not_explained(tmp_path: Path) -> None:
    inputs = write_collection(tmp_path / "inputs")
    with pytest.raises(ValueError, match="update and explain exclude each other"):
        plan_reuse([str(inputs)], tmp_path / "made", tmp_path / "plan", update=tmp_path / "run", explain=("a", "b"))
