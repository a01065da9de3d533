"""The pieces of the campaign: each takes less than a few minutes, and gives the same trials whenever it runs."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import damage
import inputs
import kills
from outcomes import Outcomes, Share
from works import KINDS, Work, works

PARTS = ("kills", "faults", "power", "damage", "hostile", "manifests", "documents", "files", "concurrency")

_QUICK_WORKS = ("add passages", "merge passages", "dedup --against --add")
_QUICK_KINDS = ("passages", "documents")


class Piece(NamedTuple):
    """A piece by its name, which seeds what it chooses by chance, and the function that runs it."""

    name: str
    run: Callable[[Outcomes], None]


def pieces_of(part: str, *, quick: bool) -> Iterator[Piece]:
    """The pieces of one kind of harm; of a quick run each is a sample."""
    if part in ("kills", "faults", "power"):
        yield from _pieces_of_works(part, quick=quick)
    elif part in ("damage", "hostile"):
        for kind in _QUICK_KINDS if quick else KINDS:
            yield from _pieces_of_kind(part, kind, quick=quick)
    else:
        run, count, size = {
            "manifests": (damage.run_manifests, 20 if quick else 5000, 2500),
            "documents": (inputs.run_documents, 300 if quick else 1_000_000, 50_000),
            "files": (inputs.run_files, 60 if quick else 10_000, 5000),
            "concurrency": (inputs.run_concurrent, 5 if quick else 200, 100),
        }[part]
        for first in range(0, count, size):
            numbers = range(first, min(first + size, count))
            yield Piece(f"{part} {first}", partial(run, numbers=numbers))
        if part == "documents":
            yield Piece("documents poison", partial(inputs.run_poison, size=2000 if quick else 1_000_000))


def _pieces_of_works(part: str, *, quick: bool) -> Iterator[Piece]:
    run = {"kills": kills.run_kills, "faults": kills.run_faults, "power": kills.run_power_losses}[part]
    every = 1 if not quick else {"kills": 114, "faults": 333, "power": 423}[part]
    for work in works():
        if quick and work.name not in _QUICK_WORKS:
            continue
        yield Piece(f"{part} {work.name}", partial(_run_work, run, work, share=Share(every // 3, every)))


def _run_work(run: Callable[[Work, Outcomes, Share], None], work: Work, outcomes: Outcomes, *, share: Share) -> None:
    run(work, outcomes, share)


def _pieces_of_kind(part: str, kind: str, *, quick: bool) -> Iterator[Piece]:
    if part == "hostile":
        for first in range(0, 40 if quick else 2000, 1000):
            numbers = range(first, 40 if quick else first + 1000)
            yield Piece(f"hostile {kind} {first}", partial(damage.run_hostile, kind=kind, numbers=numbers))
        return
    for share in [Share(131, 397)] if quick else [Share(number, 10) for number in range(10)]:
        yield Piece(f"damage {kind} {share.number}", partial(damage.run_flips, kind=kind, share=share))
