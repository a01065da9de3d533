"""Requests, each declared once: routes, OpenAPI, tools of agents, the client and the calls of the page follow."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_type_hints

import msgspec

Method = Literal["GET", "POST", "PUT", "DELETE"]


class File(NamedTuple):
    """A file to be saved, as an answer: its bytes, name and type."""

    data: bytes
    name: str
    kind: str


@dataclass(frozen=True)
class Operation:
    """A request that ``run`` takes, and the answer that it returns; the annotations of ``run`` name their types.

    The names in braces in ``path`` are parts of the address; ``POST`` and ``PUT`` bring the rest as a body of JSON,
    ``GET`` and ``DELETE`` as a query. ``run`` takes what is served, and the request.

    Attributes:
        tool: the name of the tool that agents have for it.
        takes_bytes: whether the body is a file, whose parts ``run`` takes, too, and the rest a query.
        gives: the type of the answer, where ``run`` returns it as JSON already.
    """

    method: Method
    path: str
    name: str
    summary: str
    run: Callable[..., Any]
    tool: str | None = None
    takes_bytes: bool = False
    gives_raw: Any = None

    @cached_property
    def takes(self) -> type[msgspec.Struct]:
        """The type of the request."""
        kind: type[msgspec.Struct] = get_type_hints(self.run)["request"]
        return kind

    @cached_property
    def gives(self) -> Any:
        """The type of the answer."""
        return self.gives_raw or get_type_hints(self.run)["return"]

    @property
    def has_query(self) -> bool:
        """Whether all that is asked is in the address."""
        return self.takes_bytes or self.method in ("GET", "DELETE")


def list_requests(operations: Sequence[Operation]) -> dict[str, tuple[str, str]]:
    """The method and the path of each operation by its name, as the page reads them."""
    return {operation.name: (operation.method, operation.path) for operation in operations}


PROBLEMS = {
    "400": "The body or the query is not of the form that is asked for.",
    "401": "A token is needed.",
    "404": "Nothing has this name.",
    "405": "The address takes another method.",
    "408": "The body did not come in time.",
    "409": "There is no answer yet.",
    "413": "The body is too large.",
    "415": "The body is said to be something else than it should be.",
    "421": "The service is not known by this host name.",
    "422": "An argument is out of its range.",
    "503": "Too many requests are at work, the answer was given up for want of time, or an index cannot be read.",
}
