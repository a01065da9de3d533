"""Weights of tokens: a factor for the frequency in the text (tf), and one for the rarity in a collection (idf).

The weight of a token ``t`` that occurs ``f`` times in a text is ``tf(f) · idf(t)``. Sets and multisets are the special
cases in which every token is worth the same. The functions are those of Table 2 of the paper on weighted Jaccard
alignment; logarithms are natural.
"""

import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ibidem.arguments import FamilyName, IDFName, TFName
from ibidem.errors import CorpusError, FormatVersionError
from ibidem.text import Texts, TokenizerSpec, Tokens, make_tokenizer
from ibidem.text.token_counts import count_tokens, merge_counts
from ibidem.token_weights import TokenWeights, look_up

_Floats = NDArray[np.float64]

TF: dict[TFName, Callable[[_Floats], _Floats]] = {
    "binary": lambda f: (f > 0).astype(np.float64),
    "raw": lambda f: f,
    "logarithmic": np.log1p,
    "squared": np.square,
}
"""Weight of a frequency ``f``, by name."""

IDF: dict[IDFName, Callable[[int, _Floats], _Floats]] = {
    "unary": lambda _, n_t: np.ones_like(n_t),
    "standard": lambda n, n_t: np.log(n / n_t),
    "smooth": lambda n, n_t: np.log((n + n_t) / n_t) + 1,
    "probabilistic": lambda n, n_t: np.log((n - n_t) / n_t),
}
"""Weight of a token that occurs in ``n_t`` of ``n`` documents, by name."""

_VERSION = 1


class NoWeightError(ValueError):
    """No token of a query has a weight."""

    def __init__(self) -> None:
        super().__init__("the query holds no token that has a weight, so nothing can be similar to it")


class DocumentFrequencies:
    """The number of documents of a collection in which each token occurs; immutable.

    Attributes:
        tokens: uint32 [V], sorted and distinct.
        counts: uint32 [V], each from 1 to ``num_documents``.
        num_documents: how many documents the collection has.

    >>> frequencies = DocumentFrequencies([3, 7], [2, 1], num_documents=2)
    >>> frequencies.lookup([7, 8]).tolist()
    [1, 0]
    """

    def __init__(self, tokens: ArrayLike, counts: ArrayLike, num_documents: int) -> None:
        self.tokens: NDArray[np.uint32] = np.asarray(tokens, np.uint32)
        self.counts: NDArray[np.uint32] = np.asarray(counts, np.uint32)
        self.num_documents = int(num_documents)
        if self.tokens.ndim != 1 or self.tokens.shape != self.counts.shape:
            raise ValueError("tokens and counts are arrays of one dimension and the same length")
        if (self.tokens[1:] <= self.tokens[:-1]).any():
            raise ValueError("tokens must be sorted and distinct")
        if ((self.counts < 1) | (self.counts > self.num_documents)).any():
            raise ValueError(f"a token occurs in 1 to {self.num_documents} documents, and a count says otherwise")

    @classmethod
    def count(cls, batches: Iterable[Tokens]) -> Self:
        """Count the documents that hold each token; every text of a batch is a document."""
        counts, num_documents = merge_counts([]), 0
        for batch in batches:
            counts = merge_counts([counts, count_tokens(batch.ids, batch.bounds)])
            num_documents += len(batch.bounds) - 1
        tokens, in_documents, _ = counts
        return cls(tokens, in_documents, num_documents)

    @cached_property
    def highest(self) -> int:
        """The documents that hold the commonest token, 1 if there is none."""
        return int(self.counts.max(initial=1))

    def lookup(self, ids: ArrayLike) -> NDArray[np.int64]:
        """Counts int64 of tokens, in the shape of ``ids``; 0 for a token that occurs in no document."""
        return look_up(ids, self.tokens, self.counts, np.int64(0))

    def save(self, path: str | Path) -> None:
        """Write an ``.npz`` file that ``load`` reads."""
        columns: dict[str, Any] = {"tokens": self.tokens, "counts": self.counts}
        numbers: dict[str, Any] = {"version": _VERSION, "num_documents": self.num_documents}
        with open(path, "wb") as file:  # a name would have .npz added to it
            np.savez(file, **columns, **numbers)

    @classmethod
    def load(cls, path: str | Path, tokenizer: TokenizerSpec = "words") -> Self:
        """Read what ``save`` wrote, or a table of words as text.

        The table has ``documents<TAB>N`` in its first line and ``word<TAB>count`` in each other; ``tokenizer``, that of
        the texts to be weighed, turns the words into tokens.

        Raises:
            CorpusError: the file cannot be read as either; the message gives the line.
            FormatVersionError: the file was saved by a newer ibidem.
        """
        try:
            if zipfile.is_zipfile(path):
                return cls(*_read_columns(Path(path)))
            return cls(*_read_table(Path(path), tokenizer))
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise CorpusError(f"{path}: document frequencies cannot be read: {error}") from error

    def __repr__(self) -> str:
        return f"DocumentFrequencies({len(self.tokens)} tokens, {self.num_documents} documents)"


def _read_columns(path: Path) -> tuple[NDArray[Any], NDArray[Any], int]:
    with np.load(path, allow_pickle=False) as columns:
        if int(columns["version"]) > _VERSION:
            raise FormatVersionError(f"{path}: saved by a newer ibidem, in format {columns['version']}")
        return columns["tokens"], columns["counts"], int(columns["num_documents"])


def _read_table(path: Path, spec: TokenizerSpec) -> tuple[NDArray[Any], NDArray[Any], int]:
    rows = list(_rows(path))
    if not rows or rows[0][1] != "documents":
        raise ValueError("line 1 must be 'documents', a tab, and how many documents there are")
    num_documents = rows[0][2]
    words = make_tokenizer(spec).encode(Texts.from_strings([word for _, word, _ in rows[1:]]))
    line_of: dict[int, int] = {}
    for (line, word, count), first, last in zip(rows[1:], words.bounds[:-1], words.bounds[1:], strict=True):
        if last - first != 1:
            raise ValueError(f"line {line}: {word!r} is {last - first} tokens, not 1")
        if not 1 <= count <= num_documents:
            raise ValueError(f"line {line}: a count is from 1 to {num_documents}, not {count}")
        earlier_line = line_of.setdefault(int(words.ids[first]), line)
        if earlier_line != line:
            raise ValueError(f"line {line}: {word!r} is the same token as the word of line {earlier_line}")
    order = np.argsort(words.ids)
    return words.ids[order], np.array([count for _, _, count in rows[1:]], np.uint32)[order], num_documents


def _rows(path: Path) -> Iterator[tuple[int, str, int]]:
    """Line number, word and count of each line that is not empty."""
    with open(path, encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                word, tab, count = line.rstrip("\r\n").rpartition("\t")
                if not tab or not count.strip().isdecimal():
                    raise ValueError(f"line {number}: expected a word, a tab and a count, not {line.rstrip()!r}")
                yield number, word, int(count)


@dataclass(frozen=True)
class Weighting:
    """A choice of tf and idf, with the document frequencies that the idf needs.

    Attributes:
        tf: ``"binary"`` 1 if f > 0, ``"raw"`` f, ``"logarithmic"`` ln(f + 1), ``"squared"`` f².
        idf: ``"unary"`` 1, ``"standard"`` ln(N / N_t), ``"smooth"`` ln((N + N_t) / N_t) + 1,
            ``"probabilistic"`` ln((N - N_t) / N_t), where ``N_t`` of ``N`` documents hold the token. A token that none
            holds counts as in one.
        frequencies: ``N`` and ``N_t``; every idf but ``"unary"`` needs them.
        weights: weights of one's own in the place of an idf; see ``of_words``.
    """

    tf: TFName = "raw"
    idf: IDFName = "unary"
    frequencies: DocumentFrequencies | None = None
    weights: TokenWeights | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.weights is not None and (self.idf != "unary" or self.frequencies is not None):
            raise ValueError("weights of one's own take the place of an idf and of document frequencies")
        for kind, name, valid_names in (("tf", self.tf, list(TF)), ("idf", self.idf, list(IDF))):
            if name not in valid_names:
                raise ValueError(f"no {kind} is called {name!r}; there are {', '.join(valid_names)}")
        if self.idf != "unary" and self.frequencies is None:
            raise ValueError(f"the idf {self.idf!r} needs document frequencies")

    @classmethod
    def of(
        cls,
        family: FamilyName,
        *,
        tf: TFName | None = None,
        idf: IDFName | None = None,
        frequencies: DocumentFrequencies | None = None,
    ) -> Self:
        """Weighting of a family: ``"set"`` is binary and unary, ``"multiset"`` raw and unary, ``"weighted"`` as asked.

        >>> Weighting.of("set")
        Weighting(tf='binary', idf='unary', frequencies=None)
        """
        pairs: dict[str, tuple[TFName, IDFName]] = {"set": ("binary", "unary"), "multiset": ("raw", "unary")}
        if family == "weighted":
            return cls(tf or "raw", idf or "unary", frequencies)
        if family not in pairs:
            raise ValueError(f"no family is called {family!r}; there are set, multiset, weighted")
        if (tf or pairs[family][0], idf or pairs[family][1]) != pairs[family]:
            raise ValueError(
                f"tf and idf are weights of the family 'weighted', not of {family!r}, which has tf "
                f"{pairs[family][0]!r} and idf 'unary'"
            )
        return cls(*pairs[family])

    @classmethod
    def of_words(cls, weights: Mapping[str, float], *, tf: TFName = "raw", tokenizer: TokenizerSpec = "words") -> Self:
        """A weighting with custom weights of words; all other words weigh 1.

        Raises:
            ValueError: a weight is no finite number from 0, a word is not one token, or two words are one token and
                weigh differently.

        >>> words = make_tokenizer("words").encode(Texts.from_strings(["the Rose is"]))
        >>> Weighting.of_words({"the": 0.1, "rose": 2}).idf_of(words.ids).tolist()
        [0.1, 2.0, 1.0]
        """
        return cls(tf, weights=TokenWeights.of_words(weights, make_tokenizer(tokenizer)))

    def tf_table(self, n: int) -> NDArray[np.float64]:
        """Weights float64 [n + 1] of the frequencies 0 to ``n``; that of 0 is 0.

        >>> Weighting(tf="squared").tf_table(3).tolist()
        [0.0, 1.0, 4.0, 9.0]
        """
        return TF[self.tf](np.arange(n + 1, dtype=np.float64))

    def least_step(self) -> float:
        """The least that one more token can add to the weight of a passage, whatever it holds already.

        >>> Weighting.of("multiset").least_step(), Weighting.of("set").least_step()
        (1.0, 0.0)
        """
        return self.least_first() if self.tf in ("raw", "squared") else 0.0

    def least_first(self) -> float:
        """The least that a token adds to the weight of a passage in which it does not occur yet.

        >>> Weighting.of("set").least_first()
        1.0
        """
        if self.weights is not None:
            return float(self.tf_table(1)[1]) * self.weights.least()
        if self.frequencies is None:
            return float(self.tf_table(1)[1])
        commonest = self.frequencies.highest  # weights fall with the documents that hold a token
        return float(self.tf_table(1)[1] * self._idf(np.array([1.0, commonest])).min())

    def idf_of(self, ids: ArrayLike) -> NDArray[np.float64]:
        """Weights float64 of tokens, in the shape of ``ids``; 0, so that the token does not count, where the formula
        gives less."""
        if self.weights is not None:
            return self.weights.lookup(ids)
        if self.frequencies is None:
            return np.ones(np.shape(ids))
        return self._idf(np.maximum(self.frequencies.lookup(ids), 1).astype(np.float64))

    def _idf(self, holding: NDArray[np.float64]) -> NDArray[np.float64]:
        """Weights of tokens that occur in ``holding`` documents."""
        if self.frequencies is None:
            return np.ones_like(holding)
        with np.errstate(divide="ignore", invalid="ignore"):
            weights = IDF[self.idf](self.frequencies.num_documents, holding)
        return np.fmax(weights, 0.0)
