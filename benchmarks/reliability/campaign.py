"""What survives: writers killed at every operation, damage at every byte, hostile files, broken input, lost power.

    python benchmarks/reliability/campaign.py [--quick] [--rounds N] [--only KIND] [--csv FILE]

*kills*: a process that writes is killed (SIGKILL) at an operation on the disk, in the middle of a write too. *faults*:
the operation fails for want of space, by an error of the disk or of permission. *power*: after each operation power is
lost; of what was not synced, nothing, everything or a part by chance has reached the disk. A trial survives if what
stands is the last commit or the next, whole and sound, and the same command then makes the work good.

*damage*: one bit of a byte is changed; it survives if `ibidem check` finds it, and every reader gives the right answer
or says that the index is damaged. *hostile*: numbers that somebody has put there, in columns, records and manifests,
with checksums that are right; it survives if no process crashes and nothing but an error meant for the user is raised.
Run it with NUMBA_BOUNDSCHECK=1, and a place outside of an array is an error that is counted. *manifests*: bytes.

*documents*, *files*, *concurrency*: texts of any code points, files with bytes changed, and searches during commits.

The whole takes hours; --quick takes a sample of each. --rounds repeats with other places and seeds. The exit status is
1 if anything failed.
"""

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import damage
import inputs
import kills
from outcomes import Outcomes
from report import Report
from works import KINDS, works

PARTS = ("kills", "faults", "power", "damage", "hostile", "manifests", "documents", "files", "concurrency")


def run(part: str, outcomes: Outcomes, *, quick: bool) -> None:
    """Try one kind of harm."""
    kinds = ("exact",) if quick else KINDS
    if part in ("kills", "faults", "power"):
        for work in works(kinds):
            if quick and work.name not in ("add exact", "merge exact", "dedup --against --add"):
                continue
            if part == "kills":
                kills.run_kills(work, outcomes, 19 if quick else 1)
            elif part == "faults":
                kills.run_faults(work, outcomes, 37 if quick else 1)
            elif not work.name.startswith("dedup"):
                kills.run_power_losses(work, outcomes, 3 if quick else 6, 47 if quick else 1)
    elif part == "damage":
        damage.run_flips(outcomes, ("exact", "documents") if quick else KINDS, 397 if quick else 1)
    elif part == "hostile":
        damage.run_hostile(outcomes, ("exact", "documents") if quick else KINDS, 40 if quick else 2000)
    elif part == "manifests":
        damage.run_manifests(outcomes, 50 if quick else 5000)
    elif part == "documents":
        inputs.run_documents(outcomes, 1000 if quick else 1_000_000)
        inputs.run_poison(outcomes, 2000 if quick else 1_000_000)
    elif part == "files":
        inputs.run_files(outcomes, 200 if quick else 10_000)
    else:
        inputs.run_concurrent(outcomes, 5 if quick else 200)


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--rounds", type=int, default=1, help="repeat with other places and seeds")
    report.parser.add_argument("--only", choices=PARTS, action="append", help="one kind of harm")
    options = report.options()
    outcomes = Outcomes()
    for number in range(options.rounds):
        random.seed(number)
        for part in options.only or PARTS:
            run(part, outcomes, quick=options.quick)
    report.finish(outcomes.rows())
    sys.exit(outcomes.failed > 0)


if __name__ == "__main__":
    main()
