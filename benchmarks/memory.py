"""What building, merging, deduplicating and finding reuse take of memory, beside what they were given by `--memory`.

    python benchmarks/memory.py [--quick] [--only NAME] [--csv FILE]

Each work is the command in a process of its own. What is counted is its anonymous memory (RssAnon of Linux), looked at
every few milliseconds. Pages of mapped files are not: they are copies of the disk, which the system takes back when
anybody needs room. The program itself is what the same command takes for one short document, once its kernels are
compiled. That and the budget are the sum that is to be held. Real texts are the novels from IBIDEM_DATA; one
document is all of them, and two documents are it and another in which one word in a thousand differs.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from collections_of_text import documents, generated
from report import Report

EVERY = 0.004

MIB = 1 << 20


class Peak(NamedTuple):
    """The most that a process took: anonymous memory, all resident memory, in bytes, and its processor time."""

    anonymous: int
    resident: int
    seconds: float


def watch(arguments: Sequence[str], program: Sequence[str] = ("-m", "ibidem.cli")) -> Peak:
    """Run ``ibidem`` or another ``program`` with ``arguments``, and look at its memory meanwhile."""
    command = [sys.executable, *program, *arguments]
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(command, stderr=said, stdout=said)
        anonymous, resident, ended = 0, 0, 0
        while not ended:
            now = read_memory(process.pid)
            anonymous, resident = max(anonymous, now.get("RssAnon", 0)), max(resident, now.get("VmHWM", 0))
            time.sleep(EVERY)
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            sys.exit(f"{' '.join(arguments)}: {said.read()}")
    return Peak(anonymous, resident, usage.ru_utime + usage.ru_stime)


def read_memory(process: int) -> dict[str, int]:
    """What the system says of the memory of a process, in bytes; nothing of one that has ended."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return {}
    return {
        name: int(rest.split()[0]) << 10 for name, _, rest in (line.partition(":") for line in lines) if "kB" in rest
    }


def write_lines(path: Path, texts: Iterable[str]) -> str:
    with path.open("w", encoding="utf-8") as file:
        for number, text in enumerate(texts):
            file.write(json.dumps({"id": str(number), "text": text}, ensure_ascii=False) + "\n")
    return str(path)


class Bench:
    """The works, in one folder."""

    def __init__(self, folder: Path, texts: Sequence[str]) -> None:
        self._folder = folder
        self._number = 0
        self.rows: list[dict[str, object]] = []
        self.many = write_lines(folder / "many.jsonl", texts)
        self.short = write_lines(folder / "short.jsonl", [" ".join(texts)[:20_000]])
        long = " ".join(texts)
        words = long.split(" ")
        words[::1000] = [f"changed{number}" for number in range(len(words[::1000]))]
        self.long = write_lines(folder / "long.jsonl", [long])
        self.two = write_lines(folder / "two.jsonl", [long, " ".join(words)])
        pieces = (text[at : at + 3000] for text in texts for at in range(0, len(text), 3000))
        self.pieces = write_lines(folder / "pieces.jsonl", pieces)
        self._base: dict[str, Peak] = {}

    def _output(self) -> str:
        self._number += 1
        return str(self._folder / f"output{self._number}")

    def measure(self, name: str, source: str, memory: str, *options: str, command: str = "index") -> str:
        """Run a command, and note what it took over what it takes for one short document."""
        kind = " ".join((command, *options))
        if kind not in self._base:
            watch([command, self.short, "-o", self._output(), "--memory", memory, *options])  # compiles kernels
            self._base[kind] = watch([command, self.short, "-o", self._output(), "--memory", memory, *options])
        output = self._output()
        self.note(name, memory, self._base[kind], watch([command, source, "-o", output, "--memory", memory, *options]))
        return output

    def note(self, name: str, memory: str, base: Peak, peak: Peak) -> None:
        budget = int(memory.removesuffix("M")) * MIB
        self.rows.append(
            {
                "work": name,
                "--memory": memory,
                "program MB": f"{base.anonymous / 1e6:.0f}",
                "peak MB": f"{peak.anonymous / 1e6:.0f}",
                "of program and budget": f"{peak.anonymous / (base.anonymous + budget):.2f}",
                "with mapped files MB": f"{peak.resident / 1e6:.0f}",
                "CPU s": f"{peak.seconds:.1f}",
            }
        )
        print(self.rows[-1], flush=True)

    def merge(self, name: str, memory: str, *options: str) -> None:
        """Index the collection twice as segments of one index, and merge them."""
        index = self._output()
        half = Path(self.many).read_text("utf-8").splitlines(keepends=True)
        parts = [self._folder / f"part{number}.jsonl" for number in range(2)]
        for number, part in enumerate(parts):
            part.write_text("".join(half[number::2]), "utf-8")
        watch(["index", str(parts[0]), "-o", index, "--memory", memory, *options])
        base = watch(["add", index, self.short_addition(), "--memory", memory])
        watch(["add", index, str(parts[1]), "--memory", memory])
        self.note(name, memory, base, watch(["merge", index, "--memory", memory]))

    def short_addition(self) -> str:
        path = self._folder / "addition.jsonl"
        path.write_text(json.dumps({"id": "short", "text": "a few words that stand nowhere else " * 100}) + "\n")
        return str(path)


WORKS = ("index", "sketches", "merge", "one document", "dedup", "reuse")

QUICK = ("index", "merge", "reuse")
"""The works of --quick: one for each way to run a command."""


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--only", choices=WORKS, action="append")
    report.parser.add_argument("--memory", action="append", help="budgets, such as 128M")
    options = report.options()
    texts = [text for _, text in (generated(10, 1_000) if options.quick else documents(quick=False))]
    budgets = options.memory or (["64M"] if options.quick else ["128M", "256M"])
    chosen = options.only or (QUICK if options.quick else WORKS)
    with tempfile.TemporaryDirectory() as place:
        bench = Bench(Path(place), texts)
        for memory in budgets:
            if "index" in chosen:
                bench.measure("index", bench.many, memory)
            if "sketches" in chosen:
                bench.measure("16 min-hashes", bench.many, memory, "--sketch", "minhash", "-k", "16")
                bench.measure("16 bins", bench.many, memory, "--sketch", "oph", "-k", "16")
            if "merge" in chosen:
                bench.merge("merge of an index", memory)
            if "one document" in chosen:
                bench.measure("one document", bench.long, memory)
                bench.measure("16 min-hashes of one document", bench.long, memory, "--sketch", "minhash", "-k", "16")
                bench.measure("16 bins of one document", bench.long, memory, "--sketch", "oph", "-k", "16")
            if "dedup" in chosen:
                bench.measure("dedup of pieces", bench.pieces, memory, command="dedup")
                bench.measure("dedup of one document", bench.long, memory, command="dedup")
                bench.measure("dedup of two documents", bench.two, memory, command="dedup")
                bench.measure("dedup --passages", bench.many, memory, "--passages", command="dedup")
            if "reuse" in chosen:
                bench.measure("reuse", bench.many, memory, command="reuse")
    report.finish(bench.rows)


if __name__ == "__main__":
    main()
