"""Results of ``ibidem reuse``, as they are served: pairs and clusters, those of most weight first."""

import threading
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ibidem.errors import CorpusError
from ibidem.reuse.outputs.reading import read_summary, read_table
from ibidem.web.problems import ProblemError
from ibidem.web.report.findings import Findings
from ibidem.web.report.folders import read_reuse_folder

if TYPE_CHECKING:
    import pyarrow as pa

_Ints = npt.NDArray[np.int64]


class ServedTables:
    """The tables of one state of a folder.

    Attributes:
        pairs, left_out, passages, clusters, document_pairs: the tables, as
            :class:`ibidem.reuse.outputs.result.Reuse` describes them.
        counts: rows of the tables.
        state: names the state.
    """

    def __init__(self, path: Path, state: int) -> None:
        self.state, self._path = state, path
        summary = read_summary(path)
        self.counts = {name: int(summary[name]) for name in ("documents", "pairs", "passages", "clusters", "left_out")}
        self.pairs = _order_pairs(read_table(path, "pairs"))
        self.left_out = _order_pairs(read_table(path, "left_out"))
        self.clusters = _order_clusters(read_table(path, "clusters"))
        self.passages = read_table(path, "passages")
        self.document_pairs = read_table(path, "document_pairs")

    @cached_property
    def shown(self) -> Findings:
        """What the page shows of them, in order."""
        return read_reuse_folder(self._path).order()

    @cached_property
    def _rows_of_clusters(self) -> Mapping[str, _Ints]:
        names = np.array(self.passages.column("cluster").to_pylist(), np.object_)
        rows_of: dict[str, list[int]] = {}
        for row, name in enumerate(names.tolist()):
            rows_of.setdefault(name, []).append(row)
        return {name: np.array(rows, np.int64) for name, rows in rows_of.items()}

    def witnesses(self, cluster: str) -> "pa.Table":
        """The passages of a cluster."""
        return self.passages.take(self._rows_of_clusters.get(cluster, np.empty(0, np.int64)))

    def clusters_of(self, document: str) -> set[str]:
        """Names of the clusters that have a passage of the document."""
        rows = self.passages.filter(match_rows(self.passages, "document", document))
        return set(rows.column("cluster").to_pylist())


class ServedReuse:
    """The folder that ``ibidem reuse`` wrote, under a name; one that is replaced is read again."""

    def __init__(self, path: str | Path, name: str | None = None) -> None:
        self.path = Path(path)
        self.name = name or self.path.name.removesuffix(".reuse") or self.path.name
        self._lock = threading.Lock()
        self._stamp = self._read_stamp()
        self._findings = ServedTables(self.path, self._stamp[1])

    @property
    def findings(self) -> ServedTables:
        """The tables as they are.

        Raises:
            ProblemError: the folder cannot be read.
        """
        with self._lock:
            try:
                stamp = self._read_stamp()
                if stamp != self._stamp:
                    self._findings, self._stamp = ServedTables(self.path, stamp[1]), stamp
            except (CorpusError, OSError) as error:
                detail = f"the reuse {self.name!r} cannot be read: it was moved or damaged"
                raise ProblemError(503, detail, retry_after="10") from error
            return self._findings

    def _read_stamp(self) -> tuple[int, int]:
        try:
            status = (self.path / "summary.json").stat()
        except OSError as error:
            raise CorpusError(f"{self.path}: no folder that ibidem reuse wrote: it has no summary.json") from error
        return status.st_ino, status.st_mtime_ns


def _order_pairs(table: "pa.Table") -> "pa.Table":
    """The pairs, those first that are furthest beyond chance."""
    import pyarrow.compute as pc

    keys = [("evidence", "descending"), ("a", "ascending"), ("b", "ascending"), ("a_start", "ascending")]
    return table.take(pc.sort_indices(table, keys))


def _order_clusters(table: "pa.Table") -> "pa.Table":
    """The clusters, those first that most documents hold; boilerplate last."""
    import pyarrow.compute as pc

    odd = pc.is_valid(table.column("boilerplate"))
    keys = [("odd", "ascending"), ("documents", "descending"), ("size", "descending"), ("cluster", "ascending")]
    return table.take(pc.sort_indices(table.append_column("odd", odd), keys))


def match_rows(table: "pa.Table", column: str, value: str) -> npt.NDArray[np.bool_]:
    """Determine which rows of a table have a value in a column: bool [N]."""
    import pyarrow.compute as pc

    return np.asarray(pc.equal(table.column(column), value))
