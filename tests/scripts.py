"""Benchmarks run in this process, which has loaded its libraries and kernels already."""

import io
import runpy
import sys
import warnings
from contextlib import redirect_stdout
from pathlib import Path

import pytest

__all__ = ["check_table", "run_here", "run_quick"]


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


def run_quick(script: Path, table: Path, *options: str) -> None:
    """Run a benchmark on little text; it prints the table that it writes."""
    with redirect_stdout(io.StringIO()) as output:
        run_here(script, "--quick", "--csv", str(table), *options)
    check_table(table, output.getvalue())


def check_table(table: Path, output: str) -> None:
    """Compare the table that a benchmark wrote with what it printed: every column is there, and a row."""
    written = table.read_text(encoding="utf-8").splitlines()
    header = next(line for line in written if not line.startswith("#"))
    assert any(all(column.strip('"') in line for column in header.split(",")) for line in output.splitlines()), output
    assert len(written) > 1
