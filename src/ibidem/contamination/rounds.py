"""Rounds: the items that were added at one time, each with a detector of its own.

What is found of an item depends on the items of its own round and on the sample, and on no round that comes later. So a
run can be updated with new items, and what it found of the others stays as it is.
"""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from ibidem.contamination.detector import Detector, Occurrence, make_detector
from ibidem.contamination.item_parts import ItemParts
from ibidem.contamination.items import Evals
from ibidem.text import Documents, Tokenizer, Tokens

_EVALS, _IDS, _BOUNDS = "evals.json", "sample_ids.npy", "sample_bounds.npy"

_AS_GOOD = 0.999
"""An occurrence that is worth this share of one of another round is as good: a question may be in both."""


class WeighedEvals(NamedTuple):
    """The items of all rounds, and the sample of the training data by which their words are weighed."""

    rounds: Sequence[Evals]
    sample: Tokens

    def write(self, folder: Path) -> None:
        """Write them into a folder."""
        np.save(folder / _IDS, self.sample.ids)
        np.save(folder / _BOUNDS, self.sample.bounds)
        (folder / _EVALS).write_bytes(msgspec.json.encode(self.rounds))

    @classmethod
    def read(cls, folder: Path) -> "WeighedEvals":
        """Read what ``write`` has written.

        Raises:
            ValueError: there is no item, or the bounds of the sample are not those of its tokens.
        """
        rounds = msgspec.json.decode((folder / _EVALS).read_bytes(), type=list[Evals])
        ids, bounds = (np.load(folder / name, allow_pickle=False) for name in (_IDS, _BOUNDS))
        if not (rounds and all(evals.items for evals in rounds)):
            raise ValueError("a round without items")
        is_valid = ids.dtype == np.uint32 and bounds.dtype == np.int64 and ids.ndim == bounds.ndim == 1 and len(bounds)
        if not is_valid or bounds[0] != 0 or bounds[-1] != len(ids) or (np.diff(bounds) < 0).any():
            raise ValueError("bounds that are not those of the sample")
        return cls(rounds, Tokens(ids, bounds))

    def prepare(self, tokenizer: Tokenizer) -> "Rounds":
        """The items, ready to be looked for."""
        return Rounds.of([make_detector(evals, tokenizer, [self.sample]) for evals in self.rounds])


class Rounds(NamedTuple):
    """The detectors of all rounds, the items of all, and the first part of each round and the end of the last."""

    detectors: Sequence[Detector]
    items: ItemParts
    bounds: Sequence[int]

    @classmethod
    def of(cls, detectors: Sequence[Detector]) -> "Rounds":
        """The rounds with these detectors."""
        counts = [len(detector.parts) for detector in detectors]
        items = ItemParts.join([detector.item_parts for detector in detectors])
        return cls(detectors, items, np.cumsum([0, *counts]).tolist())

    def find(self, documents: Documents, first: int = 0) -> tuple[list[Occurrence], int]:
        """Find the parts of all rounds from the ``first`` on in documents, and count the running tokens.

        In the order of the documents, and for each in that of the parts.
        """
        occurrences: list[Occurrence] = []
        tokens = self.detectors[0].tokenizer.encode(documents.texts)
        for detector, offset in zip(self.detectors[first:], self.bounds[first:], strict=False):
            occurrences += [
                occurrence._replace(part=occurrence.part + offset) for occurrence in detector.find_in(documents, tokens)
            ]
        if len(self.detectors) - first > 1:
            occurrences.sort(key=lambda occurrence: (occurrence.document, occurrence.part))
        return occurrences, len(tokens.ids)

    def find_rivals(self, occurrences: Sequence[tuple[int, Occurrence]]) -> list[tuple[int, Occurrence]]:
        """Mark the occurrences that an item of another round explains better as rivalled.

        ``occurrences`` has the number of a document with each. A detector compares the items of its own round, token by
        token. Of two rounds, that of more worth is better if it holds more than half of the other's place.
        """
        if len(self.detectors) == 1:
            return list(occurrences)
        rounds = np.searchsorted(self.bounds, [occurrence.part for _, occurrence in occurrences], "right").tolist()
        by_document: dict[int, list[int]] = defaultdict(list)
        for row, (document, _) in enumerate(occurrences):
            by_document[document].append(row)
        return [
            (document, occurrence._replace(rival=True))
            if _is_rivalled(row, by_document[document], occurrences, rounds)
            else (document, occurrence)
            for row, (document, occurrence) in enumerate(occurrences)
        ]


def _is_rivalled(
    row: int, neighbours: list[int], occurrences: Sequence[tuple[int, Occurrence]], rounds: list[int]
) -> bool:
    occurrence = occurrences[row][1]
    return any(
        rounds[other_row] != rounds[row]
        and occurrence.worth < _AS_GOOD * occurrences[other_row][1].worth
        and 2 * _count_shared(occurrence, occurrences[other_row][1]) > occurrence.end - occurrence.start
        for other_row in neighbours
    )


def _count_shared(a: Occurrence, b: Occurrence) -> int:
    """Code points that two places share."""
    return max(0, min(a.end, b.end) - max(a.start, b.start))
