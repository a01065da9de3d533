"""The pairs of documents that a file names, and their texts."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ibidem.errors import CorpusError

if TYPE_CHECKING:
    from ibidem.corpus.failures import Failures
    from ibidem.corpus.records import Record
    from ibidem.text import Document

__all__ = ["NamedPair", "read_documents", "read_pairs"]


class NamedPair(NamedTuple):
    """Two documents: their ids, by the names that the record gives them, and the record."""

    names: dict[str, str]
    record: "Record"

    @property
    def ids(self) -> tuple[str, str]:
        """The ids alone."""
        first, second = self.names.values()
        return first, second


def read_pairs(path: str) -> list[NamedPair]:
    """The pairs of a file of JSON lines, in their order."""
    from ibidem.corpus.records import read_records
    from ibidem.evaluation import named_pair

    pairs = []
    for record in read_records(path):
        try:
            pairs.append(NamedPair(named_pair(record.values), record))
        except ValueError as error:
            raise record.fault(error) from error
    return pairs


def read_documents(
    pairs: Iterable[NamedPair],
    documents: tuple[str, ...],
    *,
    text: str,
    id: str,
    without: str | None,
    encoding: str | None = None,
    failures: "Failures | None" = None,
) -> "dict[str, Document]":
    """All documents of ``pairs`` by id, and no others; their metadata have no column ``without``."""
    from ibidem.corpus import read
    from ibidem.text import Document
    from ibidem.text.json_values import decode_json

    pairs = list(pairs)
    wanted = {id for pair in pairs for id in pair.ids}
    found: dict[str, Document] = {}
    for batch in read(documents, text=text, id=id, encoding=encoding, failures=failures):
        for row, name in enumerate(batch.ids):
            if name in found:
                raise CorpusError(
                    f"{', '.join(documents)}: two documents have the id {name!r}; a pair could mean either"
                )
            if name in wanted:
                metadata = decode_json(batch.metadata[row])
                metadata.pop(without, None)
                found[name] = Document(name, batch.texts[row], metadata)
    for pair in pairs:
        for name in pair.ids:
            if name not in found:
                raise pair.record.fault(f"no document {name!r} is in {', '.join(documents)}")
    return found
