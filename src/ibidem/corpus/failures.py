"""Failures: the parts of an input that are left out because they cannot be read, with the causes.

A reader stops at the first row or file that it cannot use. If a source has ``failures``, the reader notes the fault
there and continues with the next row. Where no next row can be found (a damaged file, a quote that is never closed),
the rest of the file is left out.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, Protocol, get_args

from ibidem.arguments import OnError
from ibidem.errors import CorpusError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class FailingSource(Protocol):
    """A file that is read, or a piece of one: see ``ibidem.corpus.sources.Source``."""

    @property
    def path(self) -> str:
        """The file."""

    @property
    def begin(self) -> int:
        """The byte at which the piece begins."""

    @property
    def failures(self) -> "Failures | None":
        """Where to note what is left out, if that is wanted."""


class Failure(NamedTuple):
    """A row that was left out, or the rest of a file.

    Attributes:
        path: the file.
        begin: the byte at which the piece of the file begins that was read.
        row: the number of the row there, from 0; ``None`` for all from here to the end.
        message: the file, the place and the cause, in one line.
    """

    path: str
    begin: int
    row: int | None
    message: str


class Failures:
    """The rows and files left out of an input; a row counts once, however often it is read."""

    def __init__(self, failures: "list[Failure] | None" = None) -> None:
        self._found = {(failure.path, failure.begin, failure.row): failure for failure in failures or ()}

    def __iter__(self) -> Iterator[Failure]:
        return iter(list(self._found.values()))

    def __len__(self) -> int:
        return len(self._found)

    @property
    def rows(self) -> int:
        """How many rows were left out by themselves."""
        return sum(row is not None for _, _, row in self._found)

    @property
    def files(self) -> int:
        """How many files were left out, or the rest of which was."""
        return len(self) - self.rows

    def add(self, source: FailingSource, error: CorpusError, row: int | None, *, of_unread: bool = False) -> None:
        """Note why a row of a source cannot be used, or the rest of it: all of it, if nothing was read of the file."""
        key = (source.path, source.begin, row)
        is_rest = row is None and (source.begin > 0 or not of_unread)
        message = f"{error} (all of the file from here on is left out)" if is_rest else str(error)
        self._found.setdefault(key, Failure(*key, message))

    def recall(self, failures: list[Failure]) -> None:
        """Take the failures that an earlier reading of the same input noted."""
        self._found = {(failure.path, failure.begin, failure.row): failure for failure in failures} | self._found

    def lacks_rest(self, source: FailingSource) -> bool:
        """Whether a source was not read to its end."""
        return (source.path, source.begin, None) in self._found

    def rows_of(self, source: FailingSource) -> "NDArray[np.int64]":
        """The numbers of the rows of a source that were left out, int64 [n], sorted."""
        import numpy as np

        place = (source.path, source.begin)
        rows = [row for path, begin, row in self._found if (path, begin) == place and row is not None]
        return np.array(sorted(rows), np.int64)


def count_left_out(failures: Failures | None) -> dict[str, int]:
    """Return the counts of rows and files left out, as every ``summary.json`` names them."""
    rows, files = (failures.rows, failures.files) if failures is not None else (0, 0)
    return {"rows_left_out": rows, "files_left_out": files}


def require_on_error(on_error: str) -> None:
    """Raise a ``ValueError`` unless this is one of the values of ``OnError``."""
    if on_error not in get_args(OnError):
        raise ValueError(f"on_error is one of {', '.join(get_args(OnError))}, not {on_error!r}")


@contextmanager
def leave_out(source: FailingSource, row: int | None = None) -> Iterator[None]:
    """Note what cannot be used of a source within the block, which ends there; without ``failures`` it is an error."""
    try:
        yield
    except CorpusError as error:
        if source.failures is None:
            raise
        source.failures.add(source, error, row)
