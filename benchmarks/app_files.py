"""How long does the app take from a folder of files to the answer, and how much memory?

    python benchmarks/app_files.py [--quick] [--files 500] [--megabytes 2] [--seconds 850] [--python PATH]
                                   [--csv FILE]

A server is started as ``ibidem app`` is. Files of words, drawn from a vocabulary with the frequencies of Zipf's law,
are sent to it. Into every fifth a passage of 200 words of the file before is planted, with each tenth word replaced;
every tenth file has a passage that is in all of these, and every second one that is in all of those. Then it is asked
who has text in common.

A row is a step of the way, as the page names it: "starting", "sending" and "read files", the steps of the answer, and
all of it.

CPU s are those of the processes that the server starts; those of the server have a column of their own. MB are the most
that the process of the step held up to then, with the pages of mapped files. "of planted" says how many of the pairs of
a file and the one before the answer has, and how many pairs there are.

``--python`` is the Python that runs the server, for the first answer of a new installation with empty caches:

    python benchmarks/app_files.py --files 40 --megabytes 0.015 --python VENV/bin/python

After ``--seconds`` the run is cancelled, and the row of the step that it was in is the last.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from report import Report, Row

EVERY, PASSAGE, REPLACED = 5, 200, 10
COMMON = 10, 2
_TICKS = 100


class Server:
    """A running ``ibidem app``, its client, and what its processes have used."""

    def __init__(self, folder: Path, python: str) -> None:
        command = [python, "-m", "ibidem.cli", "app", "--no-browser", "--folder", str(folder)]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        address = next(line for line in self.process.stderr if line.startswith("open ")).split()[1]
        self.client = httpx.Client(base_url=address.partition("/?")[0], timeout=600)
        self.client.get(address)

    def close(self) -> None:
        self.client.close()
        self.process.terminate()
        self.process.wait()

    def used(self) -> tuple[float, float]:
        """Processor seconds of the server, and of its processes that have ended or run."""
        own, ended = _seconds(self.process.pid)
        return own, ended + sum(sum(_seconds(child)) for child in self.children())

    def children(self) -> list[int]:
        path = Path(f"/proc/{self.process.pid}/task")
        return [int(child) for task in path.iterdir() for child in (task / "children").read_text().split()]

    def held(self) -> float:
        """The most megabytes that a process which runs has held."""
        found = [0.0]
        for child in self.children():
            with suppress(OSError):
                lines = Path(f"/proc/{child}/status").read_text().splitlines()
                found += [int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")]
        return max(found)


def _seconds(process: int) -> tuple[float, float]:
    """Processor seconds of a process, and of those that it has waited for."""
    with suppress(OSError):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        own, own_system, ended, ended_system = map(int, fields[11:15])
        return (own + own_system) / _TICKS, (ended + ended_system) / _TICKS
    return 0.0, 0.0


def make_words(source: np.random.Generator) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """A vocabulary, and the sums of the frequencies."""
    letters = np.array(list("etaoinshrdlucmfwypvbgkjqxz"))
    words = ["".join(source.choice(letters, source.integers(2, 10))) for _ in range(20_000)]
    weights = 1 / np.arange(1, len(words) + 1)
    return np.array(words, object), np.cumsum(weights / weights.sum())


def make_files(count: int, size: int) -> Any:
    """The words of each file, some with a passage of the one before."""
    source = np.random.default_rng(27)
    vocabulary, sums = make_words(source)
    before = None
    common = {every: vocabulary[np.searchsorted(sums, source.random(PASSAGE))] for every in COMMON}
    for number in range(count):
        words = vocabulary[np.searchsorted(sums, source.random(size))]
        if number % EVERY == EVERY - 1 and before is not None:
            passage = before[size // 3 : size // 3 + PASSAGE].copy()
            passage[::REPLACED] = vocabulary[source.integers(0, len(vocabulary), len(passage[::REPLACED]))]
            words[size // 2 : size // 2 + len(passage)] = passage
        for at, every in enumerate(COMMON, 1):
            if number % every == 0:
                words[size * at // 10 : size * at // 10 + PASSAGE] = common[every]
        yield f"file{number:04}.txt", " ".join(words).encode()
        before = words


class Steps:
    """The rows of the steps: each has what was used since the one before."""

    def __init__(self, server: Server, start: float) -> None:
        self._server, self._last, self.rows = server, (start, 0.0, 0.0), list[Row]()
        self._first = self._last

    def end(self, step: str, held: float, planted: str = "") -> None:
        now = (time.perf_counter(), *self._server.used())
        since = self._first if step == "all" else self._last
        seconds, own, others = (at - before for at, before in zip(now, since, strict=True))
        self.rows.append({
            "step": step,
            "seconds": f"{seconds:.1f}",
            "CPU s": f"{others:.1f}",
            "CPU s of the server": f"{own:.1f}",
            "MB": f"{held:.0f}",
            "of planted": planted,
        })  # fmt: skip
        print(self.rows[-1], file=sys.stderr)
        self._last = now


def wait(server: Server, read: Callable[[], Any], is_done: Callable[[Any], bool], seen: Callable[[Any], None]) -> float:
    """Ask until it is done; the most megabytes meanwhile."""
    held = 0.0
    while True:
        state = read()
        held = max(held, server.held())
        seen(state)
        if is_done(state):
            return held
        time.sleep(0.2)


def measure(count: int, size: int, seconds: float, folder: Path, python: str) -> list[Row]:
    """Start, send, read, ask; a row for each step."""
    start = time.perf_counter()
    server = Server(folder, python)
    try:
        steps, client = Steps(server, start), server.client
        steps.end("starting", server.held())
        project = f"/v1/projects/{client.post('/v1/projects', json={'name': 'Files'}).json()['id']}"
        for name, data in make_files(count, size):
            client.post(
                f"{project}/files",
                params={"name": name},
                content=data,
                headers={"Content-Type": "application/octet-stream"},
            ).raise_for_status()
        steps.end("sending", server.held())
        held = wait(server, lambda: client.get(project).json(), lambda each: not each["reading"], lambda _: None)
        steps.end("read files", held)
        run = f"{project}/runs/{client.post(f'{project}/runs', json={'kind': 'reuse'}).json()['id']}"
        return ask(server, run, steps, count, time.perf_counter() + seconds)
    finally:
        server.close()


def ask(server: Server, run: str, steps: Steps, count: int, until: float) -> list[Row]:
    """Wait for an answer, with a row for each of its steps."""
    begun: list[str] = []

    def note(state: dict[str, Any]) -> None:
        names = [name for name, _ in state["progress"]["steps"]]
        if len(names) > len(begun):
            if begun:
                steps.end(begun[-1], server.held())
            begun[:] = names

    state: dict[str, Any] = {}

    def read() -> dict[str, Any]:
        state.update(server.client.get(run).json())
        return state

    held = wait(server, read, lambda each: each["state"] in ("done", "failed") or time.perf_counter() > until, note)
    steps.end(begun[-1], held)
    if state["state"] == "failed":
        sys.exit(f"no answer: {state['error']}")
    if state["state"] != "done":
        server.client.delete(run)
        return steps.rows
    view = server.client.get(f"{run}/view").json()
    names = [each["name"] for each in view["documents"]]
    pairs = {frozenset((names[each["a"]], names[each["b"]])) for each in view["documentPairs"]}
    planted = [frozenset((f"file{n - 1:04}.txt", f"file{n:04}.txt")) for n in range(EVERY - 1, count, EVERY)]
    steps.end("all", held, f"{sum(each in pairs for each in planted)} of {len(planted)}, {len(pairs)} pairs")
    return steps.rows


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--files", type=int, default=500)
    report.parser.add_argument("--megabytes", type=float, default=2)
    report.parser.add_argument("--seconds", type=float, default=850, help="of the answer")
    report.parser.add_argument("--python", metavar="PATH", default=sys.executable)
    options = report.options()
    count, size = (10, 2_000) if options.quick else (options.files, round(options.megabytes * 1e6 / 5.36))
    with tempfile.TemporaryDirectory() as folder:
        report.finish(measure(count, size, options.seconds, Path(folder), options.python))


if __name__ == "__main__":
    main()
