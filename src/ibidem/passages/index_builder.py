"""Segments that are added to an index by one process: a build, an addition, or what a merge writes."""

import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import numpy as np

from ibidem.collection_index import BuildReport, require_new
from ibidem.jobs.stage import run_here
from ibidem.jobs.workspace import Memory
from ibidem.passages.configuration import Configuration
from ibidem.passages.job.stages import READ, SEGMENTS, STAGES, IndexJob, find_frequencies
from ibidem.resources import Resources
from ibidem.store.segments.writer import SegmentWriter
from ibidem.store.writer import Writer
from ibidem.text import Documents, Tokens
from ibidem.weights import DocumentFrequencies


class _AddedSegments(IndexJob):
    """New segments of an index, which are written where they belong.

    Attributes:
        segments: what was written.
        short: ids of the documents that are too short to be found.
    """

    parts = 1

    def __init__(
        self,
        writer: Writer,
        batches: Iterable[tuple[Documents, Tokens]],
        configuration: Configuration,
        known_ids: set[str],
        resources: Resources,
    ) -> None:
        self.configuration, self.memory = configuration, resources.memory
        self.workspace, self.short = Memory(self), list[str]()
        self._writer, self._batches, self._known_ids, self._resources = writer, batches, known_ids, resources
        self._done = 0

    @property
    def segments(self) -> list[SegmentWriter]:
        segments: list[SegmentWriter] = self.workspace.load(READ)
        return segments

    def read_part(self, part: int, folder: Path, resources: Resources) -> Iterator[tuple[Documents, Tokens]]:
        for documents, tokens in self._batches:
            require_new(documents.ids, self._known_ids)
            lengths = np.diff(tokens.bounds)
            self.short.extend(documents.ids[row] for row in np.flatnonzero(lengths < self.configuration.min_length))
            yield documents, tokens
            del documents, tokens  # the next are made meanwhile

    def open_part(self, folder: Path) -> AbstractContextManager[Writer]:
        return nullcontext(self._writer)

    def require_distinct_ids(self) -> None:
        pass  # they were compared as they were read

    def open_segment(self, number: int, folder: Path) -> AbstractContextManager[SegmentWriter]:
        return nullcontext(self.segments[number])

    def advance(self, tokens: int) -> None:
        self._done += tokens
        self._resources.tell("indexing", self._done, sum(segment.num_tokens for segment in self.segments))

    def commit(self, workspace: Memory, folder: Path, resources: Resources) -> None:
        frequencies = find_frequencies(workspace)
        if self.counts and frequencies is not None:
            self._writer.put_frequencies(frequencies.tokens, frequencies.counts, frequencies.num_documents)


def build_segments(
    writer: Writer,
    batches: Iterable[tuple[Documents, Tokens]],
    configuration: Configuration,
    *,
    known_ids: set[str],
    frequencies: DocumentFrequencies | None,
    freeze: bool,
    resources: Resources,
) -> BuildReport:
    """Write ``batches`` with their tokens as new segments of the index that ``writer`` writes; the caller commits.

    Args:
        known_ids: ids that a document must not have; those of the batches are added to it.
        frequencies: the frequencies behind the weights, if they are known already.
        freeze: whether to count the frequencies of these documents, if there are any, and keep them in the index.
    """
    start = time.perf_counter()
    job = _AddedSegments(writer, batches, configuration, known_ids, resources)
    job.frequencies, job.counts = None if freeze else frequencies, freeze
    run_here(STAGES, job.workspace, writer.path, resources)
    return BuildReport(
        documents=sum(segment.num_documents for segment in job.segments),
        tokens=sum(segment.num_tokens for segment in job.segments),
        postings=sum(job.workspace.load(SEGMENTS, number) for number in range(len(job.segments))),
        short=job.short,
        recovered=list(writer.recovered),
        seconds=time.perf_counter() - start,
    )
