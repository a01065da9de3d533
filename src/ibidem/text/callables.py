"""A caller's own function as a tokenizer."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.text.batches import Texts, Tokens
from ibidem.text.code_points import hash_texts


class FunctionTokenizer:
    """Makes a tokenizer of a function from a text to its tokens.

    A token is a ``str``, an ``int`` from 0 to 2^32 - 1 that is its own id, or a tuple of one of these and the start and
    end of its place in code points. Strings are not folded; a string that is folded already has the id that the words
    tokenizer gives it. ``encode`` raises ``TypeError`` for a token that is none of these, and ``ValueError`` for an id
    or a place that cannot be, or if offsets are wanted and the function gives none.
    """

    def __init__(self, function: Callable[[str], Iterable[Any]]) -> None:
        self.function = function
        function_name = getattr(function, "__qualname__", type(function).__qualname__)
        self.name = f"{getattr(function, '__module__', None) or type(function).__module__}.{function_name}"

    def encode(self, texts: Texts, *, offsets: bool = False) -> Tokens:
        """Tokens of ``texts``."""
        bounds = np.zeros(len(texts) + 1, np.int64)
        identities: list[Any] = []
        places: list[NDArray[np.uint32]] = []
        for number, text in enumerate(texts):
            tokens = list(self.function(text))
            identities += [token[0] if isinstance(token, tuple) and token else token for token in tokens]
            bounds[number + 1] = len(identities)
            if offsets:
                places.append(self._places(tokens, number, len(text)))
        ids = self._ids(identities)
        if not offsets:
            return Tokens(ids, bounds)
        starts, ends = np.concatenate(places, axis=1) if places else np.zeros((2, 0), np.uint32)
        return Tokens(ids, bounds, starts, ends)

    @property
    def config(self) -> dict[str, Any]:
        """The function's name, for messages: a function cannot be rebuilt from a configuration."""
        return {"name": "callable", "function": self.name, "shingle": 1}

    def _ids(self, identities: list[Any]) -> NDArray[np.uint32]:
        strings = list({identity: None for identity in identities if isinstance(identity, str)})
        number_of = dict(zip(strings, hash_texts(Texts.from_strings(strings)).tolist(), strict=True))
        return np.array(
            [number_of[identity] if isinstance(identity, str) else self._number(identity) for identity in identities],
            np.uint32,
        )

    def _number(self, identity: Any) -> int:
        if isinstance(identity, bool) or not isinstance(identity, (int, np.integer)):
            raise TypeError(f"{self.name} gave {identity!r}; a token is a str, an int, or (str or int, start, end)")
        if not 0 <= identity <= 0xFFFFFFFF:
            raise ValueError(f"{self.name} gave the id {identity}; ids are from 0 to 2**32 - 1")
        return int(identity)

    def _places(self, tokens: list[Any], number: int, length: int) -> NDArray[np.uint32]:
        """Starts and ends, uint32 [2, t], of the tokens of text ``number``, which has ``length`` code points."""
        if not all(isinstance(token, tuple) and len(token) == 3 for token in tokens):
            raise ValueError(f"{self.name} gives tokens without places; offsets need (token, start, end)")
        starts = np.array([token[1] for token in tokens], np.int64)
        ends = np.array([token[2] for token in tokens], np.int64)
        if (starts < 0).any() or (ends < starts).any() or (ends > length).any() or (starts[1:] < starts[:-1]).any():
            raise ValueError(
                f"{self.name}, text {number} of the batch: a place must lie in the text's {length} code points, end "
                "no sooner than it starts, and start no sooner than the one before"
            )
        return np.stack([starts, ends]).astype(np.uint32)
