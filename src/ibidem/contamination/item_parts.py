"""Items and their parts, as occurrences are judged and listed; several rounds are joined into one list."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.contamination.items import Item
from ibidem.contamination.parts import Parts

_BETWEEN, _NUMBER = re.compile(r"\W+"), re.compile(r"\b\d+\b")


class ItemParts(NamedTuple):
    """Items and their parts.

    Attributes:
        items: all of them.
        texts: of each part.
        owners: int64 [P], the item of each part.
        kinds: int64 [P], numbers of ``parts.KINDS``.
        totals: float64 [P], the weight of each part, in nats.
        sharing: the items that have a passage, by its text.
        templates: the parts of the same words as another one, which has other numbers.
    """

    items: Sequence[Item]
    texts: Sequence[str]
    owners: npt.NDArray[np.int64]
    kinds: npt.NDArray[np.int64]
    totals: npt.NDArray[np.float64]
    sharing: Mapping[str, Sequence[int]]
    templates: frozenset[int]

    @classmethod
    def of(cls, items: Sequence[Item], parts: Parts, totals: npt.NDArray[np.float64]) -> "ItemParts":
        """The parts of ``items``, which have these weights."""
        templates = find_templates(parts.texts)
        return cls(items, parts.texts, parts.items, parts.kinds, totals, _find_sharing(items), templates)

    @classmethod
    def join(cls, lists: Sequence["ItemParts"]) -> "ItemParts":
        """Join several lists into one; items and parts are numbered on from list to list."""
        if len(lists) == 1:
            return lists[0]
        items = [item for part_list in lists for item in part_list.items]
        firsts = np.cumsum([0, *(len(part_list.items) for part_list in lists)])
        texts = [text for part_list in lists for text in part_list.texts]
        return cls(
            items,
            texts,
            np.concatenate([part_list.owners + first for part_list, first in zip(lists, firsts, strict=False)]),
            np.concatenate([part_list.kinds for part_list in lists]),
            np.concatenate([part_list.totals for part_list in lists]),
            _find_sharing(items),
            find_templates(texts),
        )


def find_templates(texts: Sequence[str]) -> frozenset[int]:
    """Find the texts that differ from another one in their numbers alone.

    >>> sorted(find_templates(["Add 2 and 3.", "How many?", "add 2 and 40"]))
    [0, 2]
    """
    families: dict[str, dict[int, str]] = defaultdict(dict)
    for number, text in enumerate(texts):
        if _NUMBER.search(text):
            words = _BETWEEN.sub(" ", text.casefold()).strip()
            families[_NUMBER.sub("", words)][number] = words
    return frozenset(number for family in families.values() if len(set(family.values())) > 1 for number in family)


def _find_sharing(items: Iterable[Item]) -> dict[str, list[int]]:
    sharing: dict[str, list[int]] = {}
    for number, item in enumerate(items):
        sharing.setdefault(item.passage, []).append(number)
    return sharing
