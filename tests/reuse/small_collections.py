"""Collections that tests of steps begin with, read by one process as the stages read them."""

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ibidem.resources import Resources
from ibidem.reuse.collection import TOKENS, Collection, Rarity, assemble_collection
from ibidem.reuse.reading.parts import InputRows, PartReader
from ibidem.store.files.growing import GrowingColumn
from ibidem.text import Collection as AnyCollection
from ibidem.text import Tokenizer, as_batches


def read_collection(
    sides: Iterable[AnyCollection],
    tokenizer: Tokenizer,
    folder: Path,
    resources: Resources,
    rarity: Rarity | None = None,
    order: Callable[[list[str], InputRows], NDArray[np.int64]] | None = None,
) -> Collection:
    """Read one collection, or two, of documents in any form, into columns in ``folder``.

    Weights follow from ``rarity``, or from the collection itself. ``order`` gives the rows of the documents int64
    [D] in the order in which they are numbered, from the ids and all else of the rows; that of the ids if not given.

    Raises:
        CorpusError: two documents have one id, or a document cannot be used.
    """
    reader = PartReader(folder, tokenizer)
    for side, documents in enumerate(sides):
        reader.read(as_batches(documents), side, resources)
    return assemble_collection([reader.part()], GrowingColumn(folder, TOKENS), rarity, order)
