"""The operations of ``ibidem serve``."""

from ibidem.web.indexes import contamination, documents, searches, views, writing
from ibidem.web.operations import Operation

OF_TEXTS = (
    Operation(
        "POST", "/v1/search", "search", "Find passages that are similar to a passage, even where words were changed",
        searches.search, "matches", tool="search_passages",
    ),
    Operation("POST", "/v1/align", "align", "Find what a whole text shares", searches.align, "matches"),
    Operation(
        "POST", "/v1/trace", "trace", "Find which words of a text occur in documents, as they are or nearly so",
        searches.trace, "spans", tool="trace_text",
    ),
    Operation("POST", "/v1/compare", "compare", "Two passages word by word", documents.compare),
)  # fmt: skip
"""What is asked of a text, of one index as of several."""

OPERATIONS = (
    *OF_TEXTS,
    Operation(
        "POST", "/v1/align-texts", "align_texts", "Find the passages that two texts share, word by word",
        searches.align_texts, "pairs", tool="align_texts",
    ),
    Operation(
        "POST", "/v1/contamination", "contamination", "Find the items of evaluations that documents hold",
        contamination.find_leaks, "leaks", tool="find_test_items",
    ),
    Operation(
        "GET", "/v1/documents/{document}", "document", "Read a part of a document, with its metadata, to quote it",
        documents.read_document, tool="get_passage",
    ),
    Operation("GET", "/v1/reuse/{reuse}", "reuse", "Pairs, documents and clusters of findings", views.read_view),
    Operation(
        "GET", "/v1/reuse/{reuse}/comparisons", "reuse_comparisons", "Passages of findings word by word",
        views.list_comparisons,
    ),
    Operation("GET", "/v1/indexes", "indexes", "What is served", documents.describe, "indexes"),
    Operation("POST", "/v1/add", "add", "Add documents to an index", writing.add, None, "write", 202),
    Operation("POST", "/v1/remove", "remove", "Remove documents from an index", writing.remove, None, "write", 202),
    Operation("GET", "/v1/tasks", "tasks", "The tasks that are known", writing.list_tasks, "tasks", "write"),
    Operation("GET", "/v1/tasks/{task}", "task", "How far a task is", writing.read_task, None, "write"),
)  # fmt: skip
