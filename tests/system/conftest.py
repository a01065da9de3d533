"""What Windows does, of the functions that Linux has."""

import fcntl
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

WITHOUT_POSIX = Path(__file__).parent / "without_posix"


@pytest.fixture(scope="session")
def windows() -> ModuleType:
    """The module that takes from a process what Windows does not have, without having done so."""
    spec = importlib.util.spec_from_file_location("without_posix", WITHOUT_POSIX / "sitecustomize.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(params=["flock", "ranges"])
def locks(request: pytest.FixtureRequest, windows: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Each kind of locks that there is."""
    if request.param == "ranges":
        monkeypatch.setitem(sys.modules, "msvcrt", windows.make_locks(fcntl))
        monkeypatch.setitem(sys.modules, "fcntl", None)
    return request.param
