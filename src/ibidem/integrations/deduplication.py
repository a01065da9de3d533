"""Near-duplicates of a data set that another library holds in blocks: a map, one decision, and a filter.

The steps are those of ``ibidem.documents.deduplicate``: ``Blocks.digest`` for each block or partition, wherever it is;
``Blocks.decide`` once, whose tasks an engine runs; and ``KeepRows`` for each batch. What they leave for each other lies
in a folder that all workers see.
"""

import os
import uuid
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ibidem.arguments import NullTexts, require_choice
from ibidem.corpus.writing.tables import write_tables
from ibidem.documents.choice import open_choice
from ibidem.documents.deduplicate import find_duplicates
from ibidem.documents.digests import BatchPart, Digests, digest_part
from ibidem.documents.rules import Rules
from ibidem.documents.summary import list_clusters
from ibidem.documents.tables import make_document_schema
from ibidem.engine.engine import Engine, do_task
from ibidem.engine.outputs import open_as, save_output
from ibidem.errors import CorpusError
from ibidem.hashing import hash_strings
from ibidem.resources import Resources
from ibidem.text import Documents, Normalize, TokenizerSpec, as_batches

if TYPE_CHECKING:
    import pyarrow

__all__ = ["Blocks", "KeepRows"]

_CLUSTERS, _REMOVED = "clusters.parquet", "removed"


class Blocks(NamedTuple):
    """The blocks of a data set, and the folder for what is known of them.

    Attributes:
        text, id: the columns of texts and of ids, which must differ.
        memory: of a task, about.
        null: what becomes of a row whose text is null.
    """

    folder: Path
    rules: Rules
    text: str
    id: str
    memory: str
    null: NullTexts

    @classmethod
    def of(
        cls,
        folder: str | os.PathLike[str],
        text: str,
        id: str,
        memory: str,
        *,
        null: NullTexts = "error",
        shingle: TokenizerSpec = "words:5",
        normalize: Normalize = (),
        **options: Any,
    ) -> Self:
        """Make the folder; the options are those of ``ibidem.deduplicate``.

        Raises:
            ValueError: an option is out of its range.
            FileExistsError: the folder is there already.
        """
        require_choice("null", null, NullTexts)
        rules, place = Rules.of(shingle, normalize, **options), Path(folder).absolute()
        place.mkdir(parents=True)
        return cls(place, rules, text, id, memory, null)

    def digest(self, batches: "Iterable[pyarrow.Table | pyarrow.RecordBatch]") -> str:
        """Leave the digests of the documents of a block or a partition in the folder; returns their name.

        Raises:
            CorpusError: a batch lacks a column, or a row cannot be used.
        """
        name = uuid.uuid4().hex  # a task that is run again leaves its own, and one of both is used
        part = BatchPart(self._read(batches))
        resources = Resources.of(self.memory, 1, None)
        do_task(partial(_digest, self.rules), part, self.folder / name, resources, is_durable=False)
        return name

    def _read(self, batches: "Iterable[pyarrow.Table | pyarrow.RecordBatch]") -> Iterable[Documents]:
        columns = list(dict.fromkeys([self.text, self.id, *self.rules.policy.columns]))
        for batch in batches:
            if missing := [name for name in columns if name not in batch.schema.names]:
                raise CorpusError(f"there is no column {missing[0]!r}: the columns are {batch.schema.names}")
            documents = batch.select(columns)
            if self.null != "error":
                documents = documents.filter(documents.column(self.text).is_valid())
            yield from as_batches(documents, self.text, self.id)

    def decide(self, engine: Engine, names: Sequence[str]) -> "KeepRows":
        """Decide which documents stay, of digests by their names, in the order of the documents.

        ``clusters.parquet`` in the folder lists what is similar, as ``deduplicate_files`` does.

        Raises:
            CorpusError: two documents have one id.
        """
        digests = [self.folder / name for name in names]
        found = find_duplicates(engine, self.rules, digests, self.folder)
        documents, choice = Digests(digests), open_choice(found.choice_file)
        write_tables(make_document_schema(), list_clusters(documents, choice), self.folder / _CLUSTERS, "parquet")
        removed = documents.names()[~choice.kept]
        save_output(RemovedNames(removed[np.lexsort(removed.T)]), self.folder / _REMOVED)
        return KeepRows(self.folder / _REMOVED, self.id, self.text, self.null)


def _digest(rules: Rules, part: BatchPart, folder: Path, resources: Resources) -> None:
    folder.mkdir()
    digest_part(rules, None, part, folder, resources)


class RemovedNames(NamedTuple):
    """The hashes of the ids of all documents that do not stay, uint64 [n, 2], by the second and then the first."""

    names: NDArray[np.uint64]

    def find(self, names: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Which of some hashes [m, 2] are among them."""
        firsts, seconds = self.names.T
        low, high = (np.searchsorted(seconds, names[:, 1], side) for side in ("left", "right"))
        is_found = np.zeros(len(names), np.bool_)
        for step in range(int((high - low).max(initial=0))):
            at = np.minimum(low + step, high - 1)
            is_found |= (low + step < high) & (firsts[at] == names[:, 0])
        return is_found


class KeepRows:
    """Keeps the rows of Arrow tables or batches that stay.

    It is pickled as its arguments; the file is opened once in each process that it comes to.
    """

    def __init__(self, file: Path, id: str, text: str, null: NullTexts) -> None:
        self._file, self._id, self._text, self._null = file, id, text, null
        self._opened: RemovedNames | None = None

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_opened": None}

    def __call__(self, batch: Any) -> Any:
        """The rows of a table or a batch that stay."""
        import pyarrow

        if self._opened is None:
            self._opened = _open_removed(self._file)
        names = [str(each).encode("utf-8", "surrogatepass") for each in batch.column(self._id).to_pylist()]
        is_kept = ~self._opened.find(hash_strings(names))
        if self._null != "error":
            is_kept = np.where(np.asarray(batch.column(self._text).is_null()), self._null == "keep", is_kept)
        return batch.filter(pyarrow.array(is_kept))


_open_removed = open_as(RemovedNames)
