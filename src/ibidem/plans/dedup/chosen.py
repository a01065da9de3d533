"""What became of the documents of one part, on disk between the task that chooses and those that write."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.documents.dedup import Deduplication
from ibidem.plans.dedup.digests import PartDigests

__all__ = ["ChosenDocuments"]

_COLUMNS = ("kept", "duplicate_of", "similarity", "exact")


class ChosenDocuments(NamedTuple):
    """The documents of a part, numbered from 0.

    Attributes:
        ids: their ids.
        kept: bool [n], whether each stays.
        relations: for each that is removed, by its number, the id of what it duplicates, the similarity, and whether
            the texts are the same.
    """

    ids: list[str]
    kept: NDArray[np.bool_]
    relations: dict[int, tuple[str, float, bool]]

    @staticmethod
    def write(folder: Path, found: Deduplication) -> None:
        """Leave what became of all documents in a folder."""
        for name in _COLUMNS:
            np.save(folder / f"{name}.npy", getattr(found, name))

    @classmethod
    def read(cls, folder: Path, digests: PartDigests, part: int) -> "ChosenDocuments":
        """What became of the documents of a part."""
        first, end = digests.starts[part : part + 2].tolist()
        kept, duplicate_of, similarity, exact = (np.load(folder / f"{name}.npy")[first:end] for name in _COLUMNS)
        rows = np.flatnonzero(~kept)
        names = digests.ids(duplicate_of[rows])
        found = zip(names, similarity[rows].tolist(), exact[rows].tolist(), strict=True)
        return cls(digests.spools[part].ids(), kept, dict(zip(rows.tolist(), found, strict=True)))

    def id_of(self, row: int) -> str:
        """The id of a document."""
        return self.ids[row]

    def relation(self, row: int) -> tuple[str, float, bool]:
        """What a removed document duplicates, how similar it is to that, and whether the texts are the same."""
        return self.relations[row]
