"""The parts that readers of all formats share: the wanted columns, and batches of about the same size."""

import codecs
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ibidem.arguments import DuplicateIds, NullTexts, require_choice
from ibidem.corpus.dialects import parse_delimiter
from ibidem.corpus.faults import fault, missing_column
from ibidem.corpus.folders import FileChoice
from ibidem.corpus.opening import LARGEST_LINE
from ibidem.corpus.sources import Source
from ibidem.resources import parse_size

if TYPE_CHECKING:
    from ibidem.text import Documents

DEFAULT_ID = "id"

_Item = TypeVar("_Item")

_MOST_LINE = 1 << 50

# The memory of a document besides its text and metadata: two Python objects and a few numbers.
_DOCUMENT_BYTES = 128


class Columns(NamedTuple):
    """The columns that hold the text and the id; all others are metadata.

    A line, and a file that is one document, has at most ``max_line`` bytes. Text files and separated values are in
    ``encoding``, and separated values have the ``delimiter``; if none is named, those that are found out. ``include``
    and ``exclude`` choose among the files of folders. ``duplicate_ids`` says what becomes of repeated ids, and ``null``
    what of rows whose text is null, if they matter. With ``pages`` the files of a folder are one document.
    """

    text: str
    id: str
    max_line: int = LARGEST_LINE
    encoding: str | None = None
    delimiter: str | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    duplicate_ids: DuplicateIds | None = None
    null: NullTexts = "error"
    pages: bool = False

    @classmethod
    def of(
        cls,
        text: str,
        id: str,
        max_line: str | int = LARGEST_LINE,
        encoding: str | None = None,
        delimiter: str | None = None,
        include: str | Iterable[str] = (),
        exclude: str | Iterable[str] = (),
        duplicate_ids: DuplicateIds | None = None,
        null: NullTexts = "error",
        pages: bool = False,
    ) -> "Columns":
        """The columns of a call; ``max_line`` may be a size such as ``"4G"``.

        Raises:
            ValueError: both are one column, that is no size, no encoding, no delimiter, or no way to treat ids or
                null texts.
        """
        if encoding is not None:
            try:
                encoding = codecs.lookup(encoding).name
            except LookupError:
                cause = f"there is no encoding {encoding!r}; name one that Python knows, such as cp1252"
                raise ValueError(cause) from None
        if text == id:
            raise ValueError(f"text and id are both the column {text!r}; they must be two columns")
        most = parse_size(max_line)
        if not 1 <= most <= _MOST_LINE:
            raise ValueError(f"max_line is a size from 1 byte to {_MOST_LINE >> 40:,}T, not {max_line!r}")
        if duplicate_ids is not None:
            require_choice("duplicate_ids", duplicate_ids, DuplicateIds)
        require_choice("null", null, NullTexts)
        included, excluded = ((each,) if isinstance(each, str) else tuple(each) for each in (include, exclude))
        return cls(text, id, most, encoding, parse_delimiter(delimiter), included, excluded, duplicate_ids, null, pages)

    @property
    def choice(self) -> FileChoice:
        """Which files of folders are read."""
        return FileChoice(self.include, self.exclude, self.pages, self.text)

    @property
    def leaves_out(self) -> bool:
        """Whether rows that can be read may be no documents of the input, by choice."""
        return self.duplicate_ids == "first" or self.null != "error"

    @property
    def id_is_optional(self) -> bool:
        """Only a column that the user did not name may be missing: its rows are numbered instead."""
        return self.id == DEFAULT_ID

    def check(self, source: Source, names: Sequence[str], line: int | None = None) -> None:
        """Raise a ``CorpusError`` if the columns of a table are not these and others, each once."""
        for name, count in Counter(names).items():
            if count > 1:
                raise fault(source.path, "two columns have this name; rename one", line=line, column=name)
        if self.text not in names:
            raise missing_column(source.path, "text", self.text, names, line=line)
        if self.id not in names and not self.id_is_optional:
            raise missing_column(source.path, "id", self.id, names, line=line)


class Row(NamedTuple):
    """One document as read: the text in UTF-8 (with ``surrogatepass``), the metadata a JSON object in UTF-8."""

    id: str
    text: bytes
    metadata: bytes


def batch_rows(rows: Iterable[Row], batch_bytes: int) -> Iterator["Documents"]:
    """Batches that close as soon as they hold ``batch_bytes`` of text and metadata."""

    def measure(row: Row) -> int:
        return len(row.text) + len(row.metadata) + _DOCUMENT_BYTES

    return map(_make_batch, _group(rows, measure, batch_bytes))


def join_small_batches(batches: Iterable["Documents"], batch_bytes: int) -> Iterator["Documents"]:
    """The same documents, small batches in a row made one: a folder of small files is not read in batches of one."""

    def measure(batch: "Documents") -> int:
        return batch.texts.nbytes + sum(map(len, batch.metadata)) + _DOCUMENT_BYTES * len(batch.ids)

    return map(_join, _group(batches, measure, batch_bytes))


def _group(items: Iterable[_Item], measure: Callable[[_Item], int], most: int) -> Iterator[list[_Item]]:
    """Lists of items that close as soon as they hold so many bytes."""
    group: list[_Item] = []
    size = 0
    for item in items:
        group.append(item)
        size += measure(item)
        del item  # it may be a long document
        if size >= most:
            yield group
            group, size = [], 0
    if group:
        yield group


def _make_batch(rows: list[Row]) -> "Documents":
    """A batch of ``rows``, of which none is left."""
    from ibidem.ragged import join_bytes
    from ibidem.text import Documents, Texts

    ids, texts, metadata = [row.id for row in rows], [row.text for row in rows], [row.metadata for row in rows]
    rows.clear()
    return Documents(ids, Texts(*join_bytes(texts)), metadata)


def _join(batches: list["Documents"]) -> "Documents":
    """One batch of ``batches``, of which none is left."""
    import numpy as np

    from ibidem.ragged import bounds_of
    from ibidem.text import Documents, Texts

    if len(batches) == 1:
        return batches.pop()
    bounds = bounds_of(np.concatenate([np.diff(batch.texts.bounds) for batch in batches]))
    data = np.concatenate([batch.texts.data for batch in batches])
    ids = [id for batch in batches for id in batch.ids]
    metadata = [entry for batch in batches for entry in batch.metadata]
    batches.clear()
    return Documents(ids, Texts(data, bounds), metadata)
