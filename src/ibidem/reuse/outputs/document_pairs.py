"""The table of pairs of documents: how many words of each the other one has, the pair of most evidence first."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.comparison.correspondence import TokenEvidence
from ibidem.comparison.quotation_marks import find_quoted_tokens
from ibidem.comparison.shares import (
    CHANGED,
    COUNTS,
    NO_WORDS,
    FoundRange,
    Quotation,
    SharedPassages,
    WordCounts,
    count_words,
    label_documents,
    list_quotations,
    make_columns,
)
from ibidem.comparison.text_shares import LabelledText, label_texts
from ibidem.comparison.tokenized import whole_word_tokenizer
from ibidem.corpus.writing.tables import make_table
from ibidem.parallel import in_threads
from ibidem.ragged import bounds_of
from ibidem.reuse.collection import Collection
from ibidem.reuse.outputs.result import DOCUMENT_PAIRS, QUOTATIONS
from ibidem.reuse.pairs import Pairs
from ibidem.text import Tokenizer

if TYPE_CHECKING:
    import pyarrow as pa

_Ints = NDArray[np.int64]
_Labels = NDArray[np.uint8]

_BATCH = 1 << 18
"""Tokens of documents that are labelled at once."""


class SharedWords(NamedTuple):
    """The words that documents share with each other.

    Attributes:
        table: a row for each two documents that share a passage.
        reused: int64 [D], the tokens of each document that are identical, moved or changed in any other.
    """

    table: "pa.Table"
    reused: _Ints


class CountedWords:
    """The words of a collection whose tokens are words.

    Attributes:
        quotations: if given, the words of a quotation of this many words or more count as quoted alone.
    """

    def __init__(self, collection: Collection, quotations: int | None = None) -> None:
        self.quotations = quotations
        self._collection = collection
        nats = np.maximum(collection.idf * collection.rarity.mean - 1, 0)  # -ln of the share of the tokens
        self._evidence = TokenEvidence.of(nats)
        self._quoted: dict[int, list[tuple[int, int]]] = {}

    @classmethod
    def of(cls, collection: Collection, tokenizer: Tokenizer, quotations: int | None = None) -> "CountedWords":
        """The tokens of a collection, or words cut from its texts if its tokens are no words."""
        if whole_word_tokenizer(tokenizer) is tokenizer:
            return cls(collection, quotations)
        return CutWords(collection, tokenizer, quotations)

    def places(self, document: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return where each word of a document starts and ends, in code points, both [n]."""
        return self._collection.places(document)

    def count_absent(self, document: int) -> int:
        """Count the words of a document that count as absent."""
        return int(self._collection.lengths[document]) - len(self._collection.places(document)[0])

    def label(self, documents: _Ints, pairs: Pairs, row_of_pair: _Ints) -> tuple[_Labels, _Ints]:
        """Label each word of ``documents`` int64 [D, 2] by the pairs of passages in them; see ``label_documents``.

        ``row_of_pair`` int64 [P] are the rows of the documents of each pair.
        """
        text_starts = self._collection.bounds[documents]
        ranges = np.stack([text_starts, self._collection.bounds[documents + 1]], axis=2).reshape(-1, 4)
        passages = SharedPassages(
            pairs.ranges + np.repeat(text_starts, 2, axis=1)[row_of_pair], row_of_pair, pairs.summary
        )
        return label_documents(self._collection.tokens, ranges, passages, self._evidence)

    def find_quoted(self, document: int) -> list[tuple[int, int]]:
        """The half-open ranges of words that count as quoted alone."""
        if self.quotations is None:
            return []
        if document not in self._quoted:
            text = self._collection.text(document)
            self._quoted[document] = find_quoted_tokens(text, *self.places(document), self.quotations)
        return self._quoted[document]

    def count_tokens(self, document: int, words: NDArray[np.bool_]) -> int:
        """The tokens of a document that consist of such ``words``, bool [n]."""
        return int(np.count_nonzero(words))


class CutWords(CountedWords):
    """The words of a collection whose tokens are characters, shingles or parts of words, cut from its texts."""

    def __init__(self, collection: Collection, tokenizer: Tokenizer, quotations: int | None = None) -> None:
        super().__init__(collection, quotations)
        self._tokenizer = tokenizer

    def places(self, document: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return where each word of a document starts and ends, in code points, both [n]."""
        words = self._cut(document)
        return words.starts, words.ends

    def count_absent(self, document: int) -> int:
        """Count the words of a document that count as absent."""
        return self._cut(document).absent

    def _cut(self, document: int) -> LabelledText:
        text, boilerplate = self._collection.text(document), self._collection.boilerplate(document).tolist()
        words, _ = label_texts(text, "", (), self._tokenizer, absent=(boilerplate, ()))
        return words

    def label(self, documents: _Ints, pairs: Pairs, row_of_pair: _Ints) -> tuple[_Labels, _Ints]:
        """Label each word of ``documents`` by the pairs of passages in them."""
        labels = [
            text.labels
            for row, pair in enumerate(documents.tolist())
            for text in self._label_pair(pair, pairs.take(np.flatnonzero(row_of_pair == row)))
        ]
        return np.concatenate(labels), bounds_of([len(text_labels) for text_labels in labels])

    def _label_pair(self, documents: list[int], pairs: Pairs) -> tuple[LabelledText, LabelledText]:
        collection = self._collection
        ends = [
            [(int(starts[first]), int(ends[first:last].max())) for first, last in ranges]
            for document, ranges in zip(documents, (pairs.ranges[:, :2], pairs.ranges[:, 2:]), strict=True)
            for starts, ends in [collection.places(document)]
        ]
        passages = map(FoundRange, *ends, pairs.summary.tolist())
        a, b = (collection.text(document) for document in documents)
        boilerplate_a, boilerplate_b = (collection.boilerplate(document).tolist() for document in documents)
        return label_texts(a, b, passages, self._tokenizer, absent=(boilerplate_a, boilerplate_b))

    def count_tokens(self, document: int, words: NDArray[np.bool_]) -> int:
        """The tokens of a document that touch a word, and none that is not among ``words``, bool [n]."""
        word_starts, word_ends = self.places(document)
        starts, ends = self._collection.places(document)
        first, last = np.searchsorted(word_ends, starts, "right"), np.searchsorted(word_starts, ends)
        words_before = np.concatenate([np.zeros(1, np.int64), np.cumsum(words)])
        return int(np.count_nonzero((first < last) & (words_before[last] - words_before[first] == last - first)))


def count_shared_words(collection: Collection, pairs: Pairs, words: CountedWords, threads: int = 1) -> SharedWords:
    """Count what documents have of each other; if quotations count apart, the table lists them."""
    import pyarrow as pa

    document_pairs, row_of_pair = np.unique(pairs.documents, axis=0, return_inverse=True)
    document_pairs, row_of_pair = document_pairs.reshape(-1, 2), row_of_pair.ravel()
    evidence = np.bincount(row_of_pair, np.nan_to_num(pairs.evidence), len(document_pairs)).astype(np.float64)
    counts, quotations, reused = _count(collection, pairs, document_pairs, row_of_pair, words, threads)
    ids = [[collection.ids[document] for document in documents] for documents in document_pairs.T.tolist()]
    rows, passages = [make_columns(*each) for each in counts], np.bincount(row_of_pair, minlength=len(document_pairs))
    columns: dict[str, Any] = {name: [row[name] for row in rows] for name in make_columns(NO_WORDS, NO_WORDS)}
    columns |= {"a": ids[0], "b": ids[1], "passages": passages, "evidence": evidence}
    kinds = DOCUMENT_PAIRS
    if words.quotations is not None:
        kinds = {**kinds, **QUOTATIONS}
        for number, name in enumerate(QUOTATIONS):
            columns[name] = [[quotation._asdict() for quotation in sides[number]] for sides in quotations]
    order = sorted(range(len(document_pairs)), key=lambda number: (-evidence[number], ids[0][number], ids[1][number]))
    return SharedWords(make_table(kinds, columns).take(pa.array(order, pa.int64())), reused)


def describe_pair(record: Mapping[str, Any]) -> tuple[str, str]:
    """A row of the table as two sentences, one for each document."""
    a, b = (WordCounts(*(record[f"{side}_{name}"] for name in COUNTS)) for side in "ab")
    return a.describe(record["a"], record["b"]), b.describe(record["b"], record["a"])


def _count(
    collection: Collection, pairs: Pairs, document_pairs: _Ints, row_of_pair: _Ints, words: CountedWords, threads: int
) -> tuple[list[tuple[WordCounts, WordCounts]], list[list[list[Quotation]]], _Ints]:
    """The counts and quotations of both documents of each of ``document_pairs``, and each document's reused tokens."""
    order = np.argsort(row_of_pair, kind="stable")
    parts = np.searchsorted(row_of_pair[order], np.arange(len(document_pairs) + 1))

    def label(batch: tuple[int, int]) -> list[_Labels]:
        first, last = batch
        rows = order[parts[first] : parts[last]]
        labels, bounds = words.label(document_pairs[first:last], pairs.take(rows), row_of_pair[rows] - first)
        return [labels[begin:end] for begin, end in pairwise(bounds.tolist())]

    counts, quotations = [], []
    reused: dict[int, NDArray[np.bool_]] = {}
    batches = _cut_batches(np.diff(collection.bounds)[document_pairs].sum(axis=1))
    label_stream = (text_labels for batch in in_threads(label, batches, threads) for text_labels in batch)
    for documents in document_pairs.tolist():
        labels = [next(label_stream), next(label_stream)]
        for document, text_labels in zip(documents, labels, strict=True):
            reused[document] = reused.get(document, False) | (text_labels >= CHANGED)
        a, b = (
            count_words(text_labels, words.find_quoted(document), words.count_absent(document))
            for document, text_labels in zip(documents, labels, strict=True)
        )
        counts.append((a, b))
        quotations.append(
            [
                list_quotations(text_labels, words.find_quoted(document), *words.places(document))
                if words.quotations
                else []
                for document, text_labels in zip(documents, labels, strict=True)
            ]
        )
    sums = np.zeros(len(collection), np.int64)
    for document, is_reused in reused.items():
        for start, end in words.find_quoted(document):
            is_reused[start:end] = False
        sums[document] = words.count_tokens(document, is_reused)
    return counts, quotations, sums


def _cut_batches(tokens: _Ints) -> Iterator[tuple[int, int]]:
    """Ranges of pairs of documents of so many ``tokens`` each that are labelled at once."""
    first = size = 0
    for row, count in enumerate(tokens.tolist()):
        size += count
        if size >= _BATCH:
            yield first, row + 1
            first, size = row + 1, 0
    if first < len(tokens):
        yield first, len(tokens)
