"""The stages that make a passage index: of a plan, and of a build, which is one part that one process reads.

1. *read*: one task a part. Documents become tokens, and both are kept as segments without postings.
2. *reduce*: one task. Documents are distributed to the segments of the index, ids are compared over all parts, and
   frequencies are added up.
3. *segments*: one task a segment of the index, which gets its postings. A plan gathers its documents from the parts; a
   build has written them where they belong.
4. *commit*: one task. The segments become an index at one instant.

Reading streams: only a few batches of documents are in memory at a time. An ``IndexJob`` says what is read, and where
segments are written.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from ibidem.jobs.stage import COMMIT, Stage, count_one, count_parts
from ibidem.passages.configuration import TOKEN_BYTES, Configuration
from ibidem.passages.positions import write_positions
from ibidem.resources import Resources, give_back_memory
from ibidem.store import Segment, Store, Writer
from ibidem.store.segments.writer import SegmentWriter
from ibidem.store.sizing import segment_tokens
from ibidem.text import Documents, Tokens
from ibidem.text.token_counts import count_tokens, merge_counts
from ibidem.weights import DocumentFrequencies

PART_STORE = "store"
"""The folder of the segments that a task of a plan leaves."""

_DEAL, _FREQUENCIES = "segments.json", "frequencies.npz"

_POSTINGS_SHARE = 0.7
"""Share of the memory that postings may take before they are written. Texts, sorting and the program take the rest."""

_MANY_TOKENS = 1 << 20
"""Fewer tokens leave no memory behind that is worth the time to give it back."""


class DocumentRange(NamedTuple):
    """Documents that follow one another in a part: rows ``first`` to ``end`` of one of its segments."""

    part: int
    segment: int
    first: int
    end: int


class Deal(NamedTuple):
    """Which documents go to which segment, and in how many each token occurs, if that was counted."""

    segments: list[list[DocumentRange]]
    frequencies: DocumentFrequencies | None


class IndexJob(ABC):
    """The interface through which the stages build an index.

    Attributes:
        configuration: that of the index.
        parts: how many parts the input has.
        memory: bytes to stay within; the sizes of segments follow from it.
        frequencies: the document frequencies behind the weights, if they are known before.
        counts: whether they are counted.
    """

    configuration: Configuration
    parts: int
    memory: int
    frequencies: DocumentFrequencies | None
    counts: bool

    @property
    def most_tokens(self) -> int:
        """The most tokens of a segment of the index."""
        return segment_tokens(self.memory, TOKEN_BYTES)

    @abstractmethod
    def read_part(self, part: int, folder: Path, resources: Resources) -> Iterator[tuple[Documents, Tokens]]:
        """The documents of a part and their tokens."""

    @abstractmethod
    def open_part(self, folder: Path) -> AbstractContextManager[Writer]:
        """A writer of the segments of a part, which are whole when the block ends."""

    @abstractmethod
    def require_distinct_ids(self) -> None:
        """Refuse two documents of one id in all parts."""

    @abstractmethod
    def open_segment(self, number: int, folder: Path) -> AbstractContextManager[SegmentWriter]:
        """A segment of the index that has its documents; it is whole when the block ends."""

    @abstractmethod
    def advance(self, tokens: int) -> None:
        """Take note that so many more tokens have postings."""

    @abstractmethod
    def commit(self, workspace: Any, folder: Path, resources: Resources) -> None:
        """Make the index of its segments."""


def _read(workspace: Any, part: int, folder: Path, resources: Resources) -> Sequence[SegmentWriter]:
    """Write the documents of a part and their tokens."""
    job: IndexJob = workspace.job
    with job.open_part(folder) as writer:
        return _fill_segments(job, writer, job.read_part(part, folder, resources), resources)


def _fill_segments(
    job: IndexJob, writer: Writer, batches: Iterable[tuple[Documents, Tokens]], resources: Resources
) -> list[SegmentWriter]:
    """Write documents as segments of at most ``most_tokens`` each; a longer document is a segment of its own.

    Which document goes to which segment depends on the lengths of the documents alone, not on the batches.
    """
    segments: list[SegmentWriter] = []
    written_tokens = 0
    for documents, tokens in batches:
        held = segments[-1].num_tokens if segments else None
        for first, end, begins in cut_by_tokens(np.diff(tokens.bounds), held, job.most_tokens):
            if begins:
                _complete(segments[-1:], job.counts)
                segments.append(writer.new_segment())
            segments[-1].append_documents(documents.rows(first, end), tokens.rows(first, end))
        written_tokens += len(tokens.ids)
        del documents, tokens  # the next are made meanwhile
        resources.tell("reading", written_tokens, None)
    _complete(segments[-1:], job.counts)
    return segments


def _complete(segments: list[SegmentWriter], counts: bool) -> None:
    """Count the tokens of segments that have all their documents, if that is wanted."""
    for segment in segments:
        if segment.num_tokens > _MANY_TOKENS:
            give_back_memory()
        if counts:
            segment.put_vocabulary(*count_tokens(*segment.tokens()))


def cut_by_tokens(
    lengths: npt.NDArray[np.int64], open_tokens: int | None, most: int
) -> Iterator[tuple[int, int, bool]]:
    """Deal documents of ``lengths`` [D] out to segments, in order, of at most ``most`` tokens each.

    Args:
        open_tokens: the tokens of the segment that is open; ``None`` if there is none.

    Yields:
        Rows that go to one segment, half open, and whether this is a new one.
    """
    ends = np.cumsum(lengths)
    first, before = 0, 0
    while first < len(lengths):
        room = most - open_tokens if open_tokens is not None else -1
        end = int(np.searchsorted(ends, before + room, "right"))
        begins = end <= first
        if begins:  # a document fits into an empty segment, however long it is
            end = max(first + 1, int(np.searchsorted(ends, before + most, "right")))
        yield first, end, begins
        reached = int(ends[end - 1])
        open_tokens = (0 if begins or open_tokens is None else open_tokens) + reached - before
        first, before = end, reached


def _reduce(workspace: Any, number: int, folder: Path, resources: Resources) -> Deal:
    """Deal the documents of all parts out to segments, and add up what must be known before their postings."""
    job: IndexJob = workspace.job
    job.require_distinct_ids()
    dealer, counts, documents = _Dealer(), [], 0
    for part in range(job.parts):
        for place, segment in enumerate(workspace.load(READ, part)):
            dealer.deal(part, place, np.diff(segment.token_bounds), job.most_tokens)
            documents += segment.num_documents
            if job.counts:
                tokens, in_documents, in_all = segment.vocabulary()
                counts.append((tokens.copy(), in_documents.copy(), in_all.copy()))  # the files are closed
    frequencies = None
    if counts and documents:
        tokens, in_documents, _ = merge_counts(counts)
        frequencies = DocumentFrequencies(tokens, in_documents, documents)
    return Deal(dealer.segments, frequencies)


class _Dealer:
    """Deals documents out to segments in order, as many to each as it may hold; see ``fill_segments``."""

    def __init__(self) -> None:
        self.segments: list[list[DocumentRange]] = []
        self._tokens = 0

    def deal(self, part: int, place: int, lengths: npt.NDArray[np.int64], most: int) -> None:
        """Deal out the documents of one segment of a part; ``lengths`` [D] are their tokens."""
        for first, end, begins in cut_by_tokens(lengths, self._tokens if self.segments else None, most):
            if begins:
                self.segments.append([])
                self._tokens = 0
            self.segments[-1].append(DocumentRange(part, place, first, end))
            self._tokens += int(lengths[first:end].sum())


def _save_deal(deal: Deal, folder: Path) -> None:
    (folder / _DEAL).write_bytes(msgspec.json.encode(deal.segments))
    if deal.frequencies is not None:
        deal.frequencies.save(folder / _FREQUENCIES)


def _open_deal(folder: Path) -> Deal:
    segments = msgspec.json.decode((folder / _DEAL).read_bytes(), type=list[list[DocumentRange]])
    file = folder / _FREQUENCIES
    return Deal(segments, DocumentFrequencies.load(file) if file.exists() else None)


def _count_segments(workspace: Any) -> int:
    return len(workspace.load(REDUCE).segments)


def _write_postings(workspace: Any, number: int, folder: Path, resources: Resources) -> int:
    """Make the postings of a segment; return their number."""
    job: IndexJob = workspace.job
    with job.open_segment(number, folder) as segment, resources.pool() as pool:
        return write_positions(segment, int(resources.memory * _POSTINGS_SHARE), pool, job.advance)


def find_frequencies(workspace: Any) -> DocumentFrequencies | None:
    """Document frequencies behind the weights, given or counted, if there are any."""
    known: DocumentFrequencies | None = workspace.job.frequencies
    return workspace.load(REDUCE).frequencies if known is None else known


def _open_segments(folder: Path) -> Sequence[Segment]:
    return Store.open(folder / PART_STORE).segments


READ = Stage("read", count_parts, _read, bulky=True, open=_open_segments)
REDUCE = Stage("reduce", count_one, _reduce, bulky=False, save=_save_deal, open=_open_deal)
SEGMENTS = Stage("segments", _count_segments, _write_postings, bulky=True, open=_open_segments)

STAGES = [READ, REDUCE, SEGMENTS, COMMIT]
