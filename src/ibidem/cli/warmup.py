"""Compile everything ahead of its first use.

The inner loops are compiled for this processor when they are first used, and kept in a cache afterwards. This command
makes a few tiny indexes in a temporary folder, searches them, and runs each other command that compiles on a few texts,
so that no later command waits.

With --cache the compiled code goes to a folder of your choice, to be carried by an image or shared by many machines of
one kind. Whoever uses it sets the environment variable NUMBA_CACHE_DIR to that folder.

Example:

    ibidem warmup
"""

import io
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ibidem.cli.command import Fault, command
from ibidem.cli.options import OutputPath
from ibidem.cli.terminal import tell

if TYPE_CHECKING:
    from ibidem import PassageIndex

PASSAGES: tuple[dict[str, Any], ...] = (
    {},
    {"family": "set", "tokenizer": "characters:3"},
    {"family": "weighted", "tokenizer": "words:2", "tf": "logarithmic", "idf": "smooth"},
)
"""Configurations of indexes of passages that use every kernel between them."""

SKETCHES: tuple[dict[str, Any], ...] = (
    {"sketch": "minhash"},
    {"sketch": "minhash", "family": "set", "tokenizer": "characters:3"},
    {"sketch": "minhash", "family": "weighted", "tokenizer": "words:2", "idf": "smooth"},
    {"sketch": "oph"},
)
"""Configurations of indexes of sketches that use every kernel between them."""

COMMANDS = (
    "align|{folder}/first.txt|{folder}/second.txt",
    "dedup|{folder}/second.jsonl|-o|{folder}/dedup",
    "dedup|{folder}/first.jsonl|-o|{folder}/added|--against|{folder}/known|--add",
    "dedup|{folder}/second.jsonl|-o|{folder}/more|--against|{folder}/known|--add",
    "dedup|{folder}/second.jsonl|-o|{folder}/passages|--passages",
    "dedup|{folder}/second.jsonl|-o|{folder}/common|--passages|--min-documents|2",
    "reuse|{folder}/first.jsonl|-o|{folder}/reuse|--within",
    "report|{folder}/reuse|-o|{folder}/report.html",
    "reuse|{folder}/first.jsonl|-o|{folder}/exact|--within|--recall|1",
    "reuse|{folder}/first.jsonl|--explain|first0|first1",
    "decontaminate|{folder}/first.jsonl|--evals|{folder}/second.jsonl|--question|text|-o|{folder}/leaks",
)
"""Commands that are run besides the indexes, with ``|`` between arguments."""

PASSAGE = " ".join(f"word{n % 37} and{n % 11}" for n in range(60))

QUOTATION = "seven grey herons stood quietly upon the frozen river bank"

ALONE = " ".join(f"alone{n}" for n in range(200))

DOCUMENTS = [("a", PASSAGE), ("b", f"before it {PASSAGE} after it {QUOTATION}"), ("c", "zwölf Boxkämpfer, 十二")]


@command(__doc__)
@click.option("--cache", metavar="FOLDER", type=OutputPath(file_okay=False), help="Where the compiled code goes.")
def warmup(cache: str | None) -> None:
    """Compile every kernel."""
    if cache is not None:
        _use_cache(cache)
    start = time.perf_counter()
    for choice in PASSAGES:
        compile_passages(choice)
    for choice in SKETCHES:
        compile_sketches(choice)
    with tempfile.TemporaryDirectory(prefix="ibidem-") as folder, _silence():
        _write_texts(Path(folder))
        for line in COMMANDS:
            _run(line.format(folder=folder).split("|"))
    tell(f"everything is compiled, after {time.perf_counter() - start:.1f} s")
    if cache is not None:
        tell(f"to use it: export NUMBA_CACHE_DIR={Path(cache).absolute()}")


def _use_cache(folder: str) -> None:
    """Have Numba write what it compiles to ``folder``."""
    if "numba" in sys.modules:
        raise Fault("--cache is for a process that has compiled nothing yet: run 'ibidem warmup' as a command")
    place = Path(folder).absolute()
    place.mkdir(parents=True, exist_ok=True)
    os.environ["NUMBA_CACHE_DIR"] = str(place)  # Numba reads it once, when it is imported


def _write_texts(folder: Path) -> None:
    """Write texts that quote each other, and one that only resembles them in places."""
    chance = " ".join(f"other{n} " * (n % 3) + f"word{n % 37}" for n in range(120))
    quoting = [f"{PASSAGE} {PASSAGE}", f"before it {PASSAGE} after it", chance]
    texts = {"first": quoting, "second": [f"{PASSAGE} {number}" for number in range(100)]}
    for name, part in texts.items():
        rows = [f'{{"id": "{name}{number}", "text": "{text}"}}\n' for number, text in enumerate(part)]
        (folder / f"{name}.jsonl").write_text("".join(rows), encoding="utf-8")
        (folder / f"{name}.txt").write_text(part[0], encoding="utf-8")


def _run(arguments: list[str]) -> None:
    """Run a command in this process."""
    from ibidem.cli.group import main

    command = main.get_command(click.Context(main), arguments[0])
    assert command is not None
    command.main(arguments[1:], standalone_mode=False)


@contextmanager
def _silence() -> Iterator[None]:
    """Suppress the output of the commands."""
    with redirect_stdout(io.TextIOWrapper(io.BytesIO())), redirect_stderr(io.StringIO()):
        yield


def compile_search() -> None:
    """Build an index of passages, and search it."""
    with _search_index({}):
        pass


@contextmanager
def _search_index(choice: dict[str, Any]) -> "Iterator[PassageIndex]":
    """Build an index of passages of this configuration, search it, and give it."""
    from ibidem import PassageIndex

    with (
        tempfile.TemporaryDirectory(prefix="ibidem-") as folder,
        PassageIndex.build(Path(folder, "index"), DOCUMENTS, min_length=8, max_length=100, **choice) as index,
    ):
        index.search(PASSAGE)
        yield index


def compile_sketches(choice: dict[str, Any]) -> None:
    """Build an index of sketches of this configuration, search it and extend it."""
    from ibidem import SketchIndex
    from ibidem.store import check_index

    with (
        tempfile.TemporaryDirectory(prefix="ibidem-") as folder,
        SketchIndex.build(Path(folder, "index"), DOCUMENTS, min_length=8, max_length=100, **choice) as index,
    ):
        index.search(PASSAGE)
        index.search(PASSAGE, select="all", verify=True)
        index.add([("d", PASSAGE)])
        index.merge()
        check_index(index.path)


def compile_passages(choice: dict[str, Any]) -> None:
    """Build an index of passages of this configuration, search it and extend it."""
    from ibidem import trace
    from ibidem.store import check_index

    with _search_index(choice) as index:
        index.search(" ".join([PASSAGE] * 2), select="longest")
        index.add([("d", PASSAGE)])
        index.remove(["a"])
        # Weighed without the document that was removed, and with a quotation, which take kernels of their own.
        index.align(f"{PASSAGE} {ALONE} {QUOTATION}")
        trace([PASSAGE], index)
        index.merge()
        check_index(index.path)
