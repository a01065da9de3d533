"""A cache of compiled kernels loses what an edit outdated, and keeps the rest."""

from pathlib import Path

import pytest

from ibidem.cli import warmup

from . import compile_kernels, kernel_caches

SEEDS = "from ibidem.kernels import kernel\nfrom ibidem.hashing import MIX\n"


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two files of kernels, ``seeds`` and ``store``, of which the first imports ``hashing``; and a page without any."""
    package = tmp_path / "src" / "ibidem"
    (package / "kernels").mkdir(parents=True)
    for name, text in {
        "kernels/__init__": "from ibidem.kernels import decorators\n",
        "kernels/decorators": "",
        "hashing": "MIX = 1\n",
        "page": "",
        "seeds": SEEDS,
        "store": "import ibidem.kernels\n",
    }.items():
        (package / f"{name}.py").write_text(text)
    monkeypatch.setattr(kernel_caches, "SOURCES", package.parent)
    monkeypatch.setattr(kernel_caches, "DECORATORS", package / "kernels" / "__init__.py")
    compiled = tmp_path / "caches" / "kernels" / "ibidem_0123"
    compiled.mkdir(parents=True)
    for name in ("seeds", "store"):
        (compiled / f"{name}.find-12.py311.nbi").touch()
        (compiled / f"{name}.find-12.py311.1.nbc").touch()
    kernel_caches.imported.cache_clear()
    kernel_caches.forget_outdated(tmp_path / "caches")
    return package


def kept(sources: Path) -> set[str]:
    kernel_caches.imported.cache_clear()
    caches = sources.parent.parent / "caches"
    kernel_caches.forget_outdated(caches)
    return {file.name.split(".")[0] for file in caches.glob("kernels/*/*.nb?")}


def test_nothing_is_forgotten_while_the_sources_stay_as_they_are(sources: Path) -> None:
    assert kept(sources) == {"seeds", "store"}


def test_an_edit_of_what_a_kernel_imports_forgets_this_kernel_alone(sources: Path) -> None:
    (sources / "hashing.py").write_text("MIX = 2\n")
    assert kept(sources) == {"store"}


def test_an_edit_of_the_decorators_forgets_every_kernel(sources: Path) -> None:
    (sources / "kernels" / "decorators.py").write_text("FASTMATH = False\n")
    assert kept(sources) == set()


def test_an_edit_of_a_file_that_no_kernel_imports_forgets_nothing(sources: Path) -> None:
    (sources / "page.py").write_text("TITLE = 'ibidem'\n")
    assert kept(sources) == {"seeds", "store"}


def test_the_halves_compile_for_every_index_once_and_run_the_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[object] = []
    monkeypatch.setattr(warmup, "compile_passages", done.append)
    monkeypatch.setattr(warmup, "compile_sketches", done.append)
    monkeypatch.setattr(warmup, "_run", done.append)
    for half in compile_kernels.HALVES:
        compile_kernels.main(half)
    commands = [each for each in done if isinstance(each, list)]
    assert [command[0] for command in commands] == [line.split("|")[0] for line in warmup.COMMANDS]
    others = [each for each in done if each not in commands]
    assert sorted(map(str, others)) == sorted(map(str, (*warmup.PASSAGES, *warmup.SKETCHES)))


def test_an_empty_cache_is_filled_and_one_that_has_kernels_left_to_the_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "program"
    program.write_text('#!/bin/sh\necho "$3" >>"$NUMBA_CACHE_DIR/seeds.find-12.py311.1.nbc"\n', "utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(compile_kernels.sys, "executable", str(program))
    compiled = tmp_path / "cache" / "seeds.find-12.py311.1.nbc"
    compiled.parent.mkdir()
    for _ in range(2):
        compile_kernels.compile_halves(compiled.parent)
        assert sorted(compiled.read_text("utf-8").split()) == sorted(compile_kernels.HALVES)
