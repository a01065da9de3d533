"""The texts and columns of the documents of a result, for formats that hold more than places."""

from functools import lru_cache
from typing import Any

from ibidem.reuse.outputs.result import Reuse
from ibidem.text.json_values import replace_surrogates

__all__ = ["DocumentTexts"]

_CACHED = 256
"""Documents whose texts are at hand."""


class DocumentTexts:
    """Texts and columns of documents by their ids; texts have U+FFFD for each half of a surrogate pair.

    Raises:
        ValueError: the result does not hold its documents any more.
    """

    def __init__(self, found: Reuse) -> None:
        collection = found.collection
        if collection is None:
            raise ValueError("this format holds texts: write it with ibidem reuse --also, while they are at hand")
        self._collection = collection
        self._numbers = {name: number for number, name in enumerate(collection.ids)}
        self.text = lru_cache(_CACHED)(self._text)

    def _text(self, id: str) -> str:
        return replace_surrogates(self._collection.text(self._numbers[id]))

    def metadata(self, id: str) -> dict[str, Any]:
        """The columns of a document besides its id and its text."""
        return self._collection.metadata(self._numbers[id])
