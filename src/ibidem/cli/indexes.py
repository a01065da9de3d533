"""Opening an index of whichever kind it is, for the commands that work on several."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ibidem import DocumentIndex, PassageIndex, SketchIndex


def open_index(path: str) -> "PassageIndex | SketchIndex | DocumentIndex":
    """The index at ``path``, of passages, of sketches or of documents."""
    from ibidem import DocumentIndex

    return DocumentIndex.open(path) if _read_kind(path) == "documents" else open_passages(path)


def open_passages(path: str) -> "PassageIndex | SketchIndex":
    """The index of passages or of sketches at ``path``.

    Raises:
        ConfigurationError: it is one of documents.
    """
    from ibidem import PassageIndex, SketchIndex

    return SketchIndex.open(path) if _read_kind(path) == "sketches" else PassageIndex.open(path)


def _read_kind(path: str) -> str:
    from ibidem.store import Store

    with Store.open(path) as store:
        return str(store.config.get("kind", "passages"))
