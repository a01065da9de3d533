"""Columns added to batches of documents: the form of work that datasets, Ray Data, Spark and NeMo Curator share.

A batch is an Arrow table or record batch, or a dictionary of columns. Rows and the other columns stay as they are.
"""

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from ibidem.errors import CorpusError
from ibidem.passages.index import PassageIndex

if TYPE_CHECKING:
    import pyarrow

__all__ = ["MatchAnnotator"]

_Batch = TypeVar("_Batch")


class MatchAnnotator:
    """Adds a column with the passages that each text shares with documents of an exact index.

    Each cell is a list of ``document, query_start, query_end, start, end, similarity``; see ``PassageIndex.align``. An
    annotator is pickled as its arguments, and opens the index once in each process that it comes to.

    Args:
        index: the path or URL of the index.
        text: the column of texts.
        column: the name of the new column.
        options: those of ``PassageIndex.align``: ``threshold``, ``min_length``, ``expect``.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp() + "/index"
    >>> verse = "tyger tyger burning bright in the forests of the night what immortal hand or eye"
    >>> index = PassageIndex.build(folder, [("blake", verse)])
    >>> annotate = MatchAnnotator(folder, min_length=8)
    >>> marked = annotate({"text": ["As they say: burning bright in the forests of the night", None], "n": [1, 2]})
    >>> [[match["document"] for match in cell] for cell in marked["matches"]], marked["n"]
    ([['blake'], []], [1, 2])
    """

    fields = ("document", "query_start", "query_end", "start", "end", "similarity")
    """What is kept of a match."""

    def __init__(
        self, index: str | os.PathLike[str], *, text: str = "text", column: str = "matches", **options: Any
    ) -> None:
        self._path, self._text, self.column, self._options = os.fspath(index), text, column, options
        self._index: PassageIndex | None = None

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_index": None}

    def __call__(self, batch: _Batch) -> _Batch:
        """The batch with the new column, in the form in which it came.

        Raises:
            CorpusError: it has no column of texts, or already has the new one.
        """
        marked: _Batch = add_column(batch, self._text, self.column, self.type, self.match)
        return marked

    @property
    def type(self) -> "pyarrow.DataType":
        """The Arrow type of the new column."""
        import pyarrow

        kinds = (pyarrow.string(), *[pyarrow.int64()] * 4, pyarrow.float64())
        return pyarrow.list_(pyarrow.struct(list(zip(self.fields, kinds, strict=True))))

    def match(self, texts: list[str | None]) -> list[list[dict[str, Any]]]:
        """The cells of these texts; a missing text shares nothing."""
        if self._index is None:
            self._index = PassageIndex.open(self._path)
        found = (self._index.align(text, **self._options) if text else () for text in texts)
        return [[{name: getattr(match, name) for name in self.fields} for match in matches] for matches in found]


def add_column(batch: Any, text: str, column: str, kind: "pyarrow.DataType", make: Any) -> Any:
    """A batch with one more column, which ``make`` gives for the column of texts."""
    import pyarrow

    is_arrow = isinstance(batch, pyarrow.Table | pyarrow.RecordBatch)
    names = batch.column_names if is_arrow else list(batch)
    if text not in names:
        raise CorpusError(f"there is no column {text!r}: the batch has {', '.join(map(repr, names)) or 'none'}")
    if column in names:
        raise CorpusError(f"there is a column {column!r} already: give the new one another name")
    if not is_arrow:
        assert isinstance(batch, Mapping)
        return {**batch, column: make(list(batch[text]))}
    return batch.append_column(pyarrow.field(column, kind), pyarrow.array(make(batch.column(text).to_pylist()), kind))


def annotate_batches(annotate: Any, batches: "Iterator[pyarrow.RecordBatch]") -> "Iterator[pyarrow.RecordBatch]":
    """Record batches with the new column, as Spark hands them to the function of ``mapInArrow``."""
    for batch in batches:
        yield annotate(batch)
