"""The formats that can be read: a dict from name to reader, and which of them a file is in."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ibidem.corpus import columnar, delimited, files, jsonl
from ibidem.corpus.opening import suffix_of, until_fault
from ibidem.corpus.readers.registry import KINDS
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import Source

if TYPE_CHECKING:
    from ibidem.text import Documents

Reader = Callable[[Source, Columns, int], Iterator["Documents"]]


class Format(NamedTuple):
    """A way to hold documents in a file: its suffixes, what a document is, and the reader."""

    suffixes: tuple[str, ...]
    description: str
    read: Reader


_ARCHIVES = tuple(suffix for kind in KINDS.values() if kind.holds_files for suffix in kind.suffixes)
_RICH = ", ".join(kind.description for kind in KINDS.values() if not kind.holds_files)

FORMATS: dict[str, Format] = {
    "jsonl": Format(
        (".jsonl", ".ndjson", ".json"), "one JSON object a line, or an array of them; also pipes and -", jsonl.read
    ),
    "parquet": Format((".parquet", ".pq"), "one document a row", partial(columnar.read, kind="Parquet")),
    "arrow": Format((".arrow", ".feather", ".ipc"), "one document a row", partial(columnar.read, kind="Arrow")),
    "csv": Format((".csv",), "one document a row, under a header", partial(delimited.read, format="csv")),
    "tsv": Format((".tsv", ".tab"), "one document a row, under a header", partial(delimited.read, format="tsv")),
    "archive": Format(_ARCHIVES, "the files in it, one document each; of WARC and WET, their pages", files.read),
    "text": Format((), f"any other file: one document, its path is the id; {_RICH}", files.read),
}

_BY_SUFFIX = {suffix: format for format in FORMATS.values() for suffix in format.suffixes}


def format_of(source: Source) -> Format:
    """The format by the file's suffix; a pipe has none and holds JSON lines."""
    if source.is_pipe:
        return FORMATS["jsonl"]
    if source.pages:
        return FORMATS["text"]
    return _BY_SUFFIX.get(suffix_of(source.path), FORMATS["text"])


def read_source(source: Source, columns: Columns, batch_bytes: int) -> Iterator["Documents"]:
    """The documents of a file, or of an index, in batches."""
    if source.is_index:
        from ibidem.corpus.indexes import read_index

        batches = read_index(source)
        return batches if source.ids is None else source.ids.filter(source, batches)
    batches = until_fault(source, format_of(source).read(source, columns, batch_bytes))
    return batches if source.ids is None else source.ids.filter(source, batches)


def describe_row(source: Source, row: int) -> str:
    """Name a row of a file, counted from 0, by its file and its line, which counts from 1, or else by its number."""
    format = format_of(source)
    if source.is_pipe or source.is_index:
        return f"{source.path}, document {row}"
    file = source._replace(progress=None, ids=None)
    if format is FORMATS["jsonl"]:
        return f"{source.path}, line {jsonl.find_line(file, row)}"
    if format in (FORMATS["csv"], FORMATS["tsv"]):
        name = "csv" if format is FORMATS["csv"] else "tsv"
        return f"{source.path}, line {delimited.find_line(file, row, name)}"
    if format in (FORMATS["parquet"], FORMATS["arrow"]):
        return f"{source.path}, row {row}"
    return source.path


def supported_formats() -> dict[str, Format]:
    """The formats by name, for help texts.

    >>> supported_formats()["parquet"].suffixes
    ('.parquet', '.pq')
    """
    return dict(FORMATS)
