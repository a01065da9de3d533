"""The pairs of documents that a file names, and their texts."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ibidem.errors import CorpusError

if TYPE_CHECKING:
    from ibidem.corpus.records import Record

__all__ = ["NamedPair", "named_pairs", "texts_of"]


class NamedPair(NamedTuple):
    """Two documents: their ids, by the names that the record gives them, and the record."""

    names: dict[str, str]
    record: "Record"

    @property
    def ids(self) -> tuple[str, str]:
        """The ids alone."""
        first, second = self.names.values()
        return first, second


def named_pairs(path: str) -> list[NamedPair]:
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


def texts_of(pairs: Iterable[NamedPair], documents: tuple[str, ...], *, text: str, id: str) -> dict[str, str]:
    """The texts of all documents of ``pairs`` by id, and no others."""
    from ibidem.corpus import read

    pairs = list(pairs)
    wanted = {id for pair in pairs for id in pair.ids}
    texts: dict[str, str] = {}
    for batch in read(documents, text=text, id=id):
        for row, name in enumerate(batch.ids):
            if name in texts:
                raise CorpusError(
                    f"{', '.join(documents)}: two documents have the id {name!r}; a pair could mean either"
                )
            if name in wanted:
                texts[name] = batch.texts[row]
    for pair in pairs:
        for name in pair.ids:
            if name not in texts:
                raise pair.record.fault(f"no document {name!r} is in {', '.join(documents)}")
    return texts
