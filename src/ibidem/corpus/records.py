"""JSON lines that are no documents: pairs to be aligned, results, what is true."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ibidem.corpus.faults import fault
from ibidem.corpus.jsonl import parsed
from ibidem.corpus.opening import BYTE_ORDER_MARK, opened
from ibidem.corpus.sources import Path, sources
from ibidem.errors import CorpusError

__all__ = ["Record", "records"]


class Record(NamedTuple):
    """An object, and the file and line that hold it."""

    path: str
    line: int
    values: dict[str, Any]

    def fault(self, cause: object) -> CorpusError:
        """The error that says what is wrong with it and where it stands, for the caller to raise."""
        return fault(self.path, cause, line=self.line)


def records(paths: Path) -> Iterator[Record]:
    """The objects of files of JSON lines, in order; a path may be anything that ``read`` takes.

    Raises:
        CorpusError: a file cannot be read, or a line is no object.
    """
    for source in sources(paths):
        with opened(source) as stream:
            for number, line in enumerate(stream, start=1):
                if number == 1:
                    line = line.removeprefix(BYTE_ORDER_MARK)
                if line and not line.isspace():
                    yield Record(source.path, number, parsed(source.path, line, number))
