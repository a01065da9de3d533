"""The pairs of documents that a file names, and documents of collections by their ids."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ibidem.errors import CorpusError

if TYPE_CHECKING:
    from ibidem import NullModel
    from ibidem.corpus.records import Record
    from ibidem.text import Document


class NamedPair(NamedTuple):
    """A record that names two documents, and their ids by the names of its columns."""

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
    pairs: Sequence[NamedPair], inputs: Sequence[str], reading: Mapping[str, Any], without: str | None
) -> "dict[str, Document]":
    """All documents of ``pairs`` by id, and no others; their metadata have no column ``without``."""
    documents = read_wanted(inputs, {id for pair in pairs for id in pair.ids}, reading)
    for pair in pairs:
        for name in pair.ids:
            if name not in documents:
                raise pair.record.fault(f"no document {name!r} is in {', '.join(inputs)}")
    if without is not None:
        for document in documents.values():
            document.metadata.pop(without, None)
    return documents


def read_wanted(inputs: Sequence[str], ids: set[str], reading: Mapping[str, Any]) -> "dict[str, Document]":
    """The documents of collections whose ids are ``ids``, by id; ``reading`` are arguments of ``ibidem.read``.

    Raises:
        CorpusError: two documents have one of the ids.
    """
    from ibidem.corpus import read
    from ibidem.text import Document
    from ibidem.text.json_values import decode_json

    documents: dict[str, Document] = {}
    for batch in read(list(inputs), **reading):
        for row, name in enumerate(batch.ids):
            if name in documents:
                raise CorpusError(
                    f"{', '.join(inputs)}: two documents have the id {name!r}; a result could mean either"
                )
            if name in ids:
                documents[name] = Document(name, batch.texts[row], decode_json(batch.metadata[row]))
    return documents


def learn_from_pairs(pairs: Sequence[NamedPair], documents: "Mapping[str, Document]", **how: Any) -> "NullModel":
    """What the documents of ``pairs`` share by chance: first ones with second ones, if none is both."""
    from ibidem import NullModel

    first, second = (dict.fromkeys(pair.ids[side] for pair in pairs) for side in (0, 1))
    if first.keys() & second.keys():
        return NullModel.of([documents[id] for id in (first | second)], **how)
    return NullModel.of([documents[id] for id in first], against=[documents[id] for id in second], **how)
