"""The gate: what serving and agents take for the items of evaluations, and how these are prepared."""

from pathlib import Path

import click
import pytest

from ibidem.cli.gate import prepare_gate, require_evals
from ibidem.cli.mcp import mcp
from ibidem.cli.serve import serve

QUESTION = '{"question": "Which river flows through the small town of Grahamstown in the Eastern Cape?"}\n'


def test_services_and_agents_take_the_same_options() -> None:
    names = {"evals", "question", "answer", "passage", "choices", "sample", "text"}
    own = [{each.name: each for each in command.params if each.name in names} for command in (serve, mcp)]
    assert own[0].keys() == own[1].keys() == names
    assert all(own[0][name].to_info_dict() == own[1][name].to_info_dict() for name in names)


@pytest.mark.parametrize(("sample", "columns"), [(["train.jsonl"], {}), ([], {"question": "text"})])
def test_what_is_for_evals_is_refused_without_them(sample: list[str], columns: dict[str, str]) -> None:
    require_evals(["quiz.jsonl"], sample, columns)
    with pytest.raises(click.UsageError, match="for --evals"):
        require_evals([], sample, columns)


def test_words_are_weighed_by_the_sample_and_files_are_recognized(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "quiz.jsonl").write_text(QUESTION, encoding="utf-8")
    (tmp_path / "train.jsonl").write_text('{"verse": "The river rose after the rain."}\n', encoding="utf-8")
    evals, sample = [str(tmp_path / "quiz.jsonl")], [str(tmp_path / "train.jsonl")]
    gate = prepare_gate(evals, [], sample, "verse", {})
    assert (len(gate), gate.tokens) == (1, 6)
    assert "quiz.jsonl: questions (question), 1 item" in capsys.readouterr().err
    prepare_gate(evals, [], [], "text", {})
    assert "words are weighed by the evals alone" in capsys.readouterr().err
