"""The operations of ``ibidem serve``."""

from ibidem.web.indexes import contamination, documents, searches
from ibidem.web.operations import Operation

OF_TEXTS = (
    Operation(
        "POST", "/v1/search", "search", "Find passages that are similar to a passage, even where words were changed",
        searches.search, tool="search_passages",
    ),
    Operation(
        "POST", "/v1/align", "align", "Find the passages that a whole text shares with documents", searches.align,
        tool="find_sources",
    ),
    Operation("POST", "/v1/compare", "compare", "Two passages word by word", documents.compare),
)  # fmt: skip
"""What is asked of a text, of one index as of several."""

OPERATIONS = (
    *OF_TEXTS,
    Operation(
        "POST", "/v1/align-texts", "align_texts", "Find the passages that two texts share", searches.align_texts,
        tool="align_texts",
    ),
    Operation(
        "POST", "/v1/contamination", "contamination", "Find the items of evaluations that documents hold",
        contamination.find_leaks, tool="find_test_items",
    ),
    Operation(
        "GET", "/v1/document", "document", "Read a part of a document, with its metadata, to quote it",
        documents.read_document, tool="get_passage",
    ),
    Operation("GET", "/v1/indexes", "indexes", "What is served", documents.describe),
)  # fmt: skip
