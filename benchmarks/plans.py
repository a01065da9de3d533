"""What a plan costs beside the plain command, how far its prediction is off, and whether kills change a byte.

    python benchmarks/plans.py [--quick] [--kind index|dedup|reuse] [--tokens N] [--ranks N ...]
                               [--processes N ...] [--ray] [--kills N] [--csv FILE]

Each row is a result of the same files: by the plain command with two threads, by ``ibidem run`` with so many ranks of
one thread side by side, by ``ibidem run --processes`` with so many, with ``--ray`` by two workers of Ray, and with
``--kills`` by ranks that are killed at random instants and started again until the plan is done. ``cpu s`` is processor
time, all processes together, which a busy machine changes less than the clock; what Ray's own processes take is not in
it. ``tasks cpu s`` is that of the tasks alone. Predicted is the time of one rank, and for each rank more the time in
which it starts. ``same`` says whether all bytes are those of the plain command. Disk is that of the plan and of the
result, the most that was seen ten times a second; so is ``allocated MB``, the memory of one process without what it
maps of files, for which ``--memory`` is a bound. With ``--ray`` what is killed is in turn a Ray worker at work and the
driver with all of its cluster, which stands in namespaces of its own. Programs keep their bytecode, as installed ones
do. The input is pages of real texts; where more is asked for, the same words in another order.
"""

import gzip
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import NamedTuple

from collections_of_text import documents
from report import Report, Row

from ibidem.jobs.plan import Prediction
from ibidem.jobs.status import StageStatus
from ibidem.plans import Plan, read_plan, read_status

FILES = 12

PAGE = 2_000

MEMORY = "512M"

IBIDEM = [sys.executable, "-m", "ibidem.cli"]

OPTIONS = {"index": ["--memory", MEMORY], "dedup": ["--memory", MEMORY], "reuse": ["--memory", MEMORY]}


RAY_DRIVER = """
import fcntl, socket, struct, sys

with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:  # the loopback of a new namespace is down
    fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh", b"lo", 0x41))
import ray
from ibidem.plans import run_on_ray

ray.init(address="local", num_cpus=2, include_dashboard=False, _node_ip_address="127.0.0.1", log_to_driver=False)
run_on_ray(sys.argv[1])
"""

NAMESPACES = ["unshare", "--map-root-user", "--net", "--pid", "--fork", "--mount-proc", "--kill-child=KILL"]
"""Whoever ends this ends all that was started in it."""


class Taken(NamedTuple):
    """What some processes took; ``allocated`` is the most memory of one that no file stands behind."""

    seconds: float
    processor: float
    disk: int
    allocated: int = 0


def pages(quick: bool) -> Iterator[str]:
    """Pages of text without an end; from the second time on, their words are shuffled."""
    texts = [text.split() for _, text in documents(quick)]
    source = random.Random(3)
    for turn in count():
        for words in texts:
            for first in range(0, len(words), PAGE):
                page = words[first : first + PAGE]
                if turn:
                    source.shuffle(page)
                yield " ".join(page)


def write_inputs(folder: Path, tokens: int, quick: bool) -> list[str]:
    """Compressed JSON lines of about so many tokens, in several files."""
    with ExitStack() as opened:
        files = [
            opened.enter_context(gzip.open(folder / f"{number:02d}.jsonl.gz", "wt", compresslevel=1))
            for number in range(FILES)
        ]
        written = 0
        for number, text in enumerate(pages(quick)):
            files[number % FILES].write(json.dumps({"id": str(number), "text": text}) + "\n")
            written += text.count(" ") + 1
            if written >= tokens:
                break
    return sorted(str(path) for path in folder.iterdir())


def digest(folder: Path) -> dict[str, str]:
    """A hash of each file of a result but the lock of an index."""
    found = {}
    for path in folder.rglob("*"):
        if path.is_file() and path.name != "writer.lock":
            with open(path, "rb") as file:
                found[str(path.relative_to(folder))] = hashlib.file_digest(file, "sha256").hexdigest()
    return found


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


def kill_ranks(plan: Path, kills: int, source: random.Random) -> int:
    """Start ranks and kill them at random instants; how many were killed. Stops when the plan is done.

    Every other time what is killed is a command that started two ranks, which go on without it for a while.
    """
    killed = 0
    while killed < kills and not read_status(plan).is_done:
        program = [*IBIDEM, "run", str(plan), *([] if killed % 2 else ["--processes", "2"]), "--threads", "1"]
        rank = subprocess.Popen(program, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            rank.wait(source.uniform(0.3, 2.5))
        except subprocess.TimeoutExpired:
            rank.kill()
            rank.wait()
            killed += 1
        time.sleep(source.uniform(0.0, 0.5))
        with suppress(ProcessLookupError):
            os.killpg(rank.pid, signal.SIGKILL)
    return killed


def kill_on_ray(plan: Path, kills: int, source: random.Random) -> int:
    """Run the plan on Ray and kill a worker or, every other time, the driver and its cluster; how many were killed."""
    killed = 0
    environment = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0"}
    while killed < kills and not read_status(plan).is_done:
        program = [*NAMESPACES, sys.executable, "-c", RAY_DRIVER, str(plan)]
        driver = subprocess.Popen(program, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=environment)
        while driver.poll() is None and not has_begun(plan):
            time.sleep(0.05)
        time.sleep(source.uniform(0.0, 1.5))
        workers = [each for each in descendants(driver.pid) if name_of(each).startswith("ray::")]
        if killed % 2 == 0 and workers:
            with suppress(ProcessLookupError):
                os.kill(source.choice(workers), signal.SIGKILL)
                killed += 1
            driver.wait()
        elif driver.poll() is None:
            driver.kill()
            killed += 1
        driver.wait()
    return killed


def has_begun(plan: Path) -> bool:
    """Whether a rank is at a task."""
    claims = plan / "claims"
    return claims.is_dir() and any(not entry.name.startswith(".") for entry in claims.iterdir())


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


def name_of(process: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_text()
    return ""


class Outcome(NamedTuple):
    """What is known of a plan that was run, by how many processes that start by themselves, and how many at once."""

    plan: Plan
    stages: list[StageStatus]
    ranks: int
    at_once: int


def row(how: str, taken: Taken, plain: Taken, same: bool, outcome: Outcome | None) -> Row:
    predicted = outcome.plan.prediction if outcome else None
    peak = max(stage.peak_memory for stage in outcome.stages) if outcome else 0
    tasks = sum(stage.processor for stage in outcome.stages) if outcome else 0.0
    return {
        "how": how,
        "seconds": f"{taken.seconds:.2f}",
        "of plain": f"{taken.seconds / plain.seconds:.2f}",
        "cpu s": f"{taken.processor:.2f}",
        "cpu of plain": f"{taken.processor / plain.processor:.2f}",
        "tasks cpu s": f"{tasks:.2f}" if outcome else "",
        "peak MB": peak >> 20 if peak else "",
        "allocated MB": taken.allocated >> 20 if taken.allocated else "",
        "disk MB": taken.disk >> 20,
        "same": same,
        "predicted cpu s": f"{predict_seconds(predicted, outcome.ranks):.1f}" if predicted and outcome else "",
        "predicted MB": predicted.memory >> 20 if predicted else "",
        "predicted disk MB": predict_disk(predicted, outcome.at_once) >> 20 if predicted and outcome else "",
    }


def predict_seconds(predicted: Prediction, ranks: int) -> float:
    """Processor time of so many ranks together, each a process that starts by itself."""
    return predicted.seconds + (ranks - 1) * predicted.starting


def predict_disk(predicted: Prediction, ranks: int) -> int:
    """Bytes at the peak of so many ranks at once."""
    return predicted.disk + (min(ranks, predicted.most_ranks) - 1) * predicted.disk_of_rank


def make_plan(kind: str, inputs: list[str], folder: Path) -> Plan:
    program = ["plan", kind, *inputs, "-o", str(folder / "made"), "--plan", str(folder / "plan"), "--parts", str(FILES)]
    subprocess.run([*IBIDEM, *program, *OPTIONS[kind]], check=True, stderr=subprocess.DEVNULL)
    return read_plan(folder / "plan")


def clear(folder: Path) -> None:
    shutil.rmtree(folder / "made")
    shutil.rmtree(folder / "plan")


class How(NamedTuple):
    """By how many ranks and processes of one command, whether by Ray too, and how many of them are killed."""

    ranks: list[int]
    processes: list[int]
    ray: bool
    kills: int


def runs(plan: Path, how: How) -> Iterator[tuple[str, list[list[str]], int]]:
    """The ways to run a plan, each with what is started side by side, and how many ranks there are then."""
    program = [*IBIDEM, "run", str(plan), "--threads"]
    for ranks in how.ranks:
        yield (
            f"{ranks} ranks",
            [[*program, "1", "--of", str(ranks), "--rank", str(rank)] for rank in range(ranks)],
            ranks,
        )
    for processes in how.processes:
        yield f"{processes} processes", [[*program, str(processes), "--processes", str(processes)]], processes
    if how.ray:
        yield "Ray, 2 workers", [[*NAMESPACES, sys.executable, "-c", RAY_DRIVER, str(plan)]], 2


def measure(folder: Path, kind: str, tokens: int, how: How, quick: bool) -> Iterator[Row]:
    (folder / "inputs").mkdir()
    inputs = write_inputs(folder / "inputs", tokens, quick)
    made, plan_folder = folder / "made", folder / "plan"
    command = [*IBIDEM, kind, *inputs, "-o", str(folder / "plain"), "--threads", "2", *OPTIONS[kind]]
    plain = take([command], [folder / "plain"])
    expected = digest(folder / "plain")
    yield row("plain", plain, plain, True, None)
    for name, programs, at_once in runs(plan_folder, how):
        plan = make_plan(kind, inputs, folder)
        taken = take(programs, [made, plan_folder], {"RAY_USAGE_STATS_ENABLED": "0"})
        outcome = Outcome(plan, read_status(plan_folder).stages, len(programs), at_once)
        yield row(name, taken, plain, digest(made) == expected, outcome)
        clear(folder)
    killed, same, source = 0, True, random.Random(2)
    started = time.perf_counter()
    while killed < how.kills and same:
        make_plan(kind, inputs, folder)
        killed += (kill_on_ray if how.ray else kill_ranks)(plan_folder, how.kills - killed, source)
        take([[*IBIDEM, "run", str(plan_folder), "--threads", "1"]], [])
        same = digest(made) == expected
        clear(folder)
    if how.kills:
        yield row(f"{killed} kills", Taken(time.perf_counter() - started, 0.0, 0), plain, same, None)


def load_ahead(folder: str) -> None:
    """Have all bytecode and kernels compiled, so that no run compiles any."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = f"{folder}/bytecode"
    subprocess.run([*IBIDEM, "warmup"], check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--kind", choices=list(OPTIONS), default="index", help="what is planned")
    report.parser.add_argument("--tokens", type=int, default=1_400_000, help="of the input, about")
    report.parser.add_argument("--kills", type=int, default=0, help="ranks to be killed")
    report.parser.add_argument("--ranks", type=int, nargs="*", help="ranks side by side, a row each; 1 and 2")
    report.parser.add_argument("--processes", type=int, nargs="*", default=[2], help="of one command, a row each")
    report.parser.add_argument("--ray", action="store_true", help="run on Ray too, and kill its workers and drivers")
    options = report.options()
    tokens = 20_000 if options.quick else options.tokens
    ranks = options.ranks if options.ranks is not None else [2] if options.quick else [1, 2]
    how = How(ranks, options.processes, options.ray, options.kills)
    with tempfile.TemporaryDirectory(prefix="ibidem-") as folder:
        if not options.quick:
            load_ahead(folder)
        report.finish(list(measure(Path(folder), options.kind, tokens, how, options.quick)))


if __name__ == "__main__":
    main()
