"""How long until ibidem can be used: the import, the command's help, the first search and the first alignment?

    python benchmarks/startup.py [--quick] [--csv FILE]

Each row is a process of its own, with files in the page cache: wall time, and seconds of the processor, which another
load of the machine changes less. "nothing" is the interpreter alone, and numpy is there for comparison: it is what most
of the rest would cost at least.

A search of five texts, and an alignment of two, take what the interpreter, the imports and the kernels take. The column
"kernels" says where these come from: from the package, if it was installed from a wheel that has machine code, or from
Numba. An empty cache is a new folder for each run, as after an installation; a filled one is that of this machine.
``--quick`` leaves out the empty ones, and the help.
"""

import os
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from report import Report, Row, timed

import ibidem

PYTHON = sys.executable
COMMAND = str(Path(PYTHON).with_name("ibidem"))
BARE = {
    "nothing": [PYTHON, "-c", "pass"],
    "import ibidem": [PYTHON, "-c", "import ibidem"],
    "ibidem --help": [COMMAND, "--help"],
    "ibidem search --help": [COMMAND, "search", "--help"],
    "import numpy": [PYTHON, "-c", "import numpy"],
    "from ibidem import PassageIndex": [PYTHON, "-c", "from ibidem import PassageIndex"],
}
ALIGN = "import ibidem, sys; a, b = (open(path).read() for path in sys.argv[1:]); ibidem.align(a, b)"


def make_commands(folder: Path) -> dict[str, list[str]]:
    """The commands that need kernels, with an index of five texts and two files to work on."""
    generator = random.Random(1)
    words = [f"word{number}" for number in range(3000)]
    texts = [" ".join(generator.choices(words, k=600)) for _ in range(5)]
    ibidem.PassageIndex.build(folder / "index", texts).close()
    paths = [folder / "a.txt", folder / "b.txt"]
    for path, text in zip(paths, (texts[0], f"{texts[1]} {texts[0][1000:3000]}"), strict=True):
        path.write_text(text, encoding="utf-8")
    return {
        "ibidem search": [COMMAND, "search", str(folder / "index"), str(paths[0])],
        "ibidem.align": [PYTHON, "-c", ALIGN, *map(str, paths)],
    }


def measure(name: str, command: list[str], repeats: int, kernels: str = "", *, empty: bool = False) -> Row:
    """One row; with ``empty``, each run has a new folder for what Numba compiles."""

    def run() -> None:
        with tempfile.TemporaryDirectory() as cache:
            environment = {**os.environ, "NUMBA_CACHE_DIR": cache} if empty else None
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)

    if not empty:
        run()
    seconds = timed(run, repeats)
    processor = timed(run, repeats, read_processor_clock)
    return {
        "what": name,
        "kernels": kernels,
        "runs": repeats,
        "best s": f"{seconds.best:.3f}",
        "median s": f"{seconds.median:.3f}",
        "processor s": f"{processor.best:.3f}",
    }


def read_processor_clock() -> float:
    """Seconds of the processor that processes which have ended took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def compared(rows: list[Row]) -> list[Row]:
    alone = float(str(rows[0]["best s"]))
    return [row | {"of nothing": f"{float(str(row['best s'])) / alone:.1f}"} for row in rows]


def main() -> None:
    report = Report(__doc__)
    quick = report.options().quick
    repeats = 1 if quick else 10
    bare = {name: command for name, command in BARE.items() if not (quick and "--help" in name)}
    rows = [measure(name, command, repeats) for name, command in bare.items()]
    has_library = any(Path(ibidem.__file__).parent.glob("kernels/libraries/*.so"))
    kernels = "of the package" if has_library else "by Numba"
    with tempfile.TemporaryDirectory() as folder:
        for name, command in make_commands(Path(folder)).items():
            rows.append(measure(f"{name}, filled cache", command, repeats, kernels))
            if not quick:
                rows.append(measure(f"{name}, empty cache", command, 2, kernels, empty=True))
    report.finish(compared(rows))


if __name__ == "__main__":
    main()
