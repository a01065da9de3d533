"""How long until ibidem can be used: the import, and the command's help?

    python benchmarks/startup.py [--quick] [--csv FILE]

Wall time of a process of its own, files in the page cache. "nothing" is the interpreter alone, and numpy is there for
comparison: it is what most of the rest would cost at least.
"""

import subprocess
import sys
from pathlib import Path

from report import Report, Row, timed

PYTHON = sys.executable
COMMANDS = {
    "nothing": [PYTHON, "-c", "pass"],
    "import ibidem": [PYTHON, "-c", "import ibidem"],
    "ibidem --help": [str(Path(PYTHON).with_name("ibidem")), "--help"],
    "ibidem search --help": [str(Path(PYTHON).with_name("ibidem")), "search", "--help"],
    "import numpy": [PYTHON, "-c", "import numpy"],
    "from ibidem import PassageIndex": [PYTHON, "-c", "from ibidem import PassageIndex"],
}


def measure(name: str, repeats: int) -> Row:
    def run() -> None:
        subprocess.run(COMMANDS[name], check=True, stdout=subprocess.DEVNULL)

    run()
    best, median = timed(run, repeats)
    return {"what": name, "runs": repeats, "best s": f"{best:.3f}", "median s": f"{median:.3f}"}


def compared(rows: list[Row]) -> list[Row]:
    alone = float(str(rows[0]["best s"]))
    return [row | {"of nothing": f"{float(str(row['best s'])) / alone:.1f}"} for row in rows]


def main() -> None:
    report = Report(__doc__)
    repeats = 1 if report.options().quick else 10
    report.finish(compared([measure(name, repeats) for name in COMMANDS]))


if __name__ == "__main__":
    main()
