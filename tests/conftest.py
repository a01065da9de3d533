"""What holds for every test: where compiled kernels are kept, how Hypothesis runs, and where real texts are.

Loaded before any test imports ibidem, in every process of the session.
"""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from .byte_pairs import write_byte_pairs
from .kernel_caches import forget_outdated

ROOT = Path(__file__).resolve().parent.parent
KERNEL_CACHES = ROOT / ".numba_cache"


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # in the process that starts the workers
        forget_outdated(KERNEL_CACHES)


# Workers and the commands that tests start inherit the folder.
os.environ["NUMBA_CACHE_DIR"] = str(KERNEL_CACHES / "kernels")

settings.register_profile("everyday", deadline=None, max_examples=60)
settings.register_profile("ci", deadline=None, max_examples=60, derandomize=True, database=None, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "everyday")


@pytest.fixture(scope="session")
def bpe_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Options for a byte-pair tokenizer."""
    pytest.importorskip("tokenizers", reason="the extra bpe is not installed")
    return write_byte_pairs(tmp_path_factory.mktemp("bpe"))


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real texts that the environment variable ``IBIDEM_DATA`` names."""
    folder = os.environ.get("IBIDEM_DATA")
    if not folder:
        pytest.skip("no real texts here: IBIDEM_DATA names no folder")
    return Path(folder)
