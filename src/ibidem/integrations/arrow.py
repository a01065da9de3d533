"""Columns added to batches of documents: the form of work that datasets, Ray Data and Spark share.

A batch is an Arrow table or record batch, or a dictionary of columns. Rows and the other columns stay as they are.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from ibidem.arguments import require_fraction
from ibidem.contamination.eval_index import EvalIndex
from ibidem.contamination.evals import AnyEvals, as_evals
from ibidem.contamination.items import THRESHOLD, EvalColumns
from ibidem.contamination.result import describe_occurrence
from ibidem.corpus import read
from ibidem.corpus.writing.tables import Kinds, make_schema
from ibidem.errors import CorpusError
from ibidem.passages.index import PassageIndex
from ibidem.text import Document, Documents

if TYPE_CHECKING:
    import pyarrow

__all__ = ["Annotator", "LeakAnnotator", "MatchAnnotator", "annotate_batches"]

_Batch = TypeVar("_Batch")


class Annotator(ABC):
    """Adds a column to batches, made of a column of texts.

    An annotator is pickled as its arguments; what it needs is opened once in each process that it comes to.

    Attributes:
        text: the column of texts.
        column: the name of the new column.
    """

    fields: ClassVar[Kinds]
    """What each object of a cell has."""

    def __init__(self, text: str, column: str) -> None:
        self.text, self.column = text, column
        self._opened: Any = None  # by the first batch

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_opened": None}

    def __call__(self, batch: _Batch) -> _Batch:
        """The batch with the new column, in the form in which it came.

        Raises:
            CorpusError: it has no column of texts, or already has the new one.
        """
        annotated_batch: _Batch = add_column(batch, self.text, self.column, self.type, self.describe)
        return annotated_batch

    @property
    def type(self) -> "pyarrow.DataType":
        """The Arrow type of the new column: a list of structs of the ``fields``."""
        import pyarrow

        return pyarrow.list_(pyarrow.struct(list(make_schema(self.fields))))

    @abstractmethod
    def describe(self, texts: Sequence[str | None]) -> list[list[dict[str, Any]]]:
        """The cells of these texts; that of a missing text is empty."""


class MatchAnnotator(Annotator):
    """Adds a column with the passages that each text shares with documents of an exact index.

    Each cell is a list of ``document, query_start, query_end, start, end, similarity``; see ``PassageIndex.align``.

    Args:
        index: the path or URL of the index.
        text: the column of texts.
        column: the name of the new column.
        options: those of ``PassageIndex.align``: ``threshold``, ``min_pair_length``, ``expect``.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp() + "/index"
    >>> verse = "tyger tyger burning bright in the forests of the night what immortal hand or eye"
    >>> index = PassageIndex.build(folder, [("blake", verse)])
    >>> annotate = MatchAnnotator(folder, min_pair_length=8)
    >>> marked = annotate({"text": ["As they say: burning bright in the forests of the night", None], "n": [1, 2]})
    >>> [[match["document"] for match in cell] for cell in marked["matches"]], marked["n"]
    ([['blake'], []], [1, 2])
    """

    fields: ClassVar[Kinds] = {
        "document": str | None,
        "query_start": int | None,
        "query_end": int | None,
        "start": int | None,
        "end": int | None,
        "similarity": float | None,
    }

    def __init__(
        self, index: str | os.PathLike[str], *, text: str = "text", column: str = "matches", **options: Any
    ) -> None:
        super().__init__(text, column)
        self._path, self._options = os.fspath(index), options

    def describe(self, texts: Sequence[str | None]) -> list[list[dict[str, Any]]]:
        """The matches of these texts."""
        if self._opened is None:
            self._opened = PassageIndex.open(self._path)
        results = (self._opened.align(text, **self._options) if text else () for text in texts)
        return [[{name: getattr(match, name) for name in self.fields} for match in matches] for matches in results]


class LeakAnnotator(Annotator):
    """Adds a column with the items of evaluations that leak into each text, as ``find_contamination`` finds them.

    Each cell is a list of ``eval_key, eval_instance_index, part, start, end, containment``. Words are weighed by a
    ``sample`` of the training data, so that every process weighs them alike. A phrase counts as boilerplate if many
    documents of one batch share it: batches of some thousand documents tell more than small ones.

    Args:
        evals: as of :func:`ibidem.find_contamination`: paths, a table or rows.
        sample: paths of files, or texts, of the training data: thousands of documents.
        text: the column of texts.
        column: the name of the new column.
        threshold: least share of a part of an item.
        columns: those of the evals, if they are not recognized: ``question``, ``answer``, ``passage``, ``choices``.

    >>> evals = [{"question": "Which river flows through the town of Grahamstown in the Eastern Cape?"}]
    >>> annotate = LeakAnnotator(evals, ["the weather was fine and dry"] * 9)
    >>> marked = annotate({"text": ["quiz: which river flows through the town of Grahamstown?", "rain"]})
    >>> [[leak["eval_instance_index"] for leak in cell] for cell in marked["leaks"]]
    [['0'], []]
    """

    fields: ClassVar[Kinds] = {
        "eval_key": str | None,
        "eval_instance_index": str | None,
        "part": str | None,
        "start": int | None,
        "end": int | None,
        "containment": float | None,
    }

    def __init__(
        self,
        evals: AnyEvals,
        sample: str | os.PathLike[str] | Sequence[str],
        *,
        text: str = "text",
        column: str = "leaks",
        threshold: float = THRESHOLD,
        **columns: str,
    ) -> None:
        super().__init__(text, column)
        self._evals, self._sample = as_evals(evals, EvalColumns(**columns)), sample
        self._threshold = require_fraction("threshold", threshold)

    def describe(self, texts: Sequence[str | None]) -> list[list[dict[str, Any]]]:
        """The leaks of these texts."""
        if self._opened is None:
            self._opened = self._prepare()
        index: EvalIndex = self._opened
        documents = Documents.of([Document(str(row), text or "") for row, text in enumerate(texts)])
        cells: list[list[dict[str, Any]]] = [[] for _ in texts]
        for judgement in index.judge(documents, self._threshold).occurrences:
            if judgement.kind == "leak":
                leak = describe_occurrence(index.detector, judgement)
                cells[judgement.occurrence.document.number].append({name: leak[name] for name in self.fields})
        return cells

    def _prepare(self) -> EvalIndex:
        """The items, with words weighed by the sample."""
        if isinstance(self._sample, str | os.PathLike):
            return EvalIndex(self._evals, read(self._sample))
        return EvalIndex(self._evals, self._sample)


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
