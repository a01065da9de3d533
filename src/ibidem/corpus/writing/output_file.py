"""A new file of the output, compressed as its name says."""

import io
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from ibidem.corpus.compression import open_compressor
from ibidem.errors import CorpusError


@contextmanager
def create_file(target: Path, compression: str | None = None) -> Iterator[Any]:
    """A new file to write to."""
    with _name_target(target):
        raw = _Output(target)
    with closing(raw):
        if compression is None:
            yield raw
        else:
            with open_compressor(raw, compression) as stream:
                yield stream


class _Output(io.RawIOBase):
    """A new file; an error in writing it is not reported as a fault of the file that is read meanwhile."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._file = target.open("xb")

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        """Write all of the data."""
        with _name_target(self._target):
            return self._file.write(data)

    def flush(self) -> None:
        """Give to the system what was written."""
        if not self._file.closed:
            with _name_target(self._target):
                self._file.flush()

    def close(self) -> None:
        """Close the file."""
        if not self.closed:
            with _name_target(self._target):
                self._file.close()
            super().close()


@contextmanager
def _name_target(target: Path) -> Iterator[None]:
    """Add the name of ``target`` to the errors of the system."""
    try:
        yield
    except OSError as error:
        raise CorpusError(f"{target}: cannot be written: {error.strerror or error}") from error
