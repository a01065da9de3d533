"""The unit that suits texts: words, or runs of characters where a text hardly ever has the same word twice.

Sanskrit joins its words, and changes them where they meet; whoever quotes it parts them again. Where machines misread
most words, or words are compounds, the same happens: two texts say the same, and share no word. Their letters they do
share. So a sample of the texts is looked at: of a thousand running words of prose, a third to a half occur once among
them, in Hebrew and Arabic about half, in Sanskrit two thirds. Scripts are counted apart, since a collection may have
several.

What does not repeat its characters either, as codes and sums do, is left to words. Where words are single letters of a
small alphabet, as in scripts without spaces, all texts share them, and runs of these are compared, too.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.text.advice import thin_texts
from ibidem.text.batches import Texts, Tokenizer, Tokens
from ibidem.text.documents import Documents
from ibidem.text.normalization.chain import STEMS
from ibidem.text.registry import Normalize, TokenizerSpec, make_tokenizer

AUTO = "auto"
"""The name that asks for the unit that suits the texts."""

WORDS = "words"

_Ids = npt.NDArray[np.uint32]

EVERY_RUN, SOME_RUNS = "characters:3", "characters:4/3"
"""Runs of characters for texts that are short, as verses are, and for others. A short text needs all of them; of a long
one, a third costs what its words cost, and finds as much (decision 56)."""

_SHORT = 2_000
"""The most characters of texts that are short, on the average."""

_PIECE = 1_000
"""Running words among which those are counted that occur once."""

SAMPLE = 200_000
"""Characters of a sample of a collection, about."""

_MOST_PIECES = 4
"""Pieces that are looked at, about."""

_ONCE = 0.55
"""The least share of words that occur once, where runs of characters are compared."""

_REPEATED = 0.3
"""The least share of runs of four characters that occur again in as many words."""

_SHARE = 0.25
"""The least share of the letters of a sample that such words have."""

_OFTEN = 0.016
"""The least probability that two running letters of a script without spaces are the same, where runs of characters are
compared. In Chinese it is below 0.01; any two stretches of Thai or of kana have most letters in common."""

_FEWEST_LETTERS = 300
"""Letters from which this probability can be told."""

_LEAST_PARTS, _LEAST_PARTS_OF_RUNS = 4, 12
"""The shortest passage is this part of the shorter text, in words and in runs of characters. A word says more than a
run does; but a quarter of a verse in runs is half of its words."""


_SCRIPTS = (0, 0, 3), (0, 0x1E, 0x1F), (3, 0x1F, 0x20), (0x4E, 0x2E, 0xA0), (0xAC, 0xAC, 0xD8)
"""Pages of 256 code points, from one to another, half open, and the page that stands for their script: Latin, Greek,
Chinese and Japanese, Hangul. Other scripts have a page, or share one."""

_NO_LETTERS = 0x1000000
"""The page of words that hold a digit, or begin with no letter: names of things that are numbered are no language."""


def suit_texts(texts: Sequence[str], normalize: Normalize, mean_length: float | None = None) -> Tokenizer:
    """The tokenizer of the unit that suits ``texts``; of words if these are to be compared by their stems."""
    names = [normalize] if isinstance(normalize, str) else normalize
    unit = WORDS if any(STEMS in name for name in names) else choose_unit(texts, mean_length)
    return make_tokenizer(unit, normalize=normalize)


def choose_unit(texts: Sequence[str], mean_length: float | None = None) -> str:
    """The unit that suits ``texts``, such as a sample of a collection has, as ``make_tokenizer`` takes it.

    Args:
        mean_length: characters of the documents of the collection, on the average; those of ``texts`` if not given.

    >>> choose_unit(["the same words again and again"] * 500)
    'words'
    """
    size, total = 0, 0
    words = make_tokenizer(WORDS)
    if are_letters(words.encode(Texts.from_strings(texts), offsets=True)):
        return EVERY_RUN if _mean_length(texts, mean_length) <= _SHORT else SOME_RUNS
    for script in _list_scripts(texts):
        letters = sum(map(len, script.words))
        total += letters
        if hardly_repeat(np.concatenate(script.ids)) and _repeat_runs(script.words):
            size += letters
    if not size or size < _SHARE * total:
        return WORDS
    return EVERY_RUN if _mean_length(texts, mean_length) <= _SHORT else SOME_RUNS


def _mean_length(texts: Sequence[str], given: float | None) -> float:
    return sum(map(len, texts)) / len(texts) if given is None else given


def choose_collection_unit(texts: Iterable[str]) -> str:
    """The unit that suits a collection, by a sample of its texts."""
    lengths = []

    def measure() -> Iterator[str]:
        for text in texts:
            lengths.append(len(text))
            yield text

    sample = thin_texts(measure(), SAMPLE)
    return choose_unit(sample, sum(lengths) / max(1, len(lengths)))


def sample_batches(sides: Sequence[Iterator[Documents]]) -> tuple[list[str], list[Iterator[Documents]]]:
    """A sample of collections, of the first batch of each; and all their batches."""
    sample: list[str] = []
    whole: list[Iterator[Documents]] = []
    for batches in sides:
        first = list(islice(batches, 1))
        sample += thin_texts((text for batch in first for text in batch.texts), SAMPLE)
        whole.append(chain(first, batches))
    return sample, whole


def name_unit(tokenizer: TokenizerSpec) -> str:
    """The name of the unit that a tokenizer makes, as ``choose_unit`` gives it."""
    config = make_tokenizer(tokenizer).config
    return WORDS if config["name"] == WORDS else SOME_RUNS if "every" in config else EVERY_RUN


def hardly_repeat(ids: _Ids) -> bool:
    """Whether words are such that another unit may suit their text, which a glance at their ids tells."""
    return share_once(ids) >= _ONCE


def are_letters(tokens: Tokens) -> bool:
    """Whether most tokens touch each other, as the letters of scripts without spaces do, and are those of few letters.

    ``tokens`` have their offsets.
    """
    if tokens.starts is None or tokens.ends is None or len(tokens.ids) < _FEWEST_LETTERS:
        return False
    if 2 * np.count_nonzero(tokens.starts[1:] == tokens.ends[:-1]) < len(tokens.ids):
        return False
    counts = np.unique(tokens.ids, return_counts=True)[1]
    return bool(((counts / len(tokens.ids)) ** 2).sum() >= _OFTEN)


def find_least_part(tokenizer: Tokenizer) -> int:
    """Which part of the shorter text the shortest passage is, if no length is given."""
    config = tokenizer.config
    has_runs = config.get("name") == "characters" and config.get("shingle", 1) > 1
    return max(1, _LEAST_PARTS_OF_RUNS // config.get("every", 1)) if has_runs else _LEAST_PARTS


def share_once(ids: _Ids, size: int = _PIECE) -> float:
    """The share of ``size`` tokens in a row that occur once among them, on the average; 0 if there are not so many."""
    starts = np.arange(0, len(ids) - size + 1, size)
    if not len(starts):
        return 0.0
    pieces = np.sort(ids[starts[:: max(1, len(starts) // _MOST_PIECES), np.newaxis] + np.arange(size)], axis=1)
    is_new = np.ones((len(pieces), size + 1), np.bool_)
    is_new[:, 1:-1] = pieces[:, 1:] != pieces[:, :-1]
    return np.count_nonzero(is_new[:, 1:] & is_new[:, :-1]) / pieces.size


class _Script(NamedTuple):
    """The running words of a script, as the ids of each text's and as they are spelled."""

    ids: list[_Ids]
    words: list[str]


def _list_scripts(texts: Iterable[str]) -> list[_Script]:
    """The words of each script that has a thousand of them."""
    tokenizer = make_tokenizer(WORDS)
    scripts: defaultdict[int, _Script] = defaultdict(lambda: _Script([], []))
    for text in texts:
        tokens = tokenizer.encode(Texts.from_strings([text]), offsets=True)
        assert tokens.starts is not None  # offsets were asked for
        assert tokens.ends is not None
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        pages = _find_pages(codes[tokens.starts])
        digits = np.concatenate([[0], np.cumsum((codes >= ord("0")) & (codes <= ord("9")))])
        pages[digits[tokens.ends] > digits[tokens.starts]] = _NO_LETTERS
        for page in np.unique(pages).tolist():
            chosen = np.flatnonzero(pages == page)
            spans = zip(tokens.starts[chosen].tolist(), tokens.ends[chosen].tolist(), strict=True)
            scripts[page].ids.append(tokens.ids[chosen])
            scripts[page].words.extend(text[start:end] for start, end in spans)
    scripts.pop(_NO_LETTERS, None)
    return [script for script in scripts.values() if len(script.words) >= _PIECE]


def _find_pages(codes: _Ids) -> _Ids:
    """The page of each letter, one for all of its script."""
    pages = codes >> np.uint32(8)
    for page, first, last in _SCRIPTS:
        pages[(pages >= first) & (pages < last)] = page
    pages[codes < ord("A")] = _NO_LETTERS
    return pages


def _repeat_runs(words: Sequence[str]) -> bool:
    """Whether as many words have most of their runs of four characters again."""
    runs = make_tokenizer("characters:4").encode(Texts.from_strings([" ".join(words)])).ids
    return 1 - share_once(runs, len(runs) * _PIECE // len(words)) >= _REPEATED
