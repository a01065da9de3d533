"""Compile everything ahead of its first use.

The inner loops are compiled for this processor when they are first used, and kept in a cache afterwards. This command
makes a few tiny indexes in a temporary folder, searches them, aligns two texts, deduplicates a few more and finds their
reuse, so that no later command waits.

With --cache the compiled code goes to a folder of your choice, to be carried by an image or shared by many machines of
one kind. Whoever uses it sets the environment variable NUMBA_CACHE_DIR to that folder.

Example:

    ibidem warmup
"""

import os
import sys
import time
from pathlib import Path
from typing import Any

import click

from ibidem.cli.command import Fault, command
from ibidem.cli.options import OutputPath
from ibidem.cli.terminal import tell

CHOICES: tuple[dict[str, Any], ...] = (
    {"scheme": "exact"},
    {"scheme": "minhash"},
    {"scheme": "minhash", "family": "set", "tokenizer": "characters:3"},
    {"scheme": "minhash", "family": "weighted", "tokenizer": "words:2", "idf": "smooth"},
    {"scheme": "oph"},
)
"""Configurations that use every kernel between them."""


PASSAGE = " ".join(f"word{n % 37} and{n % 11}" for n in range(60))


@command(__doc__)
@click.option("--cache", metavar="FOLDER", type=OutputPath(file_okay=False), help="Where the compiled code goes.")
def warmup(cache: str | None) -> None:
    """Compile every kernel."""
    if cache is not None:
        _use_cache(cache)
    from ibidem import align, deduplicate, deduplicate_passages, find_reuse

    started = time.perf_counter()
    for choice in CHOICES:
        compile_for(choice)
    align(PASSAGE, f"before it {PASSAGE} after it")
    deduplicate([f"{PASSAGE} {number}" for number in range(100)])
    chance = " ".join(f"other{n} " * (n % 3) + f"word{n % 37}" for n in range(120))  # no reuse, but alike in places
    quoting = [("a", f"{PASSAGE} {PASSAGE}"), ("b", f"before it {PASSAGE} after it"), ("c", chance)]
    for recall in (0.99, 1.0):
        find_reuse(quoting, recall=recall, within=True)
    find_reuse(quoting, tokenizer="characters")
    deduplicate_passages(quoting)
    _run_plans([*(text for _, text in quoting), *(f"{PASSAGE} {number}" for number in range(20))])
    tell(f"everything is compiled, after {time.perf_counter() - started:.1f} s")
    if cache is not None:
        tell(f"to use it: export NUMBA_CACHE_DIR={Path(cache).absolute()}")


def _use_cache(folder: str) -> None:
    """Have Numba write what it compiles to ``folder``."""
    if "numba" in sys.modules:
        raise Fault("--cache is for a process that has compiled nothing yet: run 'ibidem warmup' as a command")
    place = Path(folder).absolute()
    place.mkdir(parents=True, exist_ok=True)
    os.environ["NUMBA_CACHE_DIR"] = str(place)  # Numba reads it once, when it is imported


def _run_plans(texts: list[str]) -> None:
    """Run a plan of each kind: its tasks map files where a command has arrays, for which kernels are compiled anew."""
    import tempfile

    from ibidem.plans import plan_dedup, plan_index, plan_reuse, run_rank

    with tempfile.TemporaryDirectory(prefix="ibidem-") as place:
        folder = Path(place)
        for number, text in enumerate(texts):
            (folder / f"{number}.txt").write_text(text, encoding="utf-8")
        files = [str(file) for file in sorted(folder.glob("*.txt"))]
        for name, plan in (("index", plan_index), ("dedup", plan_dedup), ("reuse", plan_reuse)):
            plan(files, folder / name, folder / f"{name}.plan", parts=2)
            run_rank(str(folder / f"{name}.plan"), threads=1)


def compile_for(choice: dict[str, Any]) -> None:
    """Build an index of this configuration, search it and extend it."""
    import tempfile
    from pathlib import Path

    from ibidem import PassageIndex

    documents = [("a", PASSAGE), ("b", f"before it {PASSAGE} after it"), ("c", "zwölf Boxkämpfer, 十二")]
    with (
        tempfile.TemporaryDirectory(prefix="ibidem-") as folder,
        PassageIndex.build(Path(folder, "index"), documents, min_length=8, max_length=100, **choice) as index,
    ):
        index.search(PASSAGE)
        if not index.configuration.is_exact:
            index.search(PASSAGE, select="all", verify=False, limit=None)
            index.search(PASSAGE, select="longest", verify=False, limit=None)
        index.search(" ".join([PASSAGE] * 2), select="longest")
        index.add([("d", PASSAGE)])
        index.remove(["a"])
        index.merge()
