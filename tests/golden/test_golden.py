"""Every command gives what it gave when its outputs were recorded."""

import difflib
from pathlib import Path

import pytest

from .cases import CASES
from .inputs import make_inputs
from .record import HOW, OUTPUTS, run_case


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    make_inputs(folder)
    return folder


def describe_changes(name: str, recorded: str, output: str) -> str:
    """The lines that differ, and how to record the case again."""
    lines = difflib.unified_diff(recorded.split("\n"), output.split("\n"), "recorded", "output", lineterm="", n=2)
    return "\n".join([*lines, f"If this is meant, record it again, and say why in the commit: {HOW} {name}"])


@pytest.mark.parametrize("name", CASES)
def test_commands_give_what_was_recorded(name: str, inputs: Path, tmp_path: Path) -> None:
    recorded = (OUTPUTS / f"{name}.txt").read_bytes().decode()
    output = run_case(CASES[name], inputs, tmp_path / "work")
    if output != recorded:
        pytest.fail(describe_changes(name, recorded, output), pytrace=False)


def test_every_recorded_output_belongs_to_a_case() -> None:
    assert sorted(path.stem for path in OUTPUTS.iterdir()) == sorted(CASES)


def test_a_difference_names_the_lines_and_the_command_that_records_again() -> None:
    changes = describe_changes("info", "a\nb\nc", "a\nx\nc")
    assert "\n-b\n+x\n" in changes
    assert "python -m tests.golden.record info" in changes
