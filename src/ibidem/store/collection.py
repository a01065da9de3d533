"""What indexes of every kind do with their documents: begin, tell them by their ids, remove."""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ibidem.errors import CorpusError, IndexExistsError
from ibidem.store.format import MANIFEST
from ibidem.store.store import Store

__all__ = ["begun", "living_ids", "remove_documents", "require_new"]


def begun(path: Path, config: dict[str, Any]) -> tuple[Store, list[str]]:
    """A new store; what an interrupted build left, an index that never held a document, makes room and is named.

    Raises:
        IndexExistsError: anything else stands at ``path``.
    """
    try:
        return Store.create(path, config), []
    except IndexExistsError:
        if not (path / MANIFEST).exists():
            raise
        with Store.open(path) as left:
            if left.generation:
                raise
            with left.writer() as writer:
                recovered = writer.recovered
        shutil.rmtree(path)
        return Store.create(path, config), recovered


def living_ids(store: Store) -> set[str]:
    """The ids of the documents that were not removed."""
    return {
        document_id
        for segment in store.segments
        for document_id, alive in zip(segment.document_ids(), segment.alive, strict=True)
        if alive
    }


def remove_documents(store: Store, ids: Iterable[str]) -> list[str]:
    """Remove documents by id; the ids, each once.

    Raises:
        CorpusError: no document has one of the ids; nothing is removed.
    """
    if isinstance(ids, str):
        raise TypeError(f"ids are given as a list or another iterable, not as one string: [{ids!r}]")
    wanted = dict.fromkeys(ids)
    with store.writer() as writer:
        places = {
            document_id: (segment.name, row)
            for segment in store.segments
            for row, document_id in enumerate(segment.document_ids())
            if document_id in wanted and segment.alive[row]
        }
        missing = [document_id for document_id in wanted if document_id not in places]
        if missing:
            raise CorpusError(f"no document has the id {', '.join(map(repr, missing[:10]))}; nothing was removed")
        rows: dict[str, list[int]] = {}
        for segment_name, row in places.values():
            rows.setdefault(segment_name, []).append(row)
        writer.remove({name: np.array(each, np.int64) for name, each in rows.items()})
        writer.commit()
    return list(wanted)


def require_new(ids: list[str], known: set[str]) -> None:
    """Add ``ids`` to those that are ``known``.

    Raises:
        CorpusError: one of them is among those, or stands there twice.
    """
    for document_id in ids:
        if document_id in known:
            raise CorpusError(
                f"document id {document_id!r} occurs twice: ids name documents, so give each its own, "
                "or remove the old document first"
            )
        known.add(document_id)
