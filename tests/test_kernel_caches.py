"""A cache of compiled kernels loses what an edit outdated, and keeps the rest."""

from pathlib import Path

import pytest

from . import kernel_caches

SEEDS = "from ibidem import _jit\nfrom ibidem.hashing import MIX\n"


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two files of kernels, ``seeds`` and ``store``, of which the first imports ``hashing``; and a page without any."""
    package = tmp_path / "src" / "ibidem"
    package.mkdir(parents=True)
    for name, text in {
        "_jit": "",
        "hashing": "MIX = 1\n",
        "page": "",
        "seeds": SEEDS,
        "store": "import ibidem._jit\n",
    }.items():
        (package / f"{name}.py").write_text(text)
    monkeypatch.setattr(kernel_caches, "SOURCES", package.parent)
    monkeypatch.setattr(kernel_caches, "DECORATORS", package / "_jit.py")
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
    (sources / "_jit.py").write_text("FASTMATH = False\n")
    assert kept(sources) == set()


def test_an_edit_of_a_file_that_no_kernel_imports_forgets_nothing(sources: Path) -> None:
    (sources / "page.py").write_text("TITLE = 'ibidem'\n")
    assert kept(sources) == {"seeds", "store"}
