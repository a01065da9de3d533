"""The collection as tasks share it: numbered and weighed by one, in memory or on disk, opened by all after it."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ibidem.alignment.ignored import IgnoredTexts
from ibidem.engine.outputs import open_array
from ibidem.reuse.bands import Bands
from ibidem.reuse.collection import TOKENS, Collection, Rarity, SubtractedText
from ibidem.reuse.grams import GRAMS, replace_with_grams
from ibidem.reuse.outputs.earlier import EarlierRun
from ibidem.reuse.question import Question
from ibidem.reuse.reading.parts import InputRows, ReadPart
from ibidem.reuse.subtraction import KEPT, AbsentText, subtract
from ibidem.store.files.columns import open_column
from ibidem.text import Texts, make_tokenizer
from ibidem.weights import DocumentFrequencies

FACTS_FILE = "facts.json"

LIGHTEST_FILE = "lightest.npy"
"""The least weights of windows: memory does not hold those of a large collection."""

_ARRAYS = ("bounds", "vocabulary", "idf", "side", "ranks")

_SUBTRACTED = ("bounds", "vocabulary", "idf", "ranges", "runs", "phrases", "ignored", "likeness", "hashes")


class _Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The facts about a plan's collection that outlast its tokens.

    Attributes:
        mean: of the weights, as ``float.hex`` writes it; see ``Rarity``.
        least: how many documents must hold a text for it to be frequent.
        bands, ranges: see ``Collected``.
    """

    mean: str
    least: int
    bands: Bands | None
    ranges: int


class Collected(NamedTuple):
    """The data that the tasks of a search share.

    Attributes:
        collection: opened from a folder, it has no ids and no texts; see ``add_documents``.
        unchanged: bool [D], the documents that an earlier run has compared with each other.
        lightest: the least weights of windows; see ``Comparable``.
        bands: how windows are hashed; ``None`` for the exact join.
        ranges: parts of the keys of each band; each is joined by a task.
    """

    collection: Collection
    unchanged: NDArray[np.bool_]
    lightest: NDArray[np.float64]
    bands: Bands | None
    ranges: int


def prepare_collection(
    read: Collection,
    question: Question,
    folder: Path,
    earlier: EarlierRun | None = None,
    threads: int | None = None,
) -> Collection:
    """The documents that were ``read`` as they are compared: without what counts as absent, maybe in runs.

    Frequent text is that of an ``earlier`` run, if there is one.
    """
    tokenizer = make_tokenizer(question.tokenizer)
    absent = AbsentText(
        most=question.join.most,
        least_length=question.join.least_shared,
        phrases=[tokenizer.encode(Texts.from_strings([phrase])).ids for phrase in question.phrases],
        ignored=(IgnoredTexts(question.ignore, tokenizer), question.threshold) if question.ignore else None,
        known_hashes=None if earlier is None else earlier.frequent,
        rarity=None if earlier is None else earlier.rarity,
        apart=bool(read.side.any()),
    )
    return replace_with_grams(subtract(read, absent, folder, threads), folder)


def save_collected(collected: Collected, folder: Path) -> None:
    """Leave the collection in ``folder``, where its tokens and the least weights are."""
    collection = collected.collection
    for name in _ARRAYS:
        np.save(folder / f"{name}.npy", getattr(collection, name))
    for name in _SUBTRACTED:
        np.save(folder / f"subtracted-{name}.npy", getattr(collection.subtracted, name))
    np.save(folder / "order.npy", collection.input.order)
    np.save(folder / "unchanged.npy", collected.unchanged)
    collection.rarity.frequencies.save(folder / "frequencies.npz")
    facts = _Facts(
        mean=collection.rarity.mean.hex(),
        least=collection.subtracted.least,
        bands=collected.bands,
        ranges=collected.ranges,
    )
    (folder / FACTS_FILE).write_bytes(msgspec.json.encode(facts))


def open_collected(folder: Path) -> Collected:
    """Open the data that ``save_collected`` wrote; tokens and weights are mapped."""
    facts = read_facts(folder)
    lightest, unchanged = open_array(folder / LIGHTEST_FILE), np.load(folder / "unchanged.npy")
    return Collected(_open_collection(folder, facts), unchanged, lightest, facts.bands, facts.ranges)


def read_facts(folder: Path) -> _Facts:
    """Read the facts that are stored beside the collection."""
    return msgspec.json.decode((folder / FACTS_FILE).read_bytes(), type=_Facts)


def _open_collection(folder: Path, facts: _Facts) -> Collection:
    """The collection in ``folder``, without ids and texts; its tokens are mapped."""
    arrays = {name: np.load(folder / f"{name}.npy") for name in _ARRAYS}
    column = next(each for each in (GRAMS, KEPT, TOKENS) if (folder / each.file).exists())
    tokens = open_column(folder / column.file, column.dtype, (int(arrays["bounds"][-1]),))
    rarity = Rarity(DocumentFrequencies.load(folder / "frequencies.npz"), float.fromhex(facts.mean))
    taken = {name: np.load(folder / f"subtracted-{name}.npy") for name in _SUBTRACTED}
    whole = open_column(folder / TOKENS.file, TOKENS.dtype, (int(taken["bounds"][-1]),))
    subtracted = SubtractedText(tokens=whole, least=facts.least, **taken)
    source = InputRows.of(())._replace(order=np.load(folder / "order.npy"))
    return Collection(ids=[], tokens=tokens, rarity=rarity, input=source, subtracted=subtracted, **arrays)


def add_documents(collection: Collection, parts: Sequence[ReadPart]) -> Collection:
    """The collection with the ids and the texts of its documents, from the parts that it was made of."""
    source = InputRows.of(parts)._replace(order=collection.input.order)
    ids = [name for part in parts for name in part.ids]
    names = {"ids": [ids[row] for row in source.order.tolist()], "input": source}
    return Collection(**{**collection._asdict(), **names})
