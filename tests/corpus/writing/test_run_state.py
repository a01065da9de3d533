"""The state of a run is read by a later one of the same format and settings, or refused with the reason."""

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus.writing.run_state import open_state, require_same, seal_state
from ibidem.errors import ConfigurationError, CorpusError, FormatVersionError


def test_facts_are_read_as_they_were_written(tmp_path: Path) -> None:
    seal_state(tmp_path, 2, {"threshold": 0.5}, mean="0x1p0")
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
    seal_state(tmp_path, 2, {})
    with pytest.raises(CorpusError, match="damaged"), open_state(tmp_path, 2, "ibidem reuse", LookupError):
        raise LookupError
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(CorpusError, match="damaged"), open_state(tmp_path, 2, "ibidem reuse"):
        pass


@given(st.data())
def test_whatever_byte_of_a_state_is_changed_it_is_refused_or_read_as_it_was(data: st.DataObject) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        np.save(folder / "bounds.npy", np.arange(5))
        seal_state(folder, 2, {"threshold": 0.5, "columns": ["a", None]}, mean="0x1p0")
        with open_state(folder, 2, "ibidem reuse") as facts:
            pass
        file = folder / data.draw(st.sampled_from(["bounds.npy", "run.json"]))
        content = bytearray(file.read_bytes())
        content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
        file.write_bytes(content)
        with suppress(CorpusError, FormatVersionError), open_state(folder, 2, "ibidem reuse") as changed:
            assert (changed, file.name) == (facts, "run.json")


def test_a_changed_or_missing_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "pairs").write_bytes(b"1")
    seal_state(tmp_path, 2, {})
    (tmp_path / "pairs").write_bytes(b"2")
    with pytest.raises(CorpusError, match=r"damaged \(pairs was changed\); run anew"), open_state(tmp_path, 2, "x"):
        pass
    (tmp_path / "pairs").unlink()
    with pytest.raises(CorpusError, match=r"damaged .*pairs"), open_state(tmp_path, 2, "x"):
        pass


def test_only_the_named_settings_must_be_the_same() -> None:
    require_same({"threshold": 0.5, "texts": True}, {"threshold": 0.5}, ["threshold"])
    with pytest.raises(ConfigurationError, match=r"made with threshold 0\.5, not 0\.6"):
        require_same({"threshold": 0.5}, {"threshold": 0.6}, ["threshold"])
