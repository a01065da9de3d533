"""Failures: the parts of an input that are left out because they cannot be read, with the causes.

A reader stops at the first row or file that it cannot use. If a source has ``failures``, the reader notes the fault
there and continues with the next row. Where no next row can be found (a damaged file, a quote that is never closed),
the rest of the file is left out.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

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


Reason = Literal["unreadable", "repeated id", "null text"]
"""Why no document was made of a row, or none that counts."""


class Failure(NamedTuple):
    """A row that was left out, or the rest of a file.

    Attributes:
        path: the file.
        begin: the byte at which the piece of the file begins that was read.
        row: the number of the row there, from 0; ``None`` for all from here to the end.
        message: the file, the place and the cause, in one line.
        reason: why.
        id: of a row that can be read.
        is_kept: whether the row is no document, but is kept as it is where rows are written.
    """

    path: str
    begin: int
    row: int | None
    message: str
    reason: Reason = "unreadable"
    id: str | None = None
    is_kept: bool = False


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
        return sum(failure.row is not None and not failure.is_kept for failure in self)

    @property
    def files(self) -> int:
        """How many files were left out, or the rest of which was."""
        return sum(failure.row is None for failure in self)

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

    def add_null(self, source: FailingSource, row: int, place: str, id: str | None, *, is_kept: bool) -> None:
        """Note a row whose text is null; ``place`` names it."""
        message = f"{place}: the text is null"
        self._note(Failure(source.path, source.begin, row, message, "null text", id, is_kept))

    def recall(self, failures: list[Failure]) -> None:
        """Take the failures that an earlier reading of the same input noted."""
        for failure in failures:
            self._note(failure)

    def lacks_rest(self, source: FailingSource) -> bool:
        """Whether a source was not read to its end."""
        return None in self._found.get((source.path, source.begin), {})

    def rows_of(self, source: FailingSource) -> "NDArray[np.int64]":
        """The numbers of the rows of a source that are no documents of the input, int64 [n], sorted."""
        return self._list_rows(source, lambda failure: True)

    def unread_rows_of(self, source: FailingSource) -> "NDArray[np.int64]":
        """The numbers of the rows of which a reader makes no document, int64 [n], sorted."""
        return self._list_rows(source, lambda failure: failure.reason != "repeated id")

    def kept_rows_of(self, source: FailingSource) -> "NDArray[np.int64]":
        """The numbers of the rows that are kept as they are, int64 [n], sorted."""
        return self._list_rows(source, lambda failure: failure.is_kept)

    def _list_rows(self, source: FailingSource, is_wanted: Callable[[Failure], bool]) -> "NDArray[np.int64]":
        import numpy as np

        rows = self._found.get((source.path, source.begin), {})
        return np.array(sorted(row for row, each in rows.items() if row is not None and is_wanted(each)), np.int64)


def count_left_out(failures: Failures | None) -> dict[str, int]:
    """Return the counts of rows and files left out, as every ``summary.json`` names them."""
    rows, files = (failures.rows, failures.files) if failures is not None else (0, 0)
    return {"rows_left_out": rows, "files_left_out": files}


@contextmanager
def leave_out(source: FailingSource, row: int | None = None) -> Iterator[None]:
    """Note what cannot be used of a source within the block, which ends there; without ``failures`` it is an error."""
    try:
        yield
    except CorpusError as error:
        if source.failures is None or not source.skips:
            raise
        source.failures.add(source, error, row)
