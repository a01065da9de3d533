"""How many words two texts share, from the passages that were found in them."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.comparison.correspondence import TokenEvidence
from ibidem.comparison.quotation_marks import find_quoted_tokens
from ibidem.comparison.shares import (
    FoundRange,
    Quotation,
    SharedPassages,
    WordCounts,
    count_words,
    label_documents,
    list_quotations,
    make_columns,
)
from ibidem.comparison.tokenized import (
    TokenizedPair,
    token_evidence,
    tokenize_pair,
    whole_word_tokenizer,
    word_tokenizer,
)
from ibidem.spans import Alignment, Match
from ibidem.text import Tokenizer, TokenizerSpec, make_tokenizer
from ibidem.weights import DocumentFrequencies

_Ranges = Iterable[tuple[int, int]]


class Shares(NamedTuple):
    """How many words of each of two texts the other one has.

    Attributes:
        a, b: the counts of the words of either text.
        a_quotations, b_quotations: the quotations of either text that the other one has, if quotations were asked for.
    """

    a: WordCounts
    b: WordCounts
    a_quotations: tuple[Quotation, ...] = ()
    b_quotations: tuple[Quotation, ...] = ()

    def describe(self, a: str = "a", b: str = "b") -> tuple[str, str]:
        """A sentence for each text, by the names of the two."""
        return self.a.describe(a, b), self.b.describe(b, a)

    def to_dict(self) -> dict[str, float | int]:
        """Shares and counts by the names of the columns of ``document_pairs``: ``a_identical_share`` and so on."""
        return make_columns(self.a, self.b)


class LabelledText(NamedTuple):
    """The words of a text, without those that count as absent.

    Attributes:
        labels: uint8 [n], how each is shared; see :mod:`ibidem.comparison.shares`.
        starts, ends: int64 [n], their places in code points.
        absent: how many more words the text has.
    """

    labels: NDArray[np.uint8]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    absent: int


def count_shares(
    a: str,
    b: str,
    found: Iterable[Alignment | Match],
    *,
    tokenizer: TokenizerSpec = "words",
    frequencies: DocumentFrequencies | None = None,
    quotations: int | None = None,
    absent: tuple[_Ranges, _Ranges] = ((), ()),
) -> Shares:
    """Count the words that two texts share in the passages ``found``.

    Args:
        found: what ``align`` found in the texts; of a match in an index, ``a`` is the query and ``b`` the document.
        tokenizer: cuts the texts into words. If its tokens are characters or parts of words, or shingles of them, the
            words are those of ``"words"``, with the same normalization.
        frequencies: how often each token occurs, each running token counting as a document; of two words that
            cannot both correspond, the rarer one does. They are counted in the two texts if not given, and if the
            tokens are no words.
        quotations: words of the shortest quotation whose words count as quoted alone; none does if not given.
        absent: ranges of code points of ``a`` and of ``b`` whose words count as absent.

    Raises:
        ValueError: ``quotations`` is below 1.
    """
    if quotations is not None and quotations < 1:
        raise ValueError(f"quotations must be 1 word or more, not {quotations!r}")
    counts, lists = [], []
    labelled = label_texts(a, b, map(_range_of, found), make_tokenizer(tokenizer), frequencies, absent)
    for text, (labels, starts, ends, missing) in zip((a, b), labelled, strict=True):
        quoted = [] if quotations is None else find_quoted_tokens(text, starts, ends, quotations)
        counts.append(count_words(labels, quoted, missing))
        lists.append(tuple(list_quotations(labels, quoted, starts, ends)))
    return Shares(counts[0], counts[1], lists[0], lists[1])


def label_texts(
    a: str,
    b: str,
    ranges: Iterable[FoundRange],
    tokenizer: Tokenizer,
    frequencies: DocumentFrequencies | None = None,
    absent: tuple[_Ranges, _Ranges] = ((), ()),
) -> tuple[LabelledText, LabelledText]:
    """The words of two texts, and how each is shared; ``ranges`` are ranges of code points.

    The other arguments are those of :func:`count_shares`.
    """
    words = whole_word_tokenizer(tokenizer)
    whole = tokenize_pair(a, b, words)
    tokens = _without(whole, absent)
    word_frequencies = frequencies if words is word_tokenizer(tokenizer) else None
    passages, first = list(ranges), len(tokens.a)
    spans = [(*_words_in(tokens.a_places, each.a), *_words_in(tokens.b_places, each.b)) for each in passages]
    labels, _ = label_documents(
        np.concatenate([tokens.a, tokens.b]),
        np.array([[0, first, first, first + len(tokens.b)]]),
        SharedPassages(
            np.array(spans, np.int64).reshape(-1, 4) + np.array([0, 0, first, first]),
            np.zeros(len(passages), np.int64),
            np.array([each.summary for each in passages], np.bool_),
        ),
        TokenEvidence.of(token_evidence(tokens.vocabulary, word_frequencies or tokens.count_frequencies())),
    )
    a_places, b_places = tokens.a_places.T, tokens.b_places.T
    return (
        LabelledText(labels[:first], a_places[0], a_places[1], len(whole.a) - len(tokens.a)),
        LabelledText(labels[first:], b_places[0], b_places[1], len(whole.b) - len(tokens.b)),
    )


def _without(tokens: TokenizedPair, absent: tuple[_Ranges, _Ranges]) -> TokenizedPair:
    """The tokens outside of ranges of code points."""
    sides = []
    for places, ranges in zip((tokens.a_places, tokens.b_places), absent, strict=True):
        stays = np.ones(len(places), np.bool_)
        for start, end in ranges:
            stays &= (places[:, 0] < start) | (places[:, 1] > end)
        sides.append(stays)
    in_a, in_b = sides
    return tokens._replace(
        a=tokens.a[in_a], b=tokens.b[in_b], a_places=tokens.a_places[in_a], b_places=tokens.b_places[in_b]
    )


def _range_of(pair: Alignment | Match) -> FoundRange:
    """The code points of a pair of passages."""
    is_summary = pair.kind == "summary"
    if isinstance(pair, Match):
        return FoundRange((pair.query_start, pair.query_end), (pair.start, pair.end), is_summary)
    return FoundRange((pair.a_start, pair.a_end), (pair.b_start, pair.b_end), is_summary)


def _words_in(places: NDArray[np.int64], passage: tuple[int, int]) -> tuple[int, int]:
    """The words that begin in a passage, a half-open range."""
    first, last = np.searchsorted(places[:, 0], passage).tolist()
    return first, last
