"""An index that ranks make by a plan: what each task reads, and where it leaves its segments.

An index that goes to an object store is never held by one machine: each segment is uploaded by the rank that made it,
the manifest by one. The files and the manifest are those of a build.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

import msgspec

from ibidem.corpus.distinct_ids import IdRecorder, find_repeated_id
from ibidem.errors import DamagedError, IndexExistsError, NotAnIndexError
from ibidem.jobs.kept import PlannedFiles
from ibidem.jobs.reading import InputSettings, write_failures
from ibidem.jobs.stage import Stage
from ibidem.jobs.workspace import Workspace
from ibidem.passages.configuration import Configuration
from ibidem.passages.job.stages import (
    PART_STORE,
    READ,
    REDUCE,
    SEGMENTS,
    STAGES,
    IndexJob,
    find_frequencies,
    tokenize_batches,
)
from ibidem.remote.storage import Storage, is_remote
from ibidem.resources import Resources
from ibidem.store import Segment, Store, Writer
from ibidem.store.format import segment_name
from ibidem.store.manifest import read_manifest, sign_manifest
from ibidem.store.remote.layout import index_files, segment_files
from ibidem.store.remote.publication import Publication
from ibidem.store.segments.writer import SegmentWriter
from ibidem.text import Documents, Tokens, keep_tokenizer, make_tokenizer
from ibidem.weights import DocumentFrequencies

FREQUENCIES_FILE = "frequencies.npz"


class IndexSettings(InputSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a planned index.

    Attributes:
        configuration: that of the index.
        frequencies: whether document frequencies were given; they are stored beside the plan.
    """

    configuration: dict[str, object]
    frequencies: bool = False


class PlannedIndex(PlannedFiles, IndexJob):
    """The index of a plan."""

    stages: ClassVar[list[Stage]] = STAGES

    def __init__(self, workspace: Workspace) -> None:
        settings = workspace.plan.read_settings(IndexSettings)
        super().__init__(workspace, settings)
        self.configuration, self.memory = Configuration.read(dict(settings.configuration)), self._plan.memory
        self.frequencies = None
        if settings.frequencies:
            self.frequencies = DocumentFrequencies.load(workspace.folder / FREQUENCIES_FILE)
        self.counts = self.configuration.needs_frequencies and self.frequencies is None

    def read_part(self, part: int, folder: Path, resources: Resources) -> Iterator[tuple[Documents, Tokens]]:
        """The documents of the files of a part; hashes of their ids are left in the folder."""
        ids = IdRecorder()
        batches = ids.record(self.read_files(part, resources))
        yield from tokenize_batches(batches, make_tokenizer(self.configuration.tokenizer), resources)
        ids.write(folder)
        write_failures(folder, self.failures)

    @contextmanager
    def open_part(self, folder: Path) -> Iterator[Writer]:
        """A writer of a store in the folder of the task."""
        with Store.create(folder / PART_STORE, {}) as store, store.writer() as writer:
            yield writer
            writer.commit()

    def require_distinct_ids(self) -> None:
        """Refuse two documents of one id.

        Raises:
            CorpusError: names the first id that occurs again.
        """
        folders = [self._workspace.output(READ.name, part) for part in range(self.parts)]
        repeated = find_repeated_id(folders, self.memory)
        if repeated is None:
            return
        before = 0
        for part in range(self.parts):
            for segment in self._workspace.load(READ, part):
                row = repeated.second - before
                before += segment.num_documents
                if row < segment.num_documents:
                    raise repeated.describe(segment.document_ids()[row])

    @contextmanager
    def open_segment(self, number: int, folder: Path) -> Iterator[SegmentWriter]:
        """A segment in a store in the folder of the task, gathered from the parts."""
        with Store.create(folder / PART_STORE, {}) as store, store.writer() as writer:
            segment = writer.new_segment(self.configuration.chosen_layout)
            for run in self._workspace.load(REDUCE).segments[number]:
                part: Sequence[Segment] = self._workspace.load(READ, run.part)
                segment.append_rows(part[run.segment], run.first, run.end)
            yield segment
            writer.commit()
            if is_remote(self._plan.output):
                _upload_segments(self._plan.output, store.segments)

    def advance(self, tokens: int) -> None:
        """A rank reports tasks alone."""

    def commit(self, workspace: Workspace, folder: Path, resources: Resources) -> None:
        """Make the index of the segments of all tasks, unless a rank that died has come as far as this."""
        frequencies = find_frequencies(workspace)
        kept, files = keep_tokenizer(make_tokenizer(self.configuration.tokenizer))
        config = msgspec.to_builtins(msgspec.structs.replace(self.configuration, tokenizer=kept))
        tasks = range(SEGMENTS.count(workspace))
        segments = [segment for task in tasks for segment in workspace.load(SEGMENTS, task)]

        def attach(writer: Writer) -> None:
            for data in files:
                writer.attach(data)
            if frequencies is not None:
                writer.put_frequencies(frequencies.tokens, frequencies.counts, frequencies.num_documents)

        if is_remote(self._plan.output):
            with Store.create(folder / PART_STORE, config) as store, store.writer() as writer:
                attach(writer)
                writer.commit()
            commit_remotely(self._plan.output, folder / PART_STORE, segments)
            return
        if _is_committed(Path(self._plan.output), config, segments):
            return
        with Store.begin(self._plan.output, config) as (store, _), store.writer() as writer:
            attach(writer)
            for segment in segments:
                writer.copy_segment(segment)
            writer.commit()


def _is_committed(output: Path, config: dict[str, object], segments: list[Segment]) -> bool:
    """Whether the index that the plan makes is at ``output``; anything else there is an error."""
    try:
        store = Store.open(output)
    except (NotAnIndexError, DamagedError):
        return False
    with store:
        made = [segment.entry.checksum for segment in store.segments]
        if store.generation == 1 and store.config == config and made == [one.entry.checksum for one in segments]:
            return True
        if store.generation:
            raise IndexExistsError(f"{output}: another index exists there; remove it, or plan with another output")
    return False


def _upload_segments(url: str, segments: Sequence[Segment]) -> None:
    """Upload the files of segments, which nobody sees until the commit."""
    for segment in segments:
        Publication(Storage(url)).upload(segment_files(segment.folder, segment.entry))


def commit_remotely(url: str, place: Path, segments: Sequence[Segment]) -> None:
    """Make the index of segments that were uploaded.

    A rank that was killed may have done so already; then nothing changes.

    Args:
        place: an index without segments, of the same configuration, with what else belongs to the index.

    Raises:
        IndexExistsError: another index is there.
    """
    manifest = read_manifest(place)
    files = index_files(place, manifest)
    for segment in segments:
        files |= segment_files(segment.folder, segment.entry)
    entries = [
        msgspec.structs.replace(segment.entry, name=segment_name(number))
        for number, segment in enumerate(segments, start=1)
    ]
    if entries:
        manifest = msgspec.structs.replace(manifest, generation=1, next_segment=len(entries) + 1, segments=entries)
    try:
        Publication(Storage(url)).commit(files, sign_manifest(manifest), None)
    except IndexExistsError:
        raise IndexExistsError(f"{url}: another index exists there; remove it, or plan with another output") from None
