"""Every operation of the service, once: the application serves this table, and OpenAPI describes it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_type_hints

from ibidem.web.access import Right
from ibidem.web.indexes import contamination, documents, findings, measures, searches, writing


@dataclass(frozen=True)
class Operation:
    """A request that ``run`` takes, and the answer that it returns; the annotations of ``run`` name their types.

    A ``POST`` brings the request as a body, a ``GET`` in the address: the names in braces in ``path``, the rest as a
    query.

    Attributes:
        rows: the part of the answer that is a list, of which each line of NDJSON is one.
        right: what a request must be allowed.
        status: of the answer.
    """

    method: Literal["GET", "POST"]
    path: str
    name: str
    summary: str
    run: Callable[..., Any]
    rows: str | None = None
    right: Right = "read"
    status: int = 200

    @cached_property
    def takes(self) -> type:
        """The type of the request."""
        kind: type = get_type_hints(self.run)["request"]
        return kind

    @cached_property
    def gives(self) -> type:
        """The type of the answer."""
        kind: type = get_type_hints(self.run)["return"]
        return kind


OPERATIONS = (
    Operation("POST", "/v1/search", "search", "Search for similar passages", searches.search, "matches"),
    Operation("POST", "/v1/align", "align", "What a whole text shares", searches.align, "matches"),
    Operation("POST", "/v1/trace", "trace", "Which words occur in the collection", searches.trace, "spans"),
    Operation("POST", "/v1/measure", "measure", "How similar matches are by another measure", measures.measure),
    Operation("POST", "/v1/compare", "compare", "Two passages word by word", documents.compare),
    Operation(
        "POST",
        "/v1/contamination",
        "contamination",
        "Which items of the evals documents hold",
        contamination.find_leaks,
        "leaks",
    ),
    Operation("GET", "/v1/documents/{document}", "document", "A part of a document", documents.read_document),
    Operation("GET", "/v1/pairs", "pairs", "Pairs of matching passages", findings.list_pairs, "pairs"),
    Operation(
        "GET",
        "/v1/document-pairs",
        "document_pairs",
        "How many words documents share",
        findings.list_document_pairs,
        "pairs",
    ),
    Operation("GET", "/v1/clusters", "clusters", "Clusters of matching passages", findings.list_clusters, "clusters"),
    Operation(
        "GET", "/v1/clusters/{cluster}", "cluster", "The passages of a cluster", findings.read_cluster, "witnesses"
    ),
    Operation("GET", "/v1/indexes", "indexes", "What is served", documents.describe, "indexes"),
    Operation("POST", "/v1/add", "add", "Add documents to an index", writing.add, None, "write", 202),
    Operation("POST", "/v1/remove", "remove", "Remove documents from an index", writing.remove, None, "write", 202),
    Operation("GET", "/v1/tasks", "tasks", "The tasks that are known", writing.list_tasks, "tasks", "write"),
    Operation("GET", "/v1/tasks/{task}", "task", "How far a task is", writing.read_task, None, "write"),
)

PROBLEMS = {
    "400": "The body or the query is not of the form that is asked for.",
    "401": "A token is needed.",
    "403": "The token, or the page that a browser shows, may not do this.",
    "404": "Nothing has this name.",
    "405": "The address takes another method.",
    "408": "The body did not come in time.",
    "409": "What is asked about was changed since the cursor or generation was given.",
    "413": "The body is too large.",
    "415": "The body is said to be something else than JSON.",
    "421": "The service is not known by this host name.",
    "422": "An argument is out of its range.",
    "429": "Too many requests or tasks are waiting.",
    "503": "The answer was given up for want of time, or an index cannot be read.",
}
