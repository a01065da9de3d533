"""JSON lines that are no documents: pairs to be aligned, results, what is true."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ibidem.corpus.faults import fault
from ibidem.corpus.json_records import split_records
from ibidem.corpus.jsonl import parse_object
from ibidem.corpus.listing import list_sources
from ibidem.corpus.opening import open_stream
from ibidem.corpus.sources import Path
from ibidem.errors import CorpusError


class Record(NamedTuple):
    """An object, and the file and line that hold it."""

    path: str
    line: int
    values: dict[str, Any]

    def fault(self, cause: object) -> CorpusError:
        """Return the error that says what is wrong with the record and where it is, for the caller to raise."""
        return fault(self.path, cause, line=self.line)


def read_records(paths: Path) -> Iterator[Record]:
    """The objects of files of JSON lines, or of arrays, in order; a path may be anything that ``read`` takes.

    Raises:
        CorpusError: a file cannot be read, or a line is no object.
    """
    for source in list_sources(paths):
        with open_stream(source) as stream:
            for data, line, _ in split_records(source, stream):
                yield Record(source.path, line, parse_object(source.path, data, line))
