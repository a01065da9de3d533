"""How kernels are kept and told of: a cache that cannot be read costs a compilation, never an error."""

import os
import subprocess
import sys
from functools import _lru_cache_wrapper
from pathlib import Path

import numpy as np
import pytest
from numba.core import serialize

from ibidem.kernels import compiler
from ibidem.text.token_stream import number_tokens

NOTICE = "compiling kernels for this processor, once (ibidem warmup does it ahead) ...\n"

PROGRAM = """
import numpy as np
import shapes
from ibidem.kernels import kernel

@kernel
def add_sides(rectangle):
    return rectangle.sides[0] + rectangle.sides[1]

print(add_sides(shapes.{name}(np.array([2, 3]))))
"""


def call_kernel(folder: Path, name: str) -> subprocess.CompletedProcess[str]:
    """Add the sides of a rectangle in a process of its own, with a type of this name."""
    (folder / "shapes.py").write_text(f"import typing\n{name} = typing.NamedTuple('{name}', [('sides', object)])\n")
    (folder / "sums.py").write_text(PROGRAM.format(name=name))
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": str(folder)}
    return subprocess.run(
        [sys.executable, "-B", str(folder / "sums.py")], env=environment, capture_output=True, text=True, check=False
    )


def test_a_kernel_whose_type_was_renamed_since_it_was_kept_is_compiled_again(tmp_path: Path) -> None:
    first = call_kernel(tmp_path, "Rectangle")
    assert (first.stdout, first.stderr) == ("5\n", NOTICE)
    assert call_kernel(tmp_path, "Rectangle").stderr == ""  # it was kept
    renamed = call_kernel(tmp_path, "Oblong")
    assert (renamed.stdout, renamed.stderr) == ("5\n", NOTICE)
    assert call_kernel(tmp_path, "Oblong").stderr == ""  # and is kept again


READ_ONLY = """
import builtins, tempfile

def refuse(*_, **options):
    raise OSError(30, "Read-only file system")

def open_to_read(file, mode="r", *rest, open=open, **options):
    return refuse() if "w" in mode else open(file, mode, *rest, **options)

tempfile.TemporaryFile, builtins.open = refuse, open_to_read
"""


def test_a_folder_that_cannot_be_written_to_is_read_all_the_same(tmp_path: Path) -> None:
    call_kernel(tmp_path, "Rectangle")
    (tmp_path / "sitecustomize.py").write_text(READ_ONLY)
    read = call_kernel(tmp_path, "Rectangle")
    assert (read.stdout, read.stderr) == ("5\n", "")
    missing = call_kernel(tmp_path, "Oblong")
    assert (missing.stdout, missing.stderr) == ("5\n", NOTICE)


def test_a_cache_that_cannot_be_cleared_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def add(a: int, b: int) -> int:
        return a + b

    def refuse() -> None:
        raise PermissionError("read only")

    cached = compiler._KernelCache(add)
    monkeypatch.setattr(cached, "_load_overload", lambda *_: 1 / 0)
    monkeypatch.setattr(cached, "flush", refuse)

    class Context:
        def refresh(self) -> None: ...

    assert cached.load_overload(None, Context()) is None
    assert not cached._enabled


def test_compilation_is_told_once_whether_or_not_a_terminal_reads(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compiler._notice, "told", False)
    for _ in range(2):
        compiler._notice.on_start(None)
    assert capsys.readouterr().err == NOTICE


def test_a_kernel_that_ctrl_c_comes_into_makes_its_result_without_python_code() -> None:
    """Its constants come from a cache that is written in C: the interrupt waits until the kernel has returned."""
    unpickle = serialize._numba_unpickle
    assert isinstance(unpickle, _lru_cache_wrapper)
    number_tokens(np.arange(3, dtype=np.uint32))
    before = unpickle.cache_info()
    number_tokens(np.arange(3, dtype=np.uint32))
    after = unpickle.cache_info()
    assert after.hits > before.hits
    assert after.misses == before.misses
