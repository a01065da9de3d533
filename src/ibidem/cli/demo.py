"""Take a tour; it needs no data.

Which passages of Python's own library occur in more than one of its files? The tour compiles what has to be compiled,
indexes the library in a temporary folder, looks for the comments and docstrings of each file in all others, and shows
three of the matches, with the commands that do the same. A report of all stays in the folder for temporary files.

With --lesson, nothing is searched: FOLDER is made with two pages of an old print as a machine has read them, and an
edition, for the lesson of the guide's page "From scans to an edition".

Examples:

    ibidem demo
    ibidem demo --lesson lesson
"""

import os
import re
import shutil
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from ibidem.cli.command import Fault, command
from ibidem.cli.options import OutputPath
from ibidem.cli.terminal import console, fold_command, is_terminal, progress
from ibidem.counts import format_count

if TYPE_CHECKING:
    from ibidem import Match, PassageIndex
    from ibidem.comparison import Comparison

PACKAGES = ("asyncio", "concurrent/futures", "email", "importlib", "json", "logging", "multiprocessing", "unittest")
"""Packages that are indexed besides the modules that are single files."""

MOST_FILES = 300

INDEX = "~/python.ibidem"
"""The path of the index in the commands that are shown."""

THRESHOLD = 0.7

SHOWN = 3

# A docstring, or a block of whole lines of comment.
_PROSE = re.compile(r'"""[^"]*"""|(?:^[ \t]*#.*\n){3,}', re.MULTILINE)

# Shorter queries may have similar passages that are too short for the index.
_PROSE_WORDS = range(60, 400)

_PROSE_A_FILE = 2

_WORD = re.compile(r"\w+")

_COMMENT_SIGN = re.compile(r"^\s*#+", re.MULTILINE)


class Prose(NamedTuple):
    """A comment or docstring: the file that holds it, its first and last line, and its text."""

    file: str
    first_line: int
    last_line: int
    text: str


class Find(NamedTuple):
    """A comment or docstring, and a passage of another file that is similar to it."""

    prose: Prose
    match: "Match"


@command(__doc__)
@click.option("--lesson", metavar="FOLDER", type=OutputPath(), help="Write the texts of the guide's lesson, and stop.")
def demo(lesson: str | None) -> None:
    """Give the tour."""
    import tempfile

    if lesson is not None:
        _write_lesson(Path(lesson))
        return
    library = Path(os.__file__).parent
    files = _sources(library)
    if not files:
        raise Fault(f"{library}: this Python came without the sources of its library; try: ibidem index")
    click.echo("Which passages of Python's own library occur in more than one of its files?\n")
    with tempfile.TemporaryDirectory(prefix="ibidem-demo-") as folder:
        _compile()
        with _index_files(files, library, Path(folder, "python.ibidem")) as index:
            finds = _search_files(index, files)
    _show(_select_finds(finds))
    report = _write_report(finds, files)
    click.echo("The temporary index is gone. Next: ibidem index --help")
    click.echo(f"All of it, in a browser: {report.as_uri()}")


def _write_lesson(folder: Path) -> None:
    """Copy the texts of the lesson to a new folder, and name them."""
    from importlib.resources import as_file, files

    if os.path.lexists(folder):
        raise Fault(f"{folder}: this folder exists already; name one that does not exist")
    with as_file(files("ibidem.cli") / "lesson") as texts:
        shutil.copytree(texts, folder)
    for path in sorted(folder.rglob("*.xml")):
        click.echo(path)


def _sources(library: Path) -> dict[str, str]:
    """The text of each file, by its path in the library."""
    folders = [library, *(library / package for package in PACKAGES)]
    paths = [path for folder in folders for path in sorted(folder.glob("*.py"))][:MOST_FILES]
    return {str(path.relative_to(library)): path.read_text("utf-8", "replace") for path in paths}


def _compile() -> None:
    from ibidem.cli.warmup import compile_search

    with _step("compile", "the inner loops of a search, for this processor (kept for the next time)"):
        compile_search()


def _index_files(files: dict[str, str], library: Path, path: Path) -> "PassageIndex":
    from ibidem import PassageIndex

    present = [package for package in PACKAGES if any(file.startswith(f"{package}/") for file in files)]
    inputs = "*.py" + (f" {{{','.join(present)}}}/*.py" if len(present) > 1 else "")
    commands = [f"cd {library}", f"ibidem index {inputs} -o {INDEX}"]
    with _step("index", f"{format_count(len(files), 'file')} of the library", commands):
        with progress() as on_progress:
            index = PassageIndex.build(path, files.items(), progress=on_progress)
        facts = index.info()
        size = sum(facts["bytes"].values())
        click.echo(
            f"   {format_count(facts['tokens'], 'token')}, {format_count(facts['postings'], 'window')}, "
            f"{size / 1e6:.0f} MB, of which text {facts['bytes'].get('text', 0) / 1e6:.0f} MB"
        )
    return index


def _search_files(index: "PassageIndex", files: dict[str, str]) -> list[Find]:
    """Find the comments and docstrings that occur again in another file, each pair of files once."""
    comments = [prose for file, text in files.items() for prose in _prose(file, text)]
    finds: dict[frozenset[str], Find] = {}
    with _step(
        "search", f"{format_count(len(comments), 'comment or docstring', 'comments and docstrings')} in all other files"
    ):
        with progress() as on_progress:
            for number, prose in enumerate(comments, 1):
                for match in index.search(prose.text, threshold=THRESHOLD):
                    if match.document != prose.file:
                        finds.setdefault(frozenset((prose.file, match.document)), Find(prose, match))
                if on_progress:
                    on_progress("searching", number, len(comments))
        click.echo(f"   {format_count(len(finds), 'pair')} of files share a passage")
    return list(finds.values())


def _prose(file: str, text: str) -> list[Prose]:
    """The longest comments and docstrings of a file, in order."""
    blocks = [block for block in _PROSE.finditer(text) if len(_WORD.findall(block[0])) in _PROSE_WORDS]
    longest = sorted(blocks, key=lambda block: -len(block[0]))[:_PROSE_A_FILE]
    return [
        Prose(file, text.count("\n", 0, block.start()) + 1, text.count("\n", 0, block.end() - 1) + 1, block[0])
        for block in sorted(longest, key=lambda block: block.start())
    ]


def _select_finds(finds: list[Find]) -> list[Find]:
    """The longest and most similar finds; near-copies come before exact copies, and no text occurs twice."""
    from ibidem import jaccard

    distinct: list[Find] = []
    for find in sorted(finds, key=_rank_find):
        words = _WORD.findall(find.match.text)
        if all(jaccard(words, _WORD.findall(chosen_find.match.text)) < 0.3 for chosen_find in distinct):
            distinct.append(find)
    return distinct[:SHOWN]


def _rank_find(find: Find) -> tuple[bool, float]:
    similarity = find.match.similarity
    return similarity == 1.0, -similarity * len(find.match.text)


def _write_report(finds: list[Find], files: dict[str, str]) -> Path:
    """Write a report of all finds, which stays after the tour."""
    import tempfile

    from ibidem.web.report import Findings, FoundPair, ReportOptions, Source, write_report

    pairs = []
    for prose, match in finds:
        begin = files[prose.file].index(prose.text)
        place = begin + match.query_start, begin + match.query_end
        pairs.append(FoundPair(prose.file, *place, match.document, match.start, match.end, match.similarity))
    path = Path(tempfile.gettempdir(), "ibidem-demo.html")
    names = {name for pair in pairs for name in (pair.a, pair.b)}
    options = ReportOptions("Text reuse in Python's own library")
    write_report(path, Findings(pairs), {name: Source(files[name]) for name in names}, options)
    return path


def _show(finds: list[Find]) -> None:
    from ibidem.cli.side_by_side import show_pair, write_pair

    for number, (prose, match) in enumerate(finds, 1):
        comparison = _compare(prose, match)
        caption = f"{number}. similarity {match.similarity:.3f}"
        lines = f"$(sed -n {prose.first_line},{prose.last_line}p {prose.file})"
        _show_command(f'$ ibidem search {INDEX} --threshold {THRESHOLD} --query "{lines}"')
        if is_terminal(sys.stdout):
            show_pair(console(), comparison, caption)
        else:
            click.echo(write_pair(comparison, caption))


def _compare(prose: Prose, match: "Match") -> "Comparison":
    """The two passages, without the signs of comments."""
    from ibidem.comparison import Comparer, Witness

    passage = _COMMENT_SIGN.sub("", prose.text[match.query_start : match.query_end])
    first = Witness(f"{prose.file}, from line {prose.first_line}", 0, len(passage), passage=passage)
    second = _COMMENT_SIGN.sub("", match.text)
    return Comparer(reasons=False).compare(
        first, Witness(match.document, match.start, match.start + len(second), passage=second)
    )


def _show_command(line: str) -> None:
    if is_terminal(sys.stdout):
        line = fold_command(line, shutil.get_terminal_size().columns)
    click.secho(line, dim=True)


@contextmanager
def _step(name: str, description: str, commands: Iterable[str] = ()) -> Iterator[None]:
    """Say what a step does and how to do the same, then how long it took."""
    click.secho(f"{name}: ", bold=True, nl=False)
    click.echo(description)
    for line in commands:
        _show_command(f"   $ {line}")
    start = time.perf_counter()
    yield
    click.echo(f"   {time.perf_counter() - start:.1f} s\n")
