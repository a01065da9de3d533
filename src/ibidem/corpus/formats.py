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
    """A way to hold documents in a file: its suffixes, and the reader."""

    suffixes: tuple[str, ...]
    read: Reader


_ARCHIVES = tuple(suffix for kind in KINDS.values() if kind.holds_files for suffix in kind.suffixes)

FORMATS: dict[str, Format] = {
    "jsonl": Format((".jsonl", ".ndjson", ".json"), jsonl.read),
    "parquet": Format((".parquet", ".pq"), partial(columnar.read, kind="Parquet")),
    "arrow": Format((".arrow", ".feather", ".ipc"), partial(columnar.read, kind="Arrow")),
    "csv": Format((".csv",), partial(delimited.read, format="csv")),
    "tsv": Format((".tsv", ".tab"), partial(delimited.read, format="tsv")),
    "archive": Format(_ARCHIVES, files.read),
    "text": Format((), files.read),
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
        batches = _read_index(source)
        return batches if source.ids is None else source.ids.filter(source, batches)
    batches = until_fault(source, format_of(source).read(source, columns, batch_bytes))
    return batches if source.ids is None else source.ids.filter(source, batches)


def _read_index(source: Source) -> Iterator["Documents"]:
    """The documents of an index, without the removed ones.

    Raises:
        StoreError: the index is damaged.
    """
    from ibidem.store import Store

    with Store.open(source.path) as store:
        for segment in store.segments:
            for documents, _ in segment.batches():
                yield documents


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
