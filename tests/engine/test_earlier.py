"""The state of a run is read by a later one of the same format and settings, or refused with the reason."""

from pathlib import Path

import pytest

from ibidem.engine.earlier import open_state, require_same, write_facts
from ibidem.errors import ConfigurationError, CorpusError, FormatVersionError


def test_facts_are_read_as_they_were_written(tmp_path: Path) -> None:
    write_facts(tmp_path, 2, {"threshold": 0.5}, mean="0x1p0")
    with open_state(tmp_path, 2, "ibidem reuse") as facts:
        assert (facts["settings"], facts["mean"]) == ({"threshold": 0.5}, "0x1p0")


def test_a_folder_without_a_run_names_the_command_that_makes_one(tmp_path: Path) -> None:
    with (
        pytest.raises(CorpusError, match="name one that ibidem reuse made"),
        open_state(tmp_path / "state", 2, "ibidem reuse"),
    ):
        pass


@pytest.mark.parametrize(("version", "age"), [(1, "an older"), (99, "a newer")])
def test_another_version_is_refused(tmp_path: Path, version: int, age: str) -> None:
    (tmp_path / "run.json").write_text(f'{{"version": {version}}}')
    with pytest.raises(FormatVersionError, match=f"made by {age} ibidem"), open_state(tmp_path, 2, "ibidem reuse"):
        pass


def test_a_fault_of_what_is_read_beside_the_facts_is_damage(tmp_path: Path) -> None:
    write_facts(tmp_path, 2, {})
    with pytest.raises(CorpusError, match="damaged"), open_state(tmp_path, 2, "ibidem reuse", LookupError):
        raise LookupError
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(CorpusError, match="damaged"), open_state(tmp_path, 2, "ibidem reuse"):
        pass


def test_only_the_named_settings_must_be_the_same() -> None:
    require_same({"threshold": 0.5, "texts": True}, {"threshold": 0.5}, ["threshold"])
    with pytest.raises(ConfigurationError, match=r"made with threshold 0\.5, not 0\.6"):
        require_same({"threshold": 0.5}, {"threshold": 0.6}, ["threshold"])
