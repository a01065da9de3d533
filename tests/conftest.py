"""What holds for every test: where compiled kernels are kept, how Hypothesis runs, and where real texts are.

Loaded before any test imports ibidem, in every process of the session.
"""

import gc
import os
import signal
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from .byte_pairs import write_byte_pairs
from .compile_kernels import compile_halves
from .kernel_caches import forget_outdated
from .warm_commands import CAN_FORK, serve_commands

ROOT = Path(__file__).resolve().parent.parent
KERNEL_CACHES = ROOT / ".numba_cache"


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name no test by long bytes: those of archives hold the time, and all processes must name a test alike."""
    return "bytes" if isinstance(val, bytes) and len(val) > 64 else None


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # in the process that starts the workers
        forget_outdated(KERNEL_CACHES)
        options, is_whole = config.option, config.args_source is config.ArgsSource.TESTPATHS
        if is_whole and not options.keyword and not options.collectonly and getattr(options, "numprocesses", None):
            compile_halves(KERNEL_CACHES / "kernels")
    # A shell starts what runs in its background without Ctrl-C; the commands that tests interrupt would inherit that.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Let the garbage collector look at no test and no module: they stay, and to go through them takes a second."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


# Workers and the commands that tests start inherit the folder.
os.environ["NUMBA_CACHE_DIR"] = str(KERNEL_CACHES / "kernels")

settings.register_profile("everyday", deadline=None, max_examples=60)
settings.register_profile("ci", deadline=None, max_examples=60, derandomize=True, database=None, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "everyday")


@pytest.fixture(autouse=True, scope="session")
def no_wait_for_the_disk() -> Iterator[None]:
    """No test here lives through a loss of power; that what needs a sync gets it in time has a test of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


@pytest.fixture(scope="session")
def bpe_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Options for a byte-pair tokenizer."""
    pytest.importorskip("tokenizers", reason="the extra bpe is not installed")
    return write_byte_pairs(tmp_path_factory.mktemp("bpe"))


@pytest.fixture(scope="session")
def warm_commands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with programs ``ibidem`` and ``python`` that start at once."""
    if not CAN_FORK:
        yield Path(sys.executable).parent
        return
    with serve_commands(tmp_path_factory.mktemp("commands")) as folder:
        yield folder


@pytest.fixture
def warm_python(warm_commands: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python programs that a test starts are copies of a process that has loaded everything.

    It is for programs that are seen from outside by their streams, files and status, and not by their process: the
    copy has another number, and stays in the namespaces and limits of its origin.
    """
    monkeypatch.setattr(sys, "executable", str(warm_commands / "python"))


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real texts that the environment variable ``IBIDEM_DATA`` names."""
    folder = os.environ.get("IBIDEM_DATA")
    if not folder:
        pytest.skip("no real texts here: IBIDEM_DATA names no folder")
    return Path(folder)


@pytest.fixture(scope="session")
def s3_server() -> Iterator[str]:
    """The address of an emulator of S3 in this process, with a bucket ``bucket``."""
    server = pytest.importorskip("moto.server", reason="no emulator of S3: ./dev setup")
    pytest.importorskip("s3fs", reason="no s3fs: ./dev setup")
    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    yield f"http://{host}:{port}"
    running.stop()


@pytest.fixture
def s3_folder(s3_server: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of an empty folder in the emulator of S3, which processes that a test starts can reach, too."""
    for name, value in {
        "AWS_ENDPOINT_URL": s3_server,
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    import fsspec

    fsspec.filesystem("s3").makedirs("bucket", exist_ok=True)
    return f"s3://bucket/{uuid.uuid4().hex}"


@pytest.fixture(params=["memory", "s3", "file"])
def object_store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of an empty folder of an object store; copies of indexes go to the folder ``cache`` of the test."""
    monkeypatch.setenv("IBIDEM_CACHE", str(tmp_path / "cache"))
    pytest.importorskip("fsspec", reason="no fsspec: pip install 'ibidem[remote]'")
    if request.param == "s3":
        return str(request.getfixturevalue("s3_folder"))
    if request.param == "file":
        return f"file://{tmp_path}/stored"
    return f"memory://{uuid.uuid4().hex}"
