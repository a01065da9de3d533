"""Items and their parts, as occurrences are judged and listed; several rounds are joined into one list."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.contamination.items import Item
from ibidem.contamination.parts import Parts
from ibidem.contamination.siblings import condense


class ItemParts(NamedTuple):
    """Items and their parts.

    Attributes:
        items: all of them.
        texts: of each part.
        owners: int64 [P], the item of each part.
        kinds: int64 [P], numbers of ``parts.KINDS``.
        totals: float64 [P], the weight of each part, in nats.
        questions: int64 [P], the words of a question: equal for those of an evaluation that ask the same.
        common: bool [P], whether another item of the evaluation asks the same of another passage.
        sharing: the items that have a passage, by its text.
    """

    items: Sequence[Item]
    texts: Sequence[str]
    owners: npt.NDArray[np.int64]
    kinds: npt.NDArray[np.int64]
    totals: npt.NDArray[np.float64]
    questions: npt.NDArray[np.int64]
    common: npt.NDArray[np.bool_]
    sharing: Mapping[str, Sequence[int]]

    @classmethod
    def of(cls, items: Sequence[Item], parts: Parts, totals: npt.NDArray[np.float64]) -> "ItemParts":
        """The parts of ``items``, which have these weights."""
        passages: dict[tuple[str, str], set[str]] = {}
        asked = [(items[item].eval_key, condense(text)) for item, text in zip(parts.items, parts.texts, strict=True)]
        for question, item in zip(asked, parts.items, strict=True):
            passages.setdefault(question, set()).add(items[item].passage)
        numbers = {question: number for number, question in enumerate(passages)}
        return cls(
            items,
            parts.texts,
            parts.items,
            parts.kinds,
            totals,
            np.array([numbers[question] for question in asked], np.int64),
            np.array(
                [
                    len(passages[question]) > 1 and bool(items[item].passage)
                    for question, item in zip(asked, parts.items, strict=True)
                ],
                np.bool_,
            ),
            _find_sharing(items),
        )

    @classmethod
    def join(cls, lists: Sequence["ItemParts"]) -> "ItemParts":
        """Join several lists into one; items and parts are numbered on from list to list."""
        if len(lists) == 1:
            return lists[0]
        items = [item for part_list in lists for item in part_list.items]
        firsts = np.cumsum([0, *(len(part_list.items) for part_list in lists)])
        firsts_of_parts = np.cumsum([0, *(len(part_list.texts) for part_list in lists)])
        texts = [text for part_list in lists for text in part_list.texts]
        return cls(
            items,
            texts,
            np.concatenate([part_list.owners + first for part_list, first in zip(lists, firsts, strict=False)]),
            np.concatenate([part_list.kinds for part_list in lists]),
            np.concatenate([part_list.totals for part_list in lists]),
            np.concatenate(
                [part_list.questions + first for part_list, first in zip(lists, firsts_of_parts, strict=False)]
            ),
            np.concatenate([part_list.common for part_list in lists]),
            _find_sharing(items),
        )


def _find_sharing(items: Iterable[Item]) -> dict[str, list[int]]:
    sharing: dict[str, list[int]] = {}
    for number, item in enumerate(items):
        sharing.setdefault(item.passage, []).append(number)
    return sharing
