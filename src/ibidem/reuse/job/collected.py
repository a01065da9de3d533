"""The collection of a plan, on disk: made by one task of what the parts have, opened by the tasks that come after."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from ibidem.reuse.bands import Bands
from ibidem.reuse.collection import (
    TOKENS,
    Collection,
    Rarity,
    Subtracted,
    assemble_collection,
    count_blocks,
    weigh_windows,
)
from ibidem.reuse.find import Question, prepare_collection
from ibidem.reuse.grams import GRAMS
from ibidem.reuse.reading.parts import InputRows, ReadPart
from ibidem.reuse.subtraction import KEPT
from ibidem.store.files.columns import ColumnWriter, open_column
from ibidem.weights import DocumentFrequencies

__all__ = [
    "FACTS_FILE",
    "CollectedFacts",
    "add_documents",
    "open_collection",
    "read_facts",
    "read_lightest",
    "write_collection",
    "write_facts",
    "write_lightest",
]

FACTS_FILE = "facts.json"

_LIGHTEST = "lightest.npy"

_ARRAYS = ("bounds", "vocabulary", "idf", "side", "ranks")

_SUBTRACTED = ("bounds", "vocabulary", "idf", "ranges", "runs", "phrases", "hashes")


class CollectedFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is known of a plan's work once the collection is.

    Attributes:
        mean: of the weights, as ``float.hex`` writes it; see ``Rarity``.
        least: how many documents hold what is frequent.
        bands: how windows are hashed; ``None`` for the exact join.
        ranges: parts of the keys of each band; each is joined by a task.
    """

    mean: str
    least: int
    bands: tuple[int, int, int] | None
    ranges: int

    @property
    def windows(self) -> Bands | None:
        """How windows are hashed."""
        return None if self.bands is None else Bands(*self.bands)

    @property
    def num_bands(self) -> int:
        """How many times windows are hashed."""
        return 1 if self.bands is None else self.bands[0]


def write_collection(parts: Sequence[ReadPart], question: Question, folder: Path) -> Collection:
    """Make the collection of all parts, without what counts as absent, and leave it in ``folder``.

    Raises:
        CorpusError: two documents have one id.
    """
    writer = ColumnWriter(folder, TOKENS)
    assembled = assemble_collection(parts, writer)
    writer.finish()
    collection = prepare_collection(assembled, question, folder)
    for name in _ARRAYS:
        np.save(folder / f"{name}.npy", getattr(collection, name))
    for name in _SUBTRACTED:
        np.save(folder / f"subtracted-{name}.npy", getattr(collection.subtracted, name))
    np.save(folder / "order.npy", collection.input.order)
    collection.rarity.frequencies.save(folder / "frequencies.npz")
    return collection


def write_facts(folder: Path, facts: CollectedFacts) -> None:
    """Leave the facts beside the collection."""
    (folder / FACTS_FILE).write_bytes(msgspec.json.encode(facts))


def read_facts(folder: Path) -> CollectedFacts:
    """The facts that stand beside the collection."""
    return msgspec.json.decode((folder / FACTS_FILE).read_bytes(), type=CollectedFacts)


def write_lightest(folder: Path, collection: Collection, window: int) -> None:
    """Leave the least weights of windows beside the collection; see ``Comparable``. Memory does not hold them."""
    shape = (count_blocks(collection.tokens),)
    mapped = np.lib.format.open_memmap(folder / _LIGHTEST, "w+", np.dtype(np.float64), shape)
    weigh_windows(collection.tokens, collection.bounds, collection.idf, window, np.asarray(mapped))
    mapped.flush()


def read_lightest(folder: Path) -> NDArray[np.float64]:
    """The least weights that stand beside the collection, mapped."""
    # What is written to this mapping would stay in memory. Nothing is; kernels have the type that an array has.
    found: NDArray[np.float64] = np.asarray(np.load(folder / _LIGHTEST, mmap_mode="c"))
    return found


def open_collection(folder: Path) -> Collection:
    """The collection in ``folder``, without ids and texts; its tokens are mapped."""
    arrays = {name: np.load(folder / f"{name}.npy") for name in _ARRAYS}
    column = next(each for each in (GRAMS, KEPT, TOKENS) if (folder / each.file).exists())
    tokens = open_column(folder / column.file, column.dtype, (int(arrays["bounds"][-1]),))
    facts = read_facts(folder)
    rarity = Rarity(DocumentFrequencies.load(folder / "frequencies.npz"), float.fromhex(facts.mean))
    taken = {name: np.load(folder / f"subtracted-{name}.npy") for name in _SUBTRACTED}
    whole = open_column(folder / TOKENS.file, TOKENS.dtype, (int(taken["bounds"][-1]),))
    subtracted = Subtracted(tokens=whole, least=facts.least, **taken)
    source = InputRows.of(())._replace(order=np.load(folder / "order.npy"))
    return Collection(ids=[], tokens=tokens, rarity=rarity, input=source, subtracted=subtracted, **arrays)


def add_documents(collection: Collection, parts: Sequence[ReadPart]) -> Collection:
    """The collection with the ids and the texts of its documents, from the parts that it was made of."""
    source = InputRows.of(parts)._replace(order=collection.input.order)
    ids = [name for part in parts for name in part.ids]
    named = {"ids": [ids[row] for row in source.order.tolist()], "input": source}
    return Collection(**{**collection._asdict(), **named})
