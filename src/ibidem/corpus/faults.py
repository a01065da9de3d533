"""Faults of the input with their places, always in one line and in one form."""

from collections.abc import Iterable

from ibidem.errors import CorpusError

_LISTED = 20


def fault(
    path: str, cause: object, *, line: int | None = None, row: int | None = None, column: str | None = None
) -> CorpusError:
    """The error ``path, line 12, column 'text': cause``, for the caller to raise."""
    where = [path]
    if line is not None:
        where.append(f"line {line}")
    if row is not None:
        where.append(f"row {row}")
    if column is not None:
        where.append(f"column {column!r}")
    return CorpusError(" ".join(f"{', '.join(where)}: {cause}".split()))


def missing_column(
    path: str, role: str, column: str, present: Iterable[str], *, line: int | None = None
) -> CorpusError:
    """The error for a column that is not there, with the columns that are."""
    names = [repr(name) for name in present]
    columns = ", ".join(names[:_LISTED]) or "none"
    others = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    cause = f"there is no such column (columns: {columns}{others}); name the column that holds the {role}"
    return fault(path, cause, line=line, column=column)


def system_cause(error: OSError) -> str:
    """Return the cause as the operating system, or a decompressor, states it."""
    return error.strerror or f"{type(error).__name__}: {error}"
