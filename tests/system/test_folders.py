"""Each system has its own folder for the data of programs."""

import sys
from pathlib import Path

import pytest

from ibidem.system.folders import data_folder


@pytest.mark.parametrize(
    ("platform", "variable", "expected"),
    [
        ("linux", "XDG_DATA_HOME", "named/ibidem"),
        ("linux", "", "home/.local/share/ibidem"),
        ("darwin", "XDG_DATA_HOME", "home/Library/Application Support/ibidem"),
    ],
)
def test_data_lies_where_the_system_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, variable: str, expected: str
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    if variable:
        monkeypatch.setenv(variable, str(tmp_path / "named"))
    assert data_folder() == tmp_path / expected
