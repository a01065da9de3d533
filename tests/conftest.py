"""What holds for every test: where compiled kernels are kept, how Hypothesis runs, and where real texts are.

Loaded before any test imports ibidem, in every process of the session.
"""

import hashlib
import os
import shutil
import time
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
KERNEL_CACHES = ROOT / ".numba_cache"
ONE_DAY = 24 * 60 * 60


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # in the process that starts the workers
        _forget_old_kernels()


def _kernel_cache() -> Path:
    """The folder for kernels compiled from the sources as they stand.

    Numba compiles a kernel again when its own file changes, but not when a constant or a kernel of another file does.
    """
    digest = hashlib.sha256()
    for source in sorted((ROOT / "src" / "ibidem").rglob("*.py")):
        digest.update(source.relative_to(ROOT).as_posix().encode() + b"\0" + source.read_bytes() + b"\0")
    return KERNEL_CACHES / digest.hexdigest()[:16]


def _forget_old_kernels() -> None:
    current = Path(os.environ["NUMBA_CACHE_DIR"])
    current.mkdir(parents=True, exist_ok=True)
    os.utime(current)
    for folder in KERNEL_CACHES.iterdir():
        if time.time() - folder.stat().st_mtime > ONE_DAY:
            shutil.rmtree(folder, ignore_errors=True)


# Workers and the commands that tests start inherit the folder, so that one session sees one state of the sources.
if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ["NUMBA_CACHE_DIR"] = str(_kernel_cache())

settings.register_profile("everyday", deadline=None, max_examples=60)
settings.register_profile("ci", deadline=None, max_examples=60, derandomize=True, database=None, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "everyday")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real texts that the environment variable ``IBIDEM_DATA`` names."""
    folder = os.environ.get("IBIDEM_DATA")
    if not folder:
        pytest.skip("no real texts here: IBIDEM_DATA names no folder")
    return Path(folder)
