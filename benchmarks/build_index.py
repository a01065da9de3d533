"""How fast is an index of passages, or of sketches, built, how large is it, and how much memory does it take?

    python benchmarks/build_index.py [--quick] [--csv FILE]

Real novels from their compressed file, 16 and 64 functions (k), passages of 32 to 1024 tokens, a memory budget of 1G,
as many threads as cores. Each build is a process of its own with kernels compiled before: wall time from opening the
file to the committed index, and the most memory that process ever had resident, which counts mapped pages of files
too. Bytes are for a token of the collection, by part of the index.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from collections_of_text import NOVELS, data_file, generated
from report import Report, Row

from ibidem import PassageIndex, SketchIndex
from ibidem.corpus import read

PASSAGES: dict[str, dict[str, Any]] = {"passages": {}, "passages, latin": {"normalize": "latin"}}
"""The choices of indexes of passages, which serve all families."""

SKETCHES: dict[str, dict[str, Any]] = {
    "sketches, multisets": {},
    "sketches, sets": {"family": "set"},
    "sketches, weighted": {"tf": "raw", "idf": "smooth"},
    "one permutation, multisets": {"sketch": "oph"},
    "one permutation, sets": {"sketch": "oph", "family": "set"},
}
"""Those of indexes of sketches."""


def build(name: str, functions: int, source: Path, folder: Path) -> dict[str, Any]:
    """What one build took, in this process."""
    make: Any = PassageIndex.build if name in PASSAGES else SketchIndex.build
    choices = PASSAGES[name] if name in PASSAGES else SKETCHES[name] | {"num_hashes": functions}
    make(folder / "warm", generated(3, 1_000), **choices).close()
    cpu, wall = time.process_time(), time.perf_counter()
    index = make(folder / "index", read(source), memory="1G", **choices)
    taken = {"seconds": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return taken | {"peak": peak, "info": index.info()}


def build_apart(name: str, functions: int, source: Path) -> dict[str, Any]:
    """The same in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--build", name, str(functions), str(source), folder]
        built = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    found: dict[str, Any] = json.loads(built)
    return found


def build_all(wanted: list[tuple[str, int]], source: Path, repeats: int) -> list[Row]:
    """A row for each build; one is built after another, and all of them again, so that all meet the same load."""
    rounds = [[build_apart(name, functions, source) for name, functions in wanted] for _ in range(repeats)]
    return [describe(*each, list(builds)) for each, builds in zip(wanted, zip(*rounds, strict=True), strict=True)]


def describe(name: str, functions: int, builds: list[dict[str, Any]]) -> Row:
    """The row of the builds of one kind."""
    builds = sorted(builds, key=lambda each: float(each["seconds"]))
    best, median = builds[0], builds[len(builds) // 2]
    info = best["info"]
    tokens, parts = info["tokens"], dict(info["bytes"])
    row: Row = {
        "index": name,
        "k": functions,
        "documents": info["documents"],
        "tokens": tokens,
        "best s": f"{best['seconds']:.2f}",
        "median s": f"{median['seconds']:.2f}",
        "CPU s": f"{min(each['cpu'] for each in builds):.2f}",
        "tokens/s": round(tokens / best["seconds"]),
        "peak MB": round(max(each["peak"] for each in builds) / 1e6),
        "postings a token": f"{info['postings'] / tokens:.2f}",
    }
    sizes = {f"{part} B": f"{size / tokens:.2f}" for part, size in parts.items()}
    return row | sizes | {"all B": f"{sum(parts.values()) / tokens:.2f}"}


QUICK = ("passages", "sketches, weighted", "one permutation, multisets")
"""The builds of --quick."""


def sizes(name: str, quick: bool) -> tuple[int, ...]:
    """The sizes of sketches to build with; 0 where there is none."""
    if name in PASSAGES:
        return (0,)
    return (16,) if quick else (16, 64)


def written(folder: Path) -> Path:
    """A small collection, for --quick."""
    path = folder / "generated.jsonl"
    lines = [json.dumps({"id": name, "text": text}) for name, text in generated(4, 1_000)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def main() -> None:
    if sys.argv[1:2] == ["--build"]:
        name, functions, source, folder = sys.argv[2:]
        print(json.dumps(build(name, int(functions), Path(source), Path(folder))))
        return
    report = Report(__doc__)
    report.parser.add_argument("--only", metavar="WORD", default="", help="builds whose name has this word")
    options = report.options()
    with tempfile.TemporaryDirectory() as folder:
        source = written(Path(folder)) if options.quick else data_file(NOVELS)
        repeats = 1 if options.quick else 3
        names = QUICK if options.quick else (*PASSAGES, *SKETCHES)
        builds = [(name, k) for name in names if options.only in name for k in sizes(name, options.quick)]
        report.finish(build_all(builds, source, repeats))


if __name__ == "__main__":
    main()
