"""What commands take: processor time, memory and disk, looked at ten times a second."""

import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

IBIDEM = [sys.executable, "-m", "ibidem.cli"]


class Taken(NamedTuple):
    """What some processes took; ``allocated`` is the most memory of one that no file stands behind."""

    seconds: float
    processor: float
    disk: int
    allocated: int = 0


def size(folders: list[Path]) -> int:
    """Bytes of the files below folders, one with several names counted once, whatever happens to them meanwhile."""
    sizes = {}
    for folder in folders:
        with suppress(OSError):
            for path in folder.rglob("*"):
                with suppress(OSError):
                    facts = path.stat()
                    sizes[facts.st_ino] = facts.st_size if path.is_file() else 0
    return sum(sizes.values())


@contextmanager
def watching(folders: list[Path]) -> Iterator[list[int]]:
    """The most bytes that the folders held together during the block, and that a process had allocated."""
    most, ended = [0, 0], threading.Event()

    def look() -> None:
        while not ended.wait(0.1):
            most[0] = max(most[0], size(folders))
            most[1] = max([most[1], *map(allocated_by, descendants(os.getpid()))])

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield most
    finally:
        ended.set()
        thread.join()


def take(programs: list[list[str]], folders: list[Path], variables: dict[str, str] | None = None) -> Taken:
    """Run programs side by side."""
    environment = {**os.environ, **(variables or {})}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    with watching(folders) as most:
        processes = [
            subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
            for program in programs
        ]
        statuses = [process.wait() for process in processes]
    assert not any(statuses)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Taken(time.perf_counter() - started, processor, *most)


def descendants(process: int) -> list[int]:
    """The processes that a process started, and those that these did."""
    found = []
    with suppress(OSError):
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        for child in map(int, children):
            found += [child, *descendants(child)]
    return found


def allocated_by(process: int) -> int:
    """Bytes of a process in memory that no file stands behind; 0 if it is gone."""
    with suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) << 10
    return 0


def load_ahead(folder: str) -> None:
    """Have all bytecode and kernels compiled, so that no run compiles any."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = f"{folder}/bytecode"
    subprocess.run([*IBIDEM, "warmup"], check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
