"""Opening an index of either kind, for the commands that work on both."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ibidem import DocumentIndex, PassageIndex


def open_index(path: str) -> "PassageIndex | DocumentIndex":
    """The index at ``path``, of passages or of documents."""
    from ibidem import DocumentIndex, PassageIndex
    from ibidem.store import Store

    with Store.open(path) as store:
        kind = store.config.get("kind")
    return DocumentIndex.open(path) if kind == "documents" else PassageIndex.open(path)
