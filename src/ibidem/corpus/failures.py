"""Failures: the parts of an input that are left out because they cannot be read, with the causes.

A reader stops at the first row or file that it cannot use. If a source has ``failures``, the reader notes the fault
there and continues with the next row. Where no next row can be found (a damaged file, a quote that is never closed),
the rest of the file is left out.
"""

from collections.abc import Iterable, Iterator
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

    @property
    def skips(self) -> bool:
        """Whether what cannot be read is left out; if not, it is an error."""


class Failure(NamedTuple):
    """A row that was left out, or the rest of a file.

    Attributes:
        path: the file.
        begin: the byte at which the piece of the file begins that was read.
        row: the number of the row there, from 0; ``None`` for all from here to the end.
        message: the file, the place and the cause, in one line.
        has_known_id: whether the row can be read, but an earlier one has its id.
    """

    path: str
    begin: int
    row: int | None
    message: str
    has_known_id: bool = False


class Failures:
    """The rows and files left out of an input; a row counts once, however often it is read.

    Attributes:
        skips: whether what cannot be read is left out; if not, it is an error, and a row is left out by choice alone.
    """

    def __init__(self, failures: "Iterable[Failure]" = (), *, skips: bool = True) -> None:
        self.skips = skips
        self._found: dict[tuple[str, int], dict[int | None, Failure]] = {}
        for failure in failures:
            self._note(failure)

    def _note(self, failure: Failure) -> None:
        self._found.setdefault((failure.path, failure.begin), {}).setdefault(failure.row, failure)

    def __iter__(self) -> Iterator[Failure]:
        return iter([failure for found in self._found.values() for failure in found.values()])

    def __len__(self) -> int:
        return sum(map(len, self._found.values()))

    @property
    def rows(self) -> int:
        """How many rows were left out by themselves."""
        return sum(failure.row is not None for failure in self)

    @property
    def files(self) -> int:
        """How many files were left out, or the rest of which was."""
        return len(self) - self.rows

    def add(
        self,
        source: FailingSource,
        error: CorpusError,
        row: int | None,
        *,
        of_unread: bool = False,
    ) -> None:
        """Note why a row of a source cannot be used, or the rest of it: all of it, if nothing was read of the file."""
        is_rest = row is None and (source.begin > 0 or not of_unread)
        message = f"{error} (all of the file from here on is left out)" if is_rest else str(error)
        self._note(Failure(source.path, source.begin, row, message))

    def recall(self, failures: list[Failure]) -> None:
        """Take the failures that an earlier reading of the same input noted."""
        for failure in failures:
            self._note(failure)

    def lacks_rest(self, source: FailingSource) -> bool:
        """Whether a source was not read to its end."""
        return None in self._found.get((source.path, source.begin), {})

    def rows_of(self, source: FailingSource, *, unreadable: bool = False) -> "NDArray[np.int64]":
        """The numbers of the rows of a source that were left out, int64 [n], sorted; only the ``unreadable`` ones."""
        import numpy as np

        rows = self._found.get((source.path, source.begin), {})
        wanted = (row for row, each in rows.items() if row is not None and not (unreadable and each.has_known_id))
        return np.array(sorted(wanted), np.int64)


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
        if source.failures is None or not source.skips:
            raise
        source.failures.add(source, error, row)
