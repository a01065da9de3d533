"""The holdings of a service: indexes, findings of ``ibidem reuse``, evals, and the tasks that it was given."""

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

from ibidem.contamination.eval_index import EvalIndex
from ibidem.web.indexes.served_index import Reader, ServedIndex
from ibidem.web.indexes.served_reuse import ServedReuse
from ibidem.web.indexes.tasks import TaskQueue
from ibidem.web.limits import Limits
from ibidem.web.problems import ProblemError

_Each = TypeVar("_Each")


class Holdings(NamedTuple):
    """The holdings of a service; indexes and findings by name."""

    indexes: Mapping[str, ServedIndex]
    reuse: Mapping[str, ServedReuse]
    tasks: TaskQueue
    limits: Limits
    evals: EvalIndex | None = None


def choose_index(holdings: Holdings, name: str | None) -> ServedIndex:
    """The index of this name; the first without one."""
    return _choose(holdings.indexes, name, "index")


def choose_reuse(holdings: Holdings, name: str | None) -> ServedReuse:
    """The findings of this name; the first without one."""
    return _choose(holdings.reuse, name, "reuse")


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


def _choose(by_name: Mapping[str, _Each], name: str | None, kind: str) -> _Each:
    if not by_name:
        raise ProblemError(404, f"this service has no {kind}")
    if name is None:
        return next(iter(by_name.values()))
    if name not in by_name:
        raise ProblemError(404, f"no {kind} is called {name!r}; there is {', '.join(by_name)}")
    return by_name[name]
