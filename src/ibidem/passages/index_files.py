"""An index of files, made by many tasks: on a cluster, to the bytes that one process writes.

The tasks of parts leave segments without postings; the documents are dealt out to the segments of the index as one
process would; a task makes each of these, and all of them become an index at one instant.
"""

import os
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from ibidem.corpus.distinct_ids import find_repeated_id
from ibidem.corpus.failures import Failures
from ibidem.corpus.inputs import InputPart, Inputs, locate_repeats, note_left_out, settle_ids
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import ReadingProgress
from ibidem.engine import open_engine, open_work
from ibidem.errors import ConfigurationError
from ibidem.hashing import hash_strings
from ibidem.index_building import POSTINGS_SHARE, add_frequencies, cut_by_tokens, fill_segments
from ibidem.passages.configuration import TOKEN_BYTES, Configuration
from ibidem.passages.positions import write_positions
from ibidem.resources import Progress, Resources
from ibidem.store import Segment, Store
from ibidem.store.sizing import segment_tokens
from ibidem.text import Tokenizer, keep_tokenizer, make_tokenizer
from ibidem.text.collection import tokenize_batches
from ibidem.weights import DocumentFrequencies

_Path = str | os.PathLike[str]


class DocumentRange(NamedTuple):
    """Documents that follow one another: rows ``first`` to ``end`` of a segment that the task of a part has left."""

    part: int
    segment: int
    first: int
    end: int


def index_files(
    paths: Iterable[_Path],
    output: _Path,
    configuration: Configuration,
    tokenizer: Tokenizer,
    columns: Columns,
    *,
    frequencies: DocumentFrequencies | None = None,
    memory: str | int = "1G",
    threads: int | None = None,
    ray: str | None = None,
    work: _Path | None = None,
    reading: ReadingProgress | None = None,
    failures: Failures | None = None,
    progress: Progress | None = None,
) -> None:
    """Make an index of files at ``output``; interrupted, the same call resumes after the tasks that were done.

    Args:
        configuration: that of the index, which ``tokenizer`` belongs to.
        frequencies: document frequencies behind the weights; counted over the documents if not given.
        ray, work: the address of a cluster, and the folder of the work, as the guide says ("More than one machine").
        failures: collects what is left out because it cannot be read; if not given, that is an error.

    Raises:
        ConfigurationError: the tokenizer is a function, which no other process can make again.
        IndexExistsError: something is at ``output``.
        CorpusError: a document cannot be used, or two have one id.
        ClusterError: the cluster does not answer, or lost a task.
    """
    if tokenizer.config.get("name") == "callable":
        raise ConfigurationError("tasks of a cluster need a tokenizer that has a name, not a function")
    inputs = Inputs(paths, columns, progress=reading, failures=failures)
    counts = configuration.needs_frequencies and frequencies is None
    kept_tokenizer, attachments = keep_tokenizer(tokenizer)
    config: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(configuration, tokenizer=kept_tokenizer))
    origin = msgspec.json.encode([inputs.describe(), config, str(memory)])
    with (
        Store.begin(output, config) as (store, _),
        open_engine(ray, memory=memory, threads=threads, progress=progress, is_durable=True) as engine,
        open_work(output, origin, place=work) as workplace,
    ):
        parts = settle_ids(inputs.cut(), engine.resources)
        read_part = partial(_read_part, dict(tokenizer.config), counts)
        read = engine.map("reading", read_part, parts, workplace / "read")
        inputs.gather_failures(read)
        with locate_repeats(parts, engine.resources):
            _require_distinct_ids(read)
        deal = deal_documents(read, segment_tokens(engine.resources.memory, TOKEN_BYTES))
        made = engine.map("indexing", partial(_write_segment, read), deal, workplace / "segments")
        inputs.require_unchanged()
        segments = [segment for folder in read for segment in _open_segments(folder)]
        known = add_frequencies(segments) if counts else frequencies
        with store.writer() as writer:
            for data in attachments:
                writer.attach(data)
            if known is not None:
                writer.put_frequencies(known.tokens, known.counts, known.num_documents)
            for folder in made:
                writer.copy_segment(_open_segments(folder)[0])
            writer.commit()


def _read_part(tokenizer: dict[str, Any], counts: bool, part: InputPart, folder: Path, resources: Resources) -> None:
    """Leave the documents of a part and their tokens, as segments without postings."""
    reading = part.open(resources, failures := Failures(skips=part.skips))
    with Store.create(folder / "store", {}) as store, store.writer() as writer:
        batches = tokenize_batches(reading, make_tokenizer(tokenizer), resources)
        fill_segments(writer, batches, resources, TOKEN_BYTES, counts=counts)
        writer.commit()
    note_left_out(folder, failures)


def _open_segments(folder: Path) -> Sequence[Segment]:
    return Store.open(folder / "store").segments


def _require_distinct_ids(read: Sequence[Path]) -> None:
    """Refuse two documents of one id in all parts.

    Raises:
        RepeatedIdError: names the first id that occurs again.
    """
    ids = [name for folder in read for segment in _open_segments(folder) for name in segment.document_ids()]
    repeated = find_repeated_id(hash_strings([name.encode("utf-8", "surrogatepass") for name in ids]))
    if repeated is not None:
        raise repeated.describe(ids[repeated.second])


def deal_documents(read: Sequence[Path], most_tokens: int) -> list[list[DocumentRange]]:
    """Which documents go to which segment of the index: those that one process would write there."""
    deal: list[list[DocumentRange]] = []
    held: int | None = None
    for part, folder in enumerate(read):
        for number, segment in enumerate(_open_segments(folder)):
            lengths = np.diff(segment.token_bounds)
            for first, end, begins in cut_by_tokens(lengths, held, most_tokens):
                if begins:
                    deal.append([])
                    held = 0
                deal[-1].append(DocumentRange(part, number, first, end))
                held = (held or 0) + int(lengths[first:end].sum())
    return deal


def _write_segment(read: Sequence[Path], ranges: list[DocumentRange], folder: Path, resources: Resources) -> None:
    """Make a segment of the index of the documents that were dealt out to it."""
    with (
        Store.create(folder / "store", {}) as store,
        store.writer() as writer,
        resources.pool() as pool,
    ):
        segment = writer.new_segment()
        for each in ranges:
            source = _open_segments(read[each.part])[each.segment]
            for documents, tokens in source.batches(rows=np.arange(each.first, each.end)):
                segment.append_documents(documents, tokens)
        write_positions(segment, int(resources.memory * POSTINGS_SHARE), pool, lambda tokens: None)
        writer.commit()
