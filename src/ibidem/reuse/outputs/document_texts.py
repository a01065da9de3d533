"""The texts, columns and places of the documents of a result, for formats that hold more than numbers."""

from functools import lru_cache
from typing import Any

from ibidem.locators import Places, describe_place, without_locators
from ibidem.reuse.collection import Collection
from ibidem.reuse.outputs.result import Reuse
from ibidem.text.json_values import replace_surrogates

_CACHED = 256
"""Documents whose texts are at hand."""


class DocumentTexts:
    """Texts and columns of documents by their ids; texts have U+FFFD for each half of a surrogate pair.

    Raises:
        ValueError: the result does not hold its documents any more.
    """

    def __init__(self, reuse: Reuse) -> None:
        collection = reuse.collection
        if collection is None:
            raise ValueError("this format holds texts: write it with ibidem reuse --also, while they are at hand")
        self._collection = collection
        self._numbers = {name: number for number, name in enumerate(collection.ids)}
        self.text = lru_cache(_CACHED)(self._text)

    def _text(self, id: str) -> str:
        return replace_surrogates(self._collection.text(self._numbers[id]))

    def metadata(self, id: str, start: int, end: int) -> dict[str, Any]:
        """Return the columns of a document besides its id and its text; of all its places, that of one passage alone.

        The place is the column ``locator``, if one is known.
        """
        metadata = self._collection.metadata(self._numbers[id])
        place = replace_surrogates(describe_place(metadata, start, end))
        return without_locators(metadata) | ({"locator": place} if place else {})


class DocumentPlaces:
    """The places of documents in their originals, by their ids; none without a collection."""

    def __init__(self, collection: Collection | None) -> None:
        self._collection = collection
        self._numbers = {} if collection is None else {name: row for row, name in enumerate(collection.ids)}
        self.of = lru_cache(_CACHED)(self._of)

    def _of(self, id: str) -> Places:
        return Places({}) if self._collection is None else self._collection.locators(self._numbers[id])

    def pointers(self, id: str, start: int, end: int) -> list[tuple[str, str]]:
        """The elements of the original that hold a passage: the id of each, and its box on the page; or one of both."""
        split = (pointer.partition("xywh=") for pointer in self.of(id).pointers(start, end))
        return [(element.strip().removeprefix("#"), mark + box) for element, mark, box in split]
