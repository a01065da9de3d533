"""Resemblance and containment of documents, by their w-shinglings (Broder 1997, section 2).

A *w-shingle* is a run of ``w`` consecutive tokens. Under option A the i-th occurrence of a shingle is an element of its
own, labelled ``i``: the shingling is a multiset. Under option B it is the set of the distinct shingles.

A document of fewer than ``w`` tokens is taken as one shingle, that of all its tokens, so short documents are like their
equals and nothing else. One without a token has no shingle.

By ``"mix"``, a shingle becomes the hash of the ids of its tokens, which are hashes of 32 bits themselves. By
``"rabin"`` it becomes the fingerprint of its bytes: those of its folded tokens in UTF-8, each with a byte behind it
that occurs in no text. So Broder's bound (section 4.1) holds for the texts themselves, whoever chose them. Tokens of
other tokenizers than words, characters and runs of these have no folded form: there, the bound is one for sequences of
ids.
"""

from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from ibidem import similarity
from ibidem.arguments import FamilyName
from ibidem.sketches.elements import fingerprints
from ibidem.sketches.rabin import Rabin, fingerprint_spans
from ibidem.text import Texts, Tokenizer, Tokens, make_tokenizer
from ibidem.text.normalization import Normalization
from ibidem.text.shingles import Shingles
from ibidem.text.words_and_characters import Characters, Words

Option = Literal["A", "B"]
"""Labelled shingles, or distinct ones."""

# No byte of UTF-8.
_SEPARATOR = b"\xff"

_FAMILIES: dict[Option, FamilyName] = {"A": "multiset", "B": "set"}


class Shingling(msgspec.Struct, frozen=True):
    """Which shingles a document has.

    Attributes:
        width: tokens in a shingle, ``w``.
        unit: what a token is: ``"words"``, ``"characters"``, or another name that ``ibidem.make_tokenizer`` knows.
        option: ``"A"`` for labelled shingles, ``"B"`` for distinct ones.
        fingerprint: how a shingle becomes a number: ``"mix"``; ``"rabin"`` with 64 bits, or ``"rabin:40"`` with 40.
        seed: names the function of the fingerprints.

    >>> Shingling(1, option="A").resemblance("a rose is a rose is a rose", "a rose is a flower which is a rose")
    0.7
    """

    width: int = 5
    unit: str = "words"
    option: Option = "B"
    fingerprint: str = "mix"
    seed: int = 0

    def __post_init__(self) -> None:
        if self.width < 1:
            raise ValueError(f"a shingle is made of 1 token or more, not of {self.width}")
        if self.option not in _FAMILIES:
            raise ValueError(f"shingles are of option A, labelled, or B, distinct; not {self.option!r}")
        make_tokenizer(self.unit)  # refuses a name that it does not know
        fingerprints(b"", 1, **self._fingerprint)

    def shingles(self, text: str) -> NDArray[np.uint64]:
        """The fingerprints of the shingles of a text, in their order, repeated ones included: uint64 [n]."""
        tokenizer, method = make_tokenizer(self.unit), self._fingerprint
        inner, unit = (tokenizer.inner, tokenizer.width) if isinstance(tokenizer, Shingles) else (tokenizer, 1)
        if method["method"] == "rabin" and isinstance(inner, Words | Characters):
            return self._fingerprint_bytes(text, inner, unit, Rabin.of(method["degree"], self.seed))
        ids = tokenizer.encode(Texts.from_strings([text])).ids
        return fingerprints(ids, max(1, min(self.width, len(ids))), **method)

    def _fingerprint_bytes(self, text: str, inner: Tokenizer, unit: int, function: Rabin) -> NDArray[np.uint64]:
        """The fingerprints of the bytes of the shingles, where a unit has so many tokens of ``inner``."""
        tokens = inner.encode(Texts.from_strings([text]), offsets=True)
        units = len(tokens.ids) - unit + 1
        if units < 1:
            return np.zeros(0, np.uint64)
        length = min(self.width, units) + unit - 1  # units in a row overlap in all but one token
        data, bounds = _fold_tokens(text, tokens)
        return fingerprint_spans(function, data, bounds[: len(bounds) - length], bounds[length:])

    def elements(self, text: str) -> NDArray[np.uint64]:
        """The elements of a text for a sketch, uint64 ascending: distinct shingles, under option A labelled ones."""
        sorted_shingles = np.sort(self.shingles(text))
        if self.option == "B":
            return np.unique(sorted_shingles)
        first = np.searchsorted(sorted_shingles, sorted_shingles)  # where the first of equals is
        labels = (np.arange(len(sorted_shingles)) - first).astype(np.uint64)
        method = self._fingerprint
        if method["method"] == "rabin":
            method["seed"] += 1  # independent of the function of the shingles
        return np.unique(fingerprints(np.stack([sorted_shingles, labels], axis=1).ravel(), 2, **method)[::2])

    @property
    def _fingerprint(self) -> dict[str, Any]:
        """The method, degree and seed of the fingerprints."""
        method, _, degree = self.fingerprint.partition(":")
        if not degree:
            return {"method": method, "degree": 64, "seed": self.seed}
        if method != "rabin" or not degree.isdecimal():
            raise ValueError(
                f"fingerprints are 'mix', 'rabin', or 'rabin:' and a number of bits, not {self.fingerprint!r}"
            )
        return {"method": method, "degree": int(degree), "seed": self.seed}

    def resemblance(self, a: str, b: str) -> float:
        """``r_w``: the share of the elements of either document that are in both."""
        return similarity.jaccard(self.shingles(a), self.shingles(b), _FAMILIES[self.option])

    def containment(self, a: str, b: str) -> float:
        """``c_w``: the share of the elements of ``a`` that are in ``b``."""
        return similarity.containment(self.shingles(a), self.shingles(b), _FAMILIES[self.option])

    def distance(self, a: str, b: str) -> float:
        """``1 - r_w``, a metric on shinglings: it keeps the triangle inequality."""
        return 1 - self.resemblance(a, b)


def _fold_tokens(text: str, tokens: Tokens) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The bytes of the folded tokens of a text, each with a separator behind it, and their bounds, int64 [n + 1]."""
    assert tokens.starts is not None
    assert tokens.ends is not None
    places = zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True)
    folded_tokens = [_canonical(text[start:end]).encode("utf-8", "surrogatepass") + _SEPARATOR for start, end in places]
    bounds = np.zeros(len(folded_tokens) + 1, np.int64)
    np.cumsum([len(token_bytes) for token_bytes in folded_tokens], out=bounds[1:])
    return np.frombuffer(b"".join(folded_tokens), np.uint8), bounds


def _canonical(token: str) -> str:
    """The value by which equal tokens are recognized."""
    spelling = Normalization(()).spell_word(token)
    return " " if spelling.isspace() else spelling


def resemblance(a: str, b: str, width: int = 5, unit: str = "words", option: Option = "B") -> float:
    """Resemblance of two documents, from 0 to 1; the arguments after them are those of ``Shingling``."""
    return Shingling(width, unit, option).resemblance(a, b)


def containment(a: str, b: str, width: int = 5, unit: str = "words", option: Option = "B") -> float:
    """Share of ``a`` that ``b`` contains, from 0 to 1; the arguments after them are those of ``Shingling``."""
    return Shingling(width, unit, option).containment(a, b)


def distance(a: str, b: str, width: int = 5, unit: str = "words", option: Option = "B") -> float:
    """Distance of two documents, ``1 - resemblance``; the arguments after them are those of ``Shingling``."""
    return Shingling(width, unit, option).distance(a, b)
