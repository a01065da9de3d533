"""What survives: writers killed at every operation, damage at every byte, hostile files, broken input, lost power.

    python benchmarks/reliability/campaign.py [--quick] [--rounds N] [--only KIND] [--journal FILE [--seconds N]]
        [--csv FILE]

*kills*: a process that writes is killed (SIGKILL) in and after each operation on the disk, in the middle of a write
too. *faults*: the operation fails for want of space, by an error of the disk or of permission. *power*: after each
operation power is lost; of what was not synced, nothing, everything or a part by chance has reached the disk. A trial
survives if what stands is the last commit or the next, whole and sound, and the same command then makes the work good.

*damage*: one bit of a byte is changed; it survives if `ibidem check` finds it, and every reader gives the right answer
or says that the index is damaged. *hostile*: numbers that somebody has put there, in columns, records and manifests,
with checksums that are right; it survives if no process crashes and nothing but an error meant for the user is raised.
Run it with NUMBA_BOUNDSCHECK=1, and a place outside of an array is an error that is counted. *manifests*: bytes.

*documents*, *files*, *concurrency*: texts of any code points, files with bytes changed, and searches during commits.

The whole takes hours; --quick takes a sample of each. --rounds repeats with other places and seeds. With --journal,
each piece of the work is written to a file when it is done: the same command goes on after an interruption, or after
the --seconds that it was given, and prints the table of all that the file holds. The exit status is 1 if anything
failed, and 3 if the time was over.
"""

import json
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from outcomes import Outcomes
from pieces import PARTS, pieces_of
from report import Report


class Journal:
    """The pieces that are done, one JSON object a line. Without a path it is kept in memory alone."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path and path.exists() else []
        self._entries = {entry["piece"]: entry for entry in map(json.loads, lines)}

    def __contains__(self, piece: str) -> bool:
        return piece in self._entries

    def write(self, piece: str, outcomes: Outcomes) -> None:
        """Add a piece that is done."""
        self._entries[piece] = entry = {"piece": piece, "tried": outcomes.tried, "problems": outcomes.problems}
        if self._path:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(entry) + "\n")

    def sum_up(self) -> Outcomes:
        """The outcomes of all pieces."""
        outcomes = Outcomes()
        for entry in self._entries.values():
            outcomes.add(entry["tried"], entry["problems"])
        return outcomes


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--rounds", type=int, default=1, help="repeat with other places and seeds")
    report.parser.add_argument("--only", choices=PARTS, action="append", help="one kind of harm")
    report.parser.add_argument("--journal", type=Path, help="keep what is done in this file, and go on from there")
    report.parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no piece after these")
    options = report.options()
    began, journal = time.monotonic(), Journal(options.journal)
    left = 0
    for number in range(options.rounds):
        for part in options.only or PARTS:
            for piece in pieces_of(part, quick=options.quick):
                name = f"{number} {piece.name}"
                if name in journal:
                    continue
                if time.monotonic() - began > options.seconds:
                    left += 1
                    continue
                random.seed(name)
                outcomes = Outcomes()
                piece.run(outcomes)
                journal.write(name, outcomes)
    outcomes = journal.sum_up()
    report.finish(outcomes.rows())
    if left:
        print(f"{left} pieces are left: the same command goes on")
    sys.exit(1 if outcomes.failed else 3 if left else 0)


if __name__ == "__main__":
    main()
