"""Steps for pipelines of datatrove: near-duplicate documents in two stages, and a filter of contamination.

``DuplicateSignatures`` runs on every rank, as ``MinhashDedupSignature`` does, and leaves what is needed of each
document: signature and tokens, no text. ``DuplicateClusters`` runs once. It compares candidates exactly, as
:func:`ibidem.deduplicate`, and writes the files ``.remove``, ``.clusters`` and ``.sizes`` of ``MinhashDedupCluster``,
so that ``MinhashDedupFilter`` takes it from there. Positions count the documents of a rank in the order in which its
reader gives them, so both runs need the same reader and number of tasks.
"""

import tempfile
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ibidem.documents.deduplicate import find_duplicates
from ibidem.documents.digests import BatchPart, Digests, digest_part
from ibidem.documents.result import Deduplication
from ibidem.documents.rules import Rules
from ibidem.engine import Here
from ibidem.engine.engine import do_task
from ibidem.errors import CorpusError
from ibidem.integrations.arrow import LeakAnnotator
from ibidem.resources import Resources
from ibidem.system import disk
from ibidem.text import Document, Normalize, TokenizerSpec, as_batches

try:
    from datatrove.io import get_datafolder
    from datatrove.pipeline.base import PipelineStep
    from datatrove.pipeline.filters.base_filter import BaseFilter
except ImportError:  # the classes say so when they are used
    PipelineStep, BaseFilter, get_datafolder = object, object, None

__all__ = ["ContaminationFilter", "DuplicateClusters", "DuplicateSignatures"]

_OPTIONS = "options"
"""The file that names the options by which the signatures of a rank were made."""


def _make_rules(shingle: TokenizerSpec = "words:5", normalize: Normalize = (), **options: Any) -> Rules:
    """The rules for options of ``ibidem.deduplicate``."""
    return Rules.of(shingle, normalize, **options)


def _digest_rank(rules: Rules, part: BatchPart, folder: Path, resources: Resources) -> None:
    """Leave the digests of the documents of a rank, and the options that they were made with."""
    folder.mkdir()
    digest_part(rules, None, part, folder, resources)
    (folder / _OPTIONS).write_text(repr(rules))


class DuplicateSignatures(PipelineStep):  # type: ignore[misc]
    """The first stage: signatures and tokens of the documents of a rank.

    Args:
        output_folder: a folder that all ranks share; each makes one of its own in it.
        options: those of :func:`ibidem.deduplicate` that say what a near-duplicate is and which stays: ``threshold``,
            ``shingle``, ``normalize``, ``keep``, ``cluster_mode``, ``recall``, ``num_hashes``, ``seed``.
    """

    type = "DEDUP"
    name = "ibidem: signatures"

    def __init__(self, output_folder: str, *, memory: str = "1G", threads: int = 1, **options: Any) -> None:
        _require_datatrove()
        super().__init__()
        self.output_folder, self.memory, self.threads = output_folder, memory, threads
        self.rules = _make_rules(**options)

    def run(self, data: Iterable[Any], rank: int = 0, world_size: int = 1) -> None:
        """Read the documents of a rank."""
        folder = Path(self.output_folder) / f"{rank:05d}"
        folder.parent.mkdir(parents=True, exist_ok=True)
        if folder.exists():
            disk.remove_tree(folder)  # of a task that is run again
        with self.track_time():
            part = BatchPart(as_batches(self._documents(data, rank)))
            resources = Resources.of(self.memory, self.threads, None)
            do_task(partial(_digest_rank, self.rules), part, folder, resources, is_durable=True)

    def _documents(self, data: Iterable[Any], rank: int) -> Iterator[Document]:
        """The documents, named by their rank and position."""
        for position, document in enumerate(data):
            self.stat_update("total")
            yield Document(f"{rank}/{position}", document.text, document.metadata)


class DuplicateClusters(PipelineStep):  # type: ignore[misc]
    """The second stage, one task: it decides which documents of each rank are removed.

    Args:
        input_folder: that of ``DuplicateSignatures``.
        output_folder: where ``MinhashDedupFilter`` reads; any folder of datatrove.
        save_cluster_id, save_cluster_size: whether the filter is to know the cluster of each document, and its size.
        memory, threads: as of :func:`ibidem.deduplicate`.
        options: those that ``DuplicateSignatures`` had.
    """

    type = "DEDUP"
    name = "ibidem: clusters"

    def __init__(
        self,
        input_folder: str,
        output_folder: Any,
        *,
        save_cluster_id: bool = False,
        save_cluster_size: bool = False,
        memory: str = "1G",
        threads: int | None = None,
        **options: Any,
    ) -> None:
        _require_datatrove()
        super().__init__()
        self.input_folder, self.output_folder = input_folder, get_datafolder(output_folder)
        self.save_cluster_id, self.save_cluster_size = save_cluster_id, save_cluster_size
        self.memory, self.threads = memory, threads
        self.rules = _make_rules(**options)

    def run(self, data: None = None, rank: int = 0, world_size: int = 1) -> None:
        """Compare all documents, and write which are removed of each rank.

        Raises:
            CorpusError: the signatures of a rank are missing, not whole, or made with other options.
        """
        if data is not None or world_size != 1:
            raise ValueError("clusters are made by one task, which reads no documents")
        folders = sorted(path for path in Path(self.input_folder).iterdir() if path.is_dir())
        with self.track_time(), tempfile.TemporaryDirectory(prefix="ibidem-") as place:
            for number, folder in enumerate(folders):
                self._require_whole(number, folder)
            engine = Here(Resources.of(self.memory, self.threads, None))
            found = find_duplicates(engine, self.rules, folders, Path(place))
            result = Deduplication.of(self.rules, folders, *found)
            self._write(result, Digests(folders).part_starts)

    def _require_whole(self, number: int, folder: Path) -> None:
        """Refuse what is not the whole output of a rank, made with the same options."""
        if folder.name != f"{number:05d}":
            raise CorpusError(f"{self.input_folder}: the signatures of rank {number} are missing")
        options = folder / _OPTIONS
        if not options.exists() or options.read_text() != repr(self.rules):
            raise CorpusError(f"{folder}: these signatures are not whole, or were made with other options")

    def _write(self, result: Deduplication, starts: "np.typing.NDArray[np.int64]") -> None:
        sizes = np.bincount(result.clusters, minlength=len(result))[result.clusters]
        numbers = np.unique(np.where(sizes > 1, result.clusters, -1), return_inverse=True)[1] - int((sizes == 1).any())
        self.stat_update("to_remove", value=int((~result.kept).sum()))
        self.stat_update("clusters", value=result.num_clusters)
        for rank, (start, end) in enumerate(zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)):
            removed_rows = np.flatnonzero(~result.kept[start:end])
            rows_in_clusters = np.flatnonzero(sizes[start:end] > 1)
            self._write_file(f"{rank:06d}.remove", removed_rows)
            for is_saved, kind, values in (
                (self.save_cluster_id, "clusters", numbers),
                (self.save_cluster_size, "sizes", sizes),
            ):
                if is_saved:
                    self._write_file(
                        f"{rank:06d}.{kind}", np.stack((rows_in_clusters, values[start:end][rows_in_clusters]), axis=1)
                    )

    def _write_file(self, name: str, values: "np.typing.NDArray[np.int64]") -> None:
        with self.output_folder.open(name, "wb") as file:
            file.write(values.astype("<u4").tobytes())


class ContaminationFilter(BaseFilter):  # type: ignore[misc]
    """Drops the documents into which items of evaluations leak, and says which in their metadata.

    A dropped document has ``contaminated_task``, ``contaminated_item`` and ``contaminated_text``, those of the item
    that was found with the greatest containment; an exclusion writer keeps them.

    Args:
        evals, sample, options: those of :class:`ibidem.integrations.arrow.LeakAnnotator`.
        exclusion_writer, batch_size: those of datatrove's filters.
    """

    name = "ibidem: decontaminate"

    def __init__(
        self, evals: Any, sample: Any, *, exclusion_writer: Any = None, batch_size: int = 1000, **options: Any
    ) -> None:
        _require_datatrove()
        super().__init__(exclusion_writer, batch_size)
        self._annotate = LeakAnnotator(evals, sample, **options)

    def filter(self, doc: Any) -> bool | tuple[bool, str]:
        """Return whether a document stays."""
        return self.filter_batch([doc])[0]

    def filter_batch(self, batch: list[Any]) -> list[bool | tuple[bool, str]]:
        """Return for each document whether it stays, and why not."""
        decisions: list[bool | tuple[bool, str]] = []
        for document, leaks in zip(batch, self._annotate.describe([document.text for document in batch]), strict=True):
            if leaks:
                worst = max(leaks, key=lambda leak: leak["containment"])
                document.metadata["contaminated_task"] = worst["eval_key"]
                document.metadata["contaminated_item"] = worst["eval_instance_index"]
                document.metadata["contaminated_text"] = document.text[worst["start"] : worst["end"]]
            decisions.append((False, "contaminated") if leaks else True)
        return decisions


def _require_datatrove() -> None:
    if get_datafolder is None:
        raise ImportError("these are steps of datatrove: pip install datatrove")
