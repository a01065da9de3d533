"""What is to become of the documents of a file, and of its rows then."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ibidem.corpus.faults import fault
from ibidem.corpus.sources import Source

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Edit = Callable[[str], str]
"""From the text of a document to the text that takes its place."""

Dropped = Callable[[int, bytes], None]
"""Takes a document that is not kept, by its number and as a JSON object."""


class NewColumn(NamedTuple):
    """A column to add.

    Attributes:
        name: what it is called.
        kinds: the names of the values of an object, and the Arrow type of each.
        values: the objects of the documents that have some.
    """

    name: str
    kinds: Mapping[str, str]
    values: Mapping[int, Sequence[Mapping[str, Any]]]

    def describe(self, document: int) -> str:
        """The objects of a document as JSON."""
        return json.dumps(self.values.get(document, []))

    def require_new(self, source: Source, names: Sequence[str]) -> None:
        """Refuse a file that has such a column.

        Raises:
            CorpusError: names the file and the column.
        """
        if self.name in names:
            raise fault(source.path, f"it has a column {self.name!r} already, which is to be added: rename it")


class Changes(NamedTuple):
    """What becomes of the documents of a file, which are counted from 0.

    Attributes:
        keep: bool [documents], which of them stay.
        text: the column that holds the text.
        edits: the documents whose text changes.
        column: a column that all rows get.
    """

    keep: "NDArray[np.bool_]"
    text: str = "text"
    edits: Mapping[int, Edit] = {}
    column: NewColumn | None = None


def keep_all(documents: int) -> "NDArray[np.bool_]":
    """Flags by which all documents of a file stay."""
    import numpy as np

    return np.ones(documents, np.bool_)


class FileRows:
    """What becomes of the rows of a file, those included of which the reader has made no document.

    Attributes:
        keep: bool [rows], which of them stay.
        changes: by the numbers of documents.
        documents: the number of the document of each row, -1 for none.
        dropped: receives the documents that are not kept.
    """

    def __init__(self, source: Source, changes: Changes, dropped: Dropped | None) -> None:
        import numpy as np

        self.changes, self.dropped = changes, dropped
        self.keep, self.documents = changes.keep, np.arange(len(changes.keep))
        failures = source.failures
        if failures is not None and len(others := failures.rows_of(source)):
            number = len(changes.keep) + len(others)
            rows = np.delete(np.arange(number), others)
            self.keep, self.documents = np.zeros(number, np.bool_), np.full(number, -1)
            self.keep[rows], self.documents[rows] = changes.keep, np.arange(len(rows))
            self.keep[failures.kept_rows_of(source)] = True

    def drop(self, row: int, encode: Callable[[], bytes]) -> None:
        """Hand on a row that is not kept, if it is a document, as the JSON object that ``encode`` makes of it."""
        if self.dropped is not None and row < len(self.documents) and self.documents[row] >= 0:
            self.dropped(int(self.documents[row]), encode())

    def keeps(self, row: int) -> bool:
        """Whether a row stays; one that was not there when the file was read does not."""
        return row < len(self.keep) and bool(self.keep[row])

    def find_edit(self, row: int) -> Edit | None:
        """The change of the text of a row, if there is one."""
        return self.changes.edits.get(int(self.documents[row])) if self.changes.edits else None
