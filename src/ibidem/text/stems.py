"""Words by their stems: inflected forms of one word count as the same, by the rules of Snowball for one language."""

import threading
import unicodedata
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import ConfigurationError, MissingExtraError
from ibidem.text.batches import Texts, Tokens
from ibidem.text.normalization.chain import Normalization
from ibidem.text.words_and_characters import Words


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...


class Stems:
    """Words of one language, by their stems.

    The words, and their places, are those of the tokenizer ``words``. A word is normalized, its stem is taken, and the
    token is that of the stem. Each distinct word is stemmed once.
    """

    def __init__(self, language: str, normalization: Normalization | None = None, version: str | None = None) -> None:
        if normalization is not None and normalization.most_letters is not None:
            raise ValueError("noisy keeps the first letters of words, and stems their last: choose one of them")
        self._language, self._normalization, self._words = language, normalization, Words(normalization)
        self._stemmer, self._version = _make_stemmer(language)
        if version not in (None, self._version):
            raise ConfigurationError(
                f"the stems are those of snowballstemmer {version}, and {self._version} is installed: install that "
                "version, or build the index again"
            )
        self._known: dict[int, int] = {}
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        """The language and the names of tables: whoever reads them makes the rest."""
        return type(self), (self._language, self._normalization, self._version)

    def encode(self, texts: Texts, *, offsets: bool = False) -> Tokens:
        """Tokens of ``texts``."""
        tokens = self._words.encode(texts, offsets=True)
        distinct, first, places = np.unique(tokens.ids, return_index=True, return_inverse=True)
        with self._lock:
            self._learn(texts, tokens, np.sort(first[[id not in self._known for id in distinct.tolist()]]))
            stems = np.array([self._known[id] for id in distinct.tolist()], np.uint32)
        spans = (tokens.starts, tokens.ends) if offsets else (None, None)
        return Tokens(stems[places.ravel()], tokens.bounds, *spans)

    def _learn(self, texts: Texts, tokens: Tokens, rows: NDArray[np.int64]) -> None:
        """Find the stems of the words at ``rows``, which ascend."""
        assert tokens.starts is not None  # offsets were asked for
        assert tokens.ends is not None
        bounds = np.searchsorted(rows, tokens.bounds)
        for number, (low, high) in enumerate(pairwise(bounds.tolist())):
            if low == high:
                continue
            text, rows_of_text = texts[number], rows[low:high]
            spans = zip(tokens.starts[rows_of_text].tolist(), tokens.ends[rows_of_text].tolist(), strict=True)
            stems = [self._stem(text[start:end]) for start, end in spans]
            stem_tokens = self._words.encode(Texts.from_strings(stems))
            for id, first, last in zip(
                tokens.ids[rows_of_text].tolist(), stem_tokens.bounds[:-1], stem_tokens.bounds[1:], strict=True
            ):
                self._known[id] = int(stem_tokens.ids[first]) if last - first == 1 else id

    def _stem(self, word: str) -> str:
        normal = self._words.normalization.spell_word(word)
        return self._stemmer.stemWord(unicodedata.normalize("NFC", "".join(normal.split())))

    @property
    def config(self) -> dict[str, Any]:
        """The configuration from which ``make_tokenizer()`` rebuilds this tokenizer."""
        return {**self._words.config, "stems": {"language": self._language, "snowball": self._version}}


def stem_languages() -> list[str]:
    """The languages of which there are stems.

    Raises:
        MissingExtraError: snowballstemmer is not installed.
    """
    return sorted(_snowball().algorithms())


def _make_stemmer(language: str) -> tuple[_Stemmer, str]:
    from importlib.metadata import version

    languages = stem_languages()
    if language not in languages:
        raise ValueError(f"there are no stems of {language!r}; there are {', '.join(languages)}")
    stemmer: _Stemmer = _snowball().stemmer(language)
    return stemmer, version("snowballstemmer")


def _snowball() -> Any:
    try:
        import snowballstemmer
    except ImportError as error:
        raise MissingExtraError("taking the stems of words", "stems") from error
    return snowballstemmer
