"""``--dry-run``: what a command would read and write."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import click

from ibidem.cli.options import READING, InputPath
from ibidem.cli.terminal import printable
from ibidem.counts import format_count

if TYPE_CHECKING:
    from ibidem.corpus.sources import Source

ListOutputs = Callable[[Mapping[str, Any], Sequence["Source"]], list[str]]
"""Names what a command would write into the folder of its output, by its arguments and the files of its input."""


def tell_plan(context: click.Context, list_outputs: ListOutputs) -> None:
    """Say what the command would read and write; only names and sizes of files are looked at.

    Raises:
        CorpusError: an input does not exist, or no output can be made where it should be.
    """
    from ibidem.corpus.sources import ReadingProgress

    arguments, progress = context.params, ReadingProgress()
    files: list[Source] = []
    for parameter in context.command.params:
        paths = arguments.get(parameter.name or "")
        if isinstance(parameter.type, InputPath) and paths:
            name = parameter.opts[0] if isinstance(parameter, click.Option) else str(parameter.metavar)
            found = _list_files(paths, arguments, progress if parameter.name == "inputs" else None)
            files = found if parameter.name == "inputs" else files
            _write_line(f"reads {name.rstrip('.')}: {_describe(found)}")
    for kind, count in sorted(progress.passed_over.items()):
        _write_line(f"passes over: {format_count(count, 'file')} ({kind})")
    if arguments["output"] is not None:
        _tell_output(arguments, list_outputs(arguments, files))
    _write_line("this was a dry run: nothing was read or written")


def _list_files(paths: str | Sequence[str], arguments: Mapping[str, Any], progress: Any) -> "list[Source]":
    """The files that paths name; ``progress`` receives which files of folders are no documents."""
    from ibidem.corpus.listing import list_sources
    from ibidem.corpus.rows import Columns

    columns = Columns.of(**{name: arguments[name] for name in READING if name in arguments})
    choice = None if progress is None else columns.choice
    return list_sources(paths, progress, arguments.get("failures"), indexes=True, choice=choice)


def _tell_output(arguments: Mapping[str, Any], names: Sequence[str]) -> None:
    from ibidem.engine.work import name_work, require_unmade

    output, work = arguments["output"], arguments.get("work")
    require_unmade(output, work)
    _write_line(f"writes {output}: {', '.join(names)}")
    if (place := name_work(output, work)).exists():
        _write_line(f"resumes the work in {place}, if it was begun on the same input")


def _describe(files: "Sequence[Source]") -> str:
    """How many files there are, of which kinds, and their size as far as it is known."""
    from ibidem.corpus.sources import stored_size

    kinds = Counter(_name_kind(file) for file in files)
    listed = ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items()))
    size = sum(stored_size(file) or 0 for file in files)
    return f"{format_count(len(files), 'file')}, {size / 1e6:,.1f} MB ({listed})"


def _name_kind(file: "Source") -> str:
    from ibidem.corpus.opening import compression_of, suffix_of

    if file.is_index or file.is_pipe:
        return "index" if file.is_index else "pipe"
    compression = PurePath(file.path).suffix.lower() if compression_of(file.path) else ""
    return f"{suffix_of(file.path)}{compression}" or "without a suffix"


def _write_line(line: str) -> None:
    click.echo(printable(line))
