"""A collection to be planned for."""

from pathlib import Path

import pytest

from .samples import write_collection


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    return write_collection(tmp_path / "inputs")
