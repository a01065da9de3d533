"""The stages that make a passage index: the same bytes as ``PassageIndex.build`` writes, whoever does which task.

1. *read*: one task a part. Documents become tokens, and both are kept as a store without postings.
2. *reduce*: one task. Documents are dealt out to segments as a build deals them out, ids are compared over all parts,
   and frequencies are added up.
3. *segments*: one task a segment of the index. Documents are gathered from the parts, and their postings made.
4. *commit*: one task. The segments become an index at one instant.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from ibidem.corpus.distinct_ids import IdRecorder, find_repeated_id
from ibidem.corpus.opening import LARGEST_LINE
from ibidem.corpus.reading import read_sources
from ibidem.corpus.rows import Columns
from ibidem.errors import CorpusError, DamagedError, IndexExistsError, NotAnIndexError
from ibidem.jobs.shards import require_unchanged, sources_of
from ibidem.jobs.stage import Stage
from ibidem.jobs.workspace import Task, Workspace
from ibidem.passages.configuration import Configuration
from ibidem.passages.index_builder import cut_by_tokens, fill_segments, index_segment, tokenize_batches
from ibidem.passages.job.remote_output import commit_remotely, upload_segments
from ibidem.remote.storage import is_remote
from ibidem.resources import Resources
from ibidem.store import Segment, Store, Writer
from ibidem.store.sizing import segment_tokens
from ibidem.text import keep_tokenizer, make_tokenizer
from ibidem.text.token_counts import count_tokens, merge_counts
from ibidem.weights import DocumentFrequencies

__all__ = ["FREQUENCIES_FILE", "STAGES", "IndexSettings"]

_STORE = "store"
_SEGMENTS = "segments.json"
FREQUENCIES_FILE = "frequencies.npz"

READ, REDUCE, SEGMENTS, COMMIT = "read", "reduce", "segments", "commit"


class IndexSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an index is planned with.

    Attributes:
        configuration: that of the index.
        text, id: the columns of the input that hold the texts and the ids.
        max_line: bytes that a line of the input, or a file of plain text, has at most.
        frequencies: whether document frequencies were given; they stand beside the plan.
    """

    configuration: dict[str, object]
    text: str = "text"
    id: str = "id"
    max_line: int = LARGEST_LINE
    frequencies: bool = False

    @property
    def columns(self) -> Columns:
        """How the input is read."""
        return Columns(self.text, self.id, self.max_line)


class Run(NamedTuple):
    """Documents that follow one another in a part: rows ``first`` to ``end`` of one of its segments."""

    part: int
    segment: int
    first: int
    end: int


def _settings(workspace: Workspace) -> tuple[IndexSettings, Configuration]:
    settings = workspace.plan.read_settings(IndexSettings)
    return settings, Configuration.read(dict(settings.configuration))


def _read(workspace: Workspace, part: int, target: Path, resources: Resources) -> None:
    """Write the documents of a part and their tokens."""
    settings, configuration = _settings(workspace)
    shards = workspace.plan.shards_of(part)
    require_unchanged(shards)
    tokenizer = make_tokenizer(configuration.tokenizer)
    ids = IdRecorder()
    batches = ids.record(read_sources(sources_of(shards), settings.columns, resources.batch_bytes))
    with Store.create(target / _STORE, {}) as store, store.writer() as writer:
        segments = fill_segments(
            writer, tokenize_batches(batches, tokenizer, resources), resources, _most_tokens(workspace)
        )
        for segment in segments:
            if configuration.needs_frequencies and not settings.frequencies:
                segment.put_vocabulary(*count_tokens(*segment.tokens()))
        writer.commit()
    ids.write(target)


def _most_tokens(workspace: Workspace) -> int:
    """The most tokens of a segment of the index."""
    return segment_tokens(workspace.plan.memory, _settings(workspace)[1].token_bytes)


def _reduce(workspace: Workspace, number: int, target: Path, resources: Resources) -> None:
    """Deal the documents of all parts out to segments, and add up what must be known before their postings."""
    settings, configuration = _settings(workspace)
    most, dealt = _most_tokens(workspace), _Dealer()
    counts, documents = [], 0
    _require_distinct_ids(workspace)
    for part in range(len(workspace.plan.parts)):
        with _part(workspace, part) as store:
            for place, segment in enumerate(store.segments):
                dealt.deal(part, place, np.diff(segment.token_bounds), most)
                documents += segment.num_documents
                if configuration.needs_frequencies and not settings.frequencies:
                    tokens, in_documents, in_all = segment.vocabulary()
                    counts.append((tokens.copy(), in_documents.copy(), in_all.copy()))  # the files are closed
    if counts and documents:
        tokens, in_documents, _ = merge_counts(counts)
        DocumentFrequencies(tokens, in_documents, documents).save(target / FREQUENCIES_FILE)
    (target / _SEGMENTS).write_bytes(msgspec.json.encode(dealt.segments))


def _require_distinct_ids(workspace: Workspace) -> None:
    """Refuse two documents of one id.

    Raises:
        CorpusError: names the first id that occurs again.
    """
    parts = range(len(workspace.plan.parts))
    repeated = find_repeated_id([workspace.output(READ, part) for part in parts], workspace.plan.memory)
    if repeated is None:
        return
    before = 0
    for part in parts:
        with _part(workspace, part) as store:
            for segment in store.segments:
                row = repeated.second - before
                before += segment.num_documents
                if row < segment.num_documents:
                    name = segment.document_ids()[row]
                    raise CorpusError(
                        f"document id {name!r} occurs twice: documents {repeated.first + 1} and {repeated.second + 1}; "
                        "ids name documents, so give each its own, or name another column as the id"
                    )


class _Dealer:
    """Deals documents out to segments in order, as many to each as it may hold; see ``fill_segments``."""

    def __init__(self) -> None:
        self.segments: list[list[Run]] = []
        self._tokens = 0

    def deal(self, part: int, place: int, lengths: npt.NDArray[np.int64], most: int) -> None:
        """Deal out the documents of one segment of a part; ``lengths`` [D] are their tokens."""
        for first, end, begins in cut_by_tokens(lengths, self._tokens if self.segments else None, most):
            if begins:
                self.segments.append([])
                self._tokens = 0
            self.segments[-1].append(Run(part, place, first, end))
            self._tokens += int(lengths[first:end].sum())


def _segments(workspace: Workspace) -> list[list[Run]]:
    return msgspec.json.decode((workspace.output(REDUCE) / _SEGMENTS).read_bytes(), type=list[list[Run]])


def _write_segment(workspace: Workspace, number: int, target: Path, resources: Resources) -> None:
    """Gather the documents of a segment and make its postings."""
    _, configuration = _settings(workspace)
    scheme = configuration.make_scheme(_frequencies(workspace))
    with Store.create(target / _STORE, {}) as store, store.writer() as writer:
        segment = writer.new_segment()
        for run in _segments(workspace)[number]:
            with _part(workspace, run.part) as part:
                segment.append_rows(part.segments[run.segment], run.first, run.end)
        segment.put_vocabulary(*count_tokens(*segment.tokens()))
        index_segment(segment, scheme, resources)
        writer.commit()
        if is_remote(workspace.plan.output):
            upload_segments(workspace.plan.output, store.segments)


def _list_unneeded(workspace: Workspace, number: int) -> Iterator[Task]:
    """The parts that no segment needs any more, once segment ``number`` is there."""
    users: dict[int, set[int]] = {}
    for each, runs in enumerate(_segments(workspace)):
        for run in runs:
            users.setdefault(run.part, set()).add(each)
    for part, segments in users.items():
        if number in segments and all(workspace.is_done(Task(SEGMENTS, each)) for each in segments):
            yield Task(READ, part)


def _commit(workspace: Workspace, number: int, target: Path, resources: Resources) -> None:
    """Make the index of its segments."""
    _, configuration = _settings(workspace)
    kept, files = keep_tokenizer(make_tokenizer(configuration.tokenizer))
    config = msgspec.to_builtins(msgspec.structs.replace(configuration, tokenizer=kept))
    stores = [Store.open(workspace.output(SEGMENTS, each) / _STORE) for each in range(len(_segments(workspace)))]
    segments = [segment for store in stores for segment in store.segments]

    def attach(writer: Writer) -> None:
        for data in files:
            writer.attach(data)
        frequencies = _frequencies(workspace)
        if frequencies is not None:
            writer.put_frequencies(frequencies.tokens, frequencies.counts, frequencies.num_documents)

    if is_remote(workspace.plan.output):
        with Store.create(target / _STORE, config) as store, store.writer() as writer:
            attach(writer)
            writer.commit()
        commit_remotely(workspace.plan.output, target / _STORE, segments)
        return
    if _is_committed(Path(workspace.plan.output), config, segments):
        return  # a rank that died had come as far as this
    with Store.begin(workspace.plan.output, config) as (store, _), store.writer() as writer:
        attach(writer)
        for segment in segments:
            writer.copy_segment(segment)
        writer.commit()


def _is_committed(output: Path, config: dict[str, object], segments: list[Segment]) -> bool:
    """Whether the index that the plan makes stands at ``output``; anything else there is an error."""
    try:
        store = Store.open(output)
    except (NotAnIndexError, DamagedError):
        return False
    with store:
        made = [segment.entry.checksum for segment in store.segments]
        if store.generation == 1 and store.config == config and made == [one.entry.checksum for one in segments]:
            return True
        if store.generation:
            raise IndexExistsError(f"{output}: another index stands there; remove it, or plan with another output")
    return False


def _frequencies(workspace: Workspace) -> DocumentFrequencies | None:
    """Document frequencies behind the weights, given or counted, if there are any."""
    settings, _ = _settings(workspace)
    file = workspace.folder / FREQUENCIES_FILE if settings.frequencies else workspace.output(REDUCE) / FREQUENCIES_FILE
    return DocumentFrequencies.load(file) if file.exists() else None


def _part(workspace: Workspace, part: int) -> Store:
    return Store.open(workspace.output(READ, part) / _STORE)


STAGES = [
    Stage(READ, lambda workspace: len(workspace.plan.parts), _read, bulky=True),
    Stage(REDUCE, lambda workspace: 1, _reduce, bulky=False),
    Stage(
        SEGMENTS, lambda workspace: len(_segments(workspace)), _write_segment, bulky=True, list_unneeded=_list_unneeded
    ),
    Stage(COMMIT, lambda workspace: 1, _commit, bulky=False),
]
