"""Benchmarks run in this process, which has loaded its libraries and kernels already."""

import runpy
import sys
import warnings
from pathlib import Path

import pytest

__all__ = ["run_here"]


def run_here(script: Path, *options: str) -> None:
    """Run a script as if it had been called, without real texts and with its own folder first on the path.

    It fails as the script does, by an error or by a status other than 0.
    """
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        patch.delenv("IBIDEM_DATA", raising=False)
        patch.setattr(sys, "argv", [str(script), *options])
        patch.setattr(sys, "path", [str(script.parent), *sys.path])
        warnings.simplefilter("ignore")  # as in a script; that nothing warns is for the tests of what it calls
        try:
            runpy.run_path(str(script), run_name="__main__")
        except SystemExit as ended:
            if ended.code:
                raise AssertionError(f"{script.name} ended with {ended.code}") from ended
