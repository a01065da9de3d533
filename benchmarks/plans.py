"""What a plan costs beside a plain build, how far its prediction is off, and whether kills change a byte.

    python benchmarks/plans.py [--quick] [--tokens N] [--kills N] [--csv FILE]

Each row is an index of the same files: by one call, by ``ibidem run`` with one rank, and by two ranks side by side, of
one thread each; ``seconds`` is the clock, so the machine should be quiet. ``same`` says whether all bytes are those of
the plain build. With ``--kills`` ranks are killed at random instants and started again until the plan is done.
"""

import gzip
import hashlib
import json
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path

from collections_of_text import documents
from report import Report, Row

from ibidem.plans import Plan, plan_index, read_status

FILES = 12
OPTIONS = {"memory": "512M"}

BUILD = """
import sys
from ibidem import PassageIndex
from ibidem.corpus import read
PassageIndex.build(sys.argv[1], read(sys.argv[2:]), memory="512M", threads=2).close()
"""


def write_inputs(folder: Path, tokens: int, quick: bool) -> list[str]:
    """Compressed JSON lines of about so many tokens, in several files."""
    texts = [text for _, text in documents(quick)]
    with ExitStack() as opened:
        files = [
            opened.enter_context(gzip.open(folder / f"{number:02d}.jsonl.gz", "wt", compresslevel=1))
            for number in range(FILES)
        ]
        written = 0
        for number, text in enumerate(cycle(texts)):
            files[number % FILES].write(json.dumps({"id": str(number), "text": text}) + "\n")
            written += text.count(" ")
            if written >= tokens:
                break
    return sorted(str(path) for path in folder.iterdir())


def digest(folder: Path) -> str:
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != "writer.lock":
            total.update(str(path.relative_to(folder)).encode())
            with open(path, "rb") as file:
                total.update(hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest()


def run_ranks(plan: Path, ranks: int) -> tuple[float, int]:
    """Seconds of so many ranks side by side, and the most memory that one had."""
    program = [sys.executable, "-m", "ibidem.cli", "run", str(plan), "--threads", str(2 // ranks)]
    started = time.perf_counter()
    processes = [
        subprocess.Popen([*program, "--rank", str(rank), "--of", str(ranks)], stderr=subprocess.DEVNULL)
        for rank in range(ranks)
    ]
    statuses = [process.wait() for process in processes]
    assert not any(statuses)
    peak = max(stage.peak_memory for stage in read_status(plan).stages)
    return time.perf_counter() - started, peak


def kill_ranks(plan: Path, kills: int) -> int:
    """Start ranks and kill them at random instants; how many were killed. Stops by itself."""
    source, killed = random.Random(2), 0
    for _ in range(kills):
        if read_status(plan).is_done:
            break
        rank = subprocess.Popen(
            [sys.executable, "-m", "ibidem.cli", "run", str(plan), "--threads", "1"], stderr=subprocess.DEVNULL
        )
        try:
            rank.wait(source.uniform(0.3, 2.5))
        except subprocess.TimeoutExpired:
            rank.send_signal(signal.SIGKILL)
            rank.wait()
            killed += 1
    return killed


def row(how: str, seconds: float, plain: float, peak: int, same: bool, plan: Plan | None, disk: int) -> Row:
    predicted = plan.prediction if plan else None
    return {
        "how": how,
        "seconds": f"{seconds:.2f}",
        "of plain": f"{seconds / plain:.2f}",
        "peak MB": peak >> 20,
        "same": same,
        "predicted s": f"{predicted.seconds:.1f}" if predicted else "",
        "predicted MB": predicted.memory >> 20 if predicted else "",
        "index MB": disk >> 20,
    }


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def measure(folder: Path, tokens: int, kills: int, quick: bool) -> Iterator[Row]:
    (folder / "inputs").mkdir()
    inputs = write_inputs(folder / "inputs", tokens, quick)
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", BUILD, str(folder / "plain"), *inputs], check=True)
    plain = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    expected, disk = digest(folder / "plain"), size(folder / "plain")
    yield row("plain", plain, plain, peak, True, None, disk)
    for ranks in (1, 2):
        plan = plan_index(inputs, folder / "made", folder / "plan", parts=FILES, **OPTIONS)
        seconds, peak = run_ranks(folder / "plan", ranks)
        yield row(f"{ranks} ranks", seconds, plain, peak, digest(folder / "made") == expected, plan, disk)
        shutil.rmtree(folder / "made")
        shutil.rmtree(folder / "plan")
    killed = 0
    while killed < kills:
        plan_index(inputs, folder / "made", folder / "plan", parts=FILES, **OPTIONS)
        killed += kill_ranks(folder / "plan", kills - killed)
        run_ranks(folder / "plan", 1)
        same = digest(folder / "made") == expected
        shutil.rmtree(folder / "made")
        shutil.rmtree(folder / "plan")
        if not same:
            break
    if kills:
        yield row(f"{killed} kills", plain, plain, 0, same, None, disk)


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--tokens", type=int, default=1_400_000, help="of the input, about")
    report.parser.add_argument("--kills", type=int, default=0, help="ranks to be killed")
    options = report.options()
    tokens = 50_000 if options.quick else options.tokens
    with tempfile.TemporaryDirectory(prefix="ibidem-") as folder:
        report.finish(list(measure(Path(folder), tokens, options.kills, options.quick)))


if __name__ == "__main__":
    main()
