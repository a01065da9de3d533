"""The holdings of a service: indexes and evals."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ibidem.contamination.eval_index import EvalIndex
from ibidem.web.indexes.served_index import Reader, ServedIndex
from ibidem.web.limits import Limits
from ibidem.web.problems import ProblemError


class Holdings(NamedTuple):
    """The holdings of a service; indexes by name."""

    indexes: Mapping[str, ServedIndex]
    limits: Limits
    evals: EvalIndex | None = None


def choose_index(holdings: Holdings, name: str | None) -> ServedIndex:
    """The index of this name; the first without one."""
    if not holdings.indexes:
        raise ProblemError(404, "this service has no index")
    if name is None:
        return next(iter(holdings.indexes.values()))
    if name not in holdings.indexes:
        raise ProblemError(404, f"no index is called {name!r}; there is {', '.join(holdings.indexes)}")
    return holdings.indexes[name]


def choose_index_of(holdings: Holdings, name: str | None, document: str) -> ServedIndex:
    """The index of this name; without one the first that holds the document, if any does."""
    if name is None:
        for index in holdings.indexes.values():
            with index.reader() as reader:
                if reader.document(document) is not None:
                    return index
    return choose_index(holdings, name)


def find_document(reader: Reader, index: str, name: str) -> tuple[str, dict[str, Any]]:
    """Text and metadata of a document.

    Raises:
        ProblemError: the index has none of this id.
    """
    content = reader.document(name)
    if content is None:
        raise ProblemError(404, f"no document {name!r} is in the index {index!r}")
    return content
