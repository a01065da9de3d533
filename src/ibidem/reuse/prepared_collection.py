"""A collection that is ready to be compared: numbered, weighed, without what counts as absent, on disk.

One task prepares it. The tasks that compare documents open it without ids and texts, which they do without.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.alignment.ignored import IgnoredTexts
from ibidem.engine.outputs import open_as, save_output
from ibidem.resources import Resources
from ibidem.reuse.bands import Bands
from ibidem.reuse.collection import (
    TOKENS,
    Collection,
    Comparable,
    Rarity,
    SubtractedText,
    assemble_collection,
    count_blocks,
    remove_ranges,
    weigh_windows,
)
from ibidem.reuse.documents import InputRows, ReadPart, open_part
from ibidem.reuse.evident import require_evidence
from ibidem.reuse.outputs.earlier import EarlierRun
from ibidem.reuse.question import Question
from ibidem.reuse.subtraction import COUNTED, KEPT, AbsentText, subtract
from ibidem.reuse.windows import plan_bands
from ibidem.store.files.columns import open_column
from ibidem.store.format import Column
from ibidem.text import Texts, make_tokenizer
from ibidem.weights import DocumentFrequencies

_COLUMNS = {column.name: column for column in (TOKENS, KEPT, COUNTED)}


class PreparedCollection(NamedTuple):
    """The data that the tasks of a search share.

    Attributes:
        collection: opened from a folder, it has no ids and no texts; see ``add_documents``.
        unchanged: bool [D], the documents that an earlier run has compared with each other.
        lightest: the least weights of windows; see ``Comparable``.
        bands: how windows are hashed.
        apart: whether two collections are compared with each other.
    """

    collection: Collection
    unchanged: NDArray[np.bool_]
    lightest: NDArray[np.float64]
    bands: Bands
    apart: bool = False

    def compare(self, question: Question) -> Comparable:
        """The collection as the join reads it: two collections, or what an earlier run compared, are kept apart."""
        collection = self.collection
        side = collection.side if self.apart else np.where(self.unchanged, 0, -1)
        comparable = Comparable(
            collection.tokens,
            collection.bounds,
            collection.idf,
            question.join.window,
            side.astype(np.int32),
            question.within,
            self.lightest,
            collection.ranks,
        )
        return require_evidence(comparable, collection, question.join)


def prepare_collection(
    question: Question, apart: bool, update: Path | None, read: Sequence[Path], folder: Path, resources: Resources
) -> None:
    """Number and weigh the tokens of all parts that were ``read``, and plan what depends on them.

    Two collections are kept ``apart``. Weights, bands and frequent text are those of the run that is to be updated.

    Raises:
        CorpusError: two documents have one id, or are compared letter by letter.
    """
    earlier, parts = None if update is None else EarlierRun.read(update), [open_part(each) for each in read]
    whole = assemble_collection(parts, folder, None if earlier is None else earlier.rarity)
    collection = leave_absent_out(whole, question, folder, earlier, resources.workers)
    lightest = np.empty(count_blocks(collection.tokens))
    weigh_windows(collection.tokens, collection.bounds, collection.idf, question.join.window, lightest)
    unchanged = np.zeros(len(collection), np.bool_) if earlier is None else earlier.find_unchanged(collection)
    bands = plan_bands(collection, question.join._replace(bands=None if earlier is None else earlier.bands))
    save_prepared(PreparedCollection(collection, unchanged, lightest, bands, apart), folder)


def leave_absent_out(
    collection: Collection,
    question: Question,
    folder: Path,
    earlier: EarlierRun | None = None,
    threads: int | None = None,
) -> Collection:
    """The documents as they are compared: without what counts as absent.

    Frequent text is that of an ``earlier`` run, if there is one.
    """
    tokenizer = make_tokenizer(question.tokenizer)
    collection.rarity.require_evidence(tokenizer)
    absent = AbsentText(
        most=question.join.most,
        least_length=question.join.least_shared,
        phrases=[tokenizer.encode(Texts.from_strings([phrase])).ids for phrase in question.phrases],
        ignored=(IgnoredTexts(question.ignore, tokenizer), question.threshold) if question.ignore else None,
        known_hashes=None if earlier is None else earlier.frequent,
        rarity=None if earlier is None else earlier.rarity,
        apart=bool(collection.side.any()),
        keep_common=question.keep_boilerplate,
    )
    return subtract(collection, absent, folder, threads)


class _Output(NamedTuple):
    """A prepared collection but for its columns of tokens.

    Attributes:
        column, counted: the columns of the tokens that are compared, and of those whose words count.
        arrays, subtracted: attributes of ``Collection`` and ``SubtractedText``.
        frequencies: how often each token occurs; their ``total`` and the ``mean`` of their weights: see ``Rarity``.
        order: the row of each document in the input.
        frequent, least: see ``SubtractedText``.
    """

    column: str
    counted: str
    arrays: dict[str, NDArray[Any]]
    subtracted: dict[str, NDArray[Any]]
    frequencies: tuple[NDArray[np.uint32], NDArray[np.uint32]]
    total: int
    mean: float
    order: NDArray[np.int64]
    frequent: int
    least: int
    unchanged: NDArray[np.bool_]
    lightest: NDArray[np.float64]
    bands: Bands
    apart: bool


_ARRAYS = ("bounds", "vocabulary", "idf", "side", "ranks")

_SUBTRACTED = (
    "bounds",
    "vocabulary",
    "idf",
    "ranges",
    "common",
    "runs",
    "is_common",
    "phrases",
    "ignored",
    "likeness",
    "hashes",
)

_open_output = open_as(_Output)


def save_prepared(prepared: PreparedCollection, folder: Path) -> None:
    """Leave a collection in ``folder``, where its tokens are."""
    collection, frequencies = prepared.collection, prepared.collection.rarity.frequencies
    is_counted_less = len(collection.subtracted.common) > 0
    output = _Output(
        column=_find_column(folder, KEPT, TOKENS),
        counted=_find_column(folder, COUNTED, KEPT, TOKENS) if is_counted_less else TOKENS.name,
        arrays={name: getattr(collection, name) for name in _ARRAYS},
        subtracted={name: getattr(collection.subtracted, name) for name in _SUBTRACTED},
        frequencies=(frequencies.tokens, frequencies.counts),
        total=frequencies.num_documents,
        mean=collection.rarity.mean,
        order=collection.input.order,
        frequent=collection.subtracted.frequent,
        least=collection.subtracted.least,
        unchanged=prepared.unchanged,
        lightest=prepared.lightest,
        bands=prepared.bands,
        apart=prepared.apart,
    )
    save_output(output, folder)


def _find_column(folder: Path, *columns: Column) -> str:
    """The name of the first of the ``columns`` that is there."""
    return next(column.name for column in columns if (folder / column.file).exists())


def open_prepared(folder: Path) -> PreparedCollection:
    """Open the collection that ``save_prepared`` left, once for all tasks of a process; what is large is mapped."""
    status = os.stat(folder)
    return _open_prepared(folder, (status.st_ino, status.st_mtime_ns))


@contextmanager
def hold_prepared() -> Iterator[None]:
    """Let go of the opened collection at the end of the block: a file that is mapped keeps its room on the disk."""
    try:
        yield
    finally:
        _open_prepared.cache_clear()


@lru_cache(maxsize=1)
def _open_prepared(folder: Path, state: tuple[int, int]) -> PreparedCollection:
    """Open a collection; another one in a folder of this name has another ``state``."""
    output: _Output = _open_output(folder)
    whole_bounds = output.subtracted["bounds"]
    whole = _open_tokens(folder, TOKENS.name, whole_bounds)
    collection = Collection(
        ids=[],
        tokens=whole if output.column == TOKENS.name else _open_tokens(folder, output.column, output.arrays["bounds"]),
        rarity=Rarity(DocumentFrequencies(*output.frequencies, output.total), output.mean),
        input=InputRows.of(())._replace(order=output.order),
        subtracted=SubtractedText(
            tokens=whole,
            counted=_open_tokens(folder, output.counted, remove_ranges(output.subtracted["common"], whole_bounds)),
            frequent=output.frequent,
            least=output.least,
            **output.subtracted,
        ),
        **output.arrays,
    )
    return PreparedCollection(collection, output.unchanged, output.lightest, output.bands, output.apart)


def _open_tokens(folder: Path, name: str, bounds: NDArray[Any]) -> NDArray[np.int32]:
    column = _COLUMNS[name]
    return open_column(folder / column.file, column.dtype, (int(bounds[-1]),))


def add_documents(collection: Collection, parts: Sequence[ReadPart]) -> Collection:
    """The collection with the ids and the texts of its documents, from the parts that it was made of."""
    source = InputRows.of(parts)._replace(order=collection.input.order)
    ids = [name for part in parts for name in part.ids]
    return collection.replace(ids=[ids[row] for row in source.order.tolist()], input=source)
