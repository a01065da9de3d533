"""A collection made ready to be joined with itself: tokens numbered densely, weighed, on disk.

Documents are numbered in the order of their ids, whatever the order of the input; a caller may ask for another order.
Where a result needs some order of documents, it is that of their contents, ``ranks``: no id decides what two texts
share. Memory holds a few numbers a document and the vocabulary.
"""

from collections.abc import Callable, Sequence
from itertools import starmap
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.errors import CorpusError
from ibidem.hashing import GOLDEN, mix64
from ibidem.kernels import kernel
from ibidem.locators import Places
from ibidem.ragged import cut_rows
from ibidem.reuse.documents import InputRows, ReadPart
from ibidem.store.files.columns import ColumnWriter
from ibidem.store.format import Column
from ibidem.text import Tokenizer
from ibidem.weights import DocumentFrequencies, Weighting

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float64]

BLOCK = 16
"""Starts of windows of which the least weight is known."""

TOKENS = Column("tokens", "<i4", ("n",), "reuse", "")
"""The tokens of a collection, on disk."""

_OFTEN = 0.035
"""The probability that two running characters are the same, up to which single ones are compared. In Chinese it is
below 0.01, for Latin letters 0.065."""

_ENOUGH = 2_000
"""The least number of tokens of a collection whose frequencies say how often two are the same."""

_RUN = 1 << 20
"""Tokens that are numbered anew at once."""


class Collection(NamedTuple):
    """The documents of one collection, or of two that are compared with each other, in the order of their ids.

    Attributes:
        ids: their ids, ascending if no other order was asked for.
        bounds: int64 [D + 1]; the tokens of document ``d`` are ``tokens[bounds[d] : bounds[d + 1]]``.
        tokens: int32 [T], dense token ids 0 to V-1.
        vocabulary: uint32 [V], ascending: the token of each dense id.
        rarity: what the weights follow from.
        idf: float64 [V], what a token weighs; 1 on the average over running tokens.
        side: int8 [D], 0 for a document of the first collection and 1 for one of the second.
        ranks: int32 [D], the place of each document by its contents; equal ones are in the order of their numbers.
        input: the documents as they were read.
        subtracted: text that counts as absent; ``tokens`` are without it.
    """

    ids: list[str]
    bounds: _Ints
    tokens: _Ids
    vocabulary: npt.NDArray[np.uint32]
    rarity: "Rarity"
    idf: npt.NDArray[np.float64]
    side: npt.NDArray[np.int8]
    ranks: _Ids
    input: InputRows
    subtracted: "SubtractedText"

    @property
    def lengths(self) -> _Ints:
        """How many tokens each document has, those that count as absent, too, int64 [D]."""
        lengths: _Ints = np.diff(self.subtracted.bounds)
        return lengths

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def text(self, document: int) -> str:
        """The text of a document."""
        return str(self.input.slice("texts", document), "utf-8", "surrogatepass")

    def metadata(self, document: int) -> dict[str, Any]:
        """The other columns of its record."""
        return self.input.metadata(document)

    def locators(self, document: int) -> Places:
        """The places of a document in its original."""
        return self.input.locators(document)

    def places(self, document: int) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
        """Return where each token of a document starts and ends, in code points, both uint32 [n]."""
        starts, ends = self.input.places(document)
        if not len(self.subtracted.select_ranges(document)):
            return starts, ends
        positions = self.map_to_whole(document)
        return starts[positions], ends[positions]

    def map_to_whole(self, document: int) -> _Ints:
        """Return which tokens of the whole document its tokens are, int64 [n]."""
        first, last = self.subtracted.bounds[document : document + 2]
        is_kept = np.ones(last - first, np.bool_)
        for start, end in self.subtracted.select_ranges(document).tolist():
            is_kept[start:end] = False
        return np.flatnonzero(is_kept)

    def replace(self, **columns: Any) -> "Collection":
        """The same documents with other values of some attributes."""
        return Collection(**{**self._asdict(), **columns})  # _replace would count documents, not attributes

    def undo_subtraction(self) -> "Collection":
        """The same documents with nothing taken out."""
        tokens, bounds, vocabulary, idf = self.subtracted[:4]
        return self.replace(
            tokens=tokens,
            bounds=bounds,
            vocabulary=vocabulary,
            idf=idf,
            subtracted=SubtractedText.make_empty(tokens, bounds, vocabulary, idf),
        )

    def restore_shared(self) -> "Collection":
        """The same documents with the words that count: frequent text that is not common is in them again.

        Where runs of tokens were compared, the tokens are single ones again.
        """
        subtracted = self.subtracted
        bounds = remove_ranges(subtracted.common, subtracted.bounds)
        return self.replace(
            tokens=subtracted.counted, bounds=bounds, subtracted=subtracted._replace(ranges=subtracted.common)
        )

    def boilerplate(self, document: int) -> _Ints:
        """The code points of a document that count as absent, int64 [S, 2]: frequent text, phrases, ignored text."""
        starts, ends = self.input.places(document)
        ranges = self.subtracted.select_ranges(document).tolist()
        places: _Ints = np.array([(starts[first], ends[first:last].max()) for first, last in ranges], np.int64).reshape(
            -1, 2
        )
        return places


class SubtractedText(NamedTuple):
    """Text that counts as absent: the documents before it was taken out, and its places in them.

    Attributes:
        tokens, bounds: those of the whole documents.
        vocabulary, idf: of these tokens, which may not be those that are compared.
        ranges: int64 [S, 2], half-open ranges of ``tokens`` that were taken out, ascending; none overlap.
        common: int64 [C, 2], those of them that no pair is made of: common text, phrases, ignored text.
        counted: int32, the tokens without these, whose words count.
        runs: int64 [R, 4], frequent text; see :class:`ibidem.reuse.frequent.FrequentText`.
        is_common: bool [R], which of these are common: held by ``least`` documents, and not most of their own.
        phrases: int64 [P, 2], where phrases of a list occur.
        ignored: int64 [I, 5], passages that are similar to a text to ignore: a half-open range of ``tokens``, the
            number of that text, and a half-open range of its tokens.
        likeness: float64 [I], the similarity of each.
        frequent, least: how many documents must hold a text for it to be frequent, and for it to be common.
        hashes: uint64, those of the shingles that were taken out, ascending.
    """

    tokens: _Ids
    bounds: _Ints
    vocabulary: npt.NDArray[np.uint32]
    idf: npt.NDArray[np.float64]
    ranges: _Ints
    common: _Ints
    counted: _Ids
    runs: _Ints
    is_common: npt.NDArray[np.bool_]
    phrases: _Ints
    ignored: _Ints
    likeness: _Floats
    frequent: int
    least: int
    hashes: npt.NDArray[np.uint64]

    @classmethod
    def make_empty(
        cls, tokens: _Ids, bounds: _Ints, vocabulary: npt.NDArray[np.uint32], idf: _Floats
    ) -> "SubtractedText":
        """No text of these documents."""
        no_ranges, no_runs, no_passages = (np.empty((0, width), np.int64) for width in (2, 4, 5))
        no_hashes = np.zeros(0, np.uint64)
        return cls(
            tokens=tokens,
            bounds=bounds,
            vocabulary=vocabulary,
            idf=idf,
            ranges=no_ranges,
            common=no_ranges,
            counted=tokens,
            runs=no_runs,
            is_common=np.zeros(0, np.bool_),
            phrases=no_ranges,
            ignored=no_passages,
            likeness=np.zeros(0),
            frequent=0,
            least=0,
            hashes=no_hashes,
        )

    def select_ranges(self, document: int) -> _Ints:
        """The ranges of the tokens of a document that were taken out, int64 [S, 2]."""
        first, last = self.bounds[document : document + 2]
        low, high = np.searchsorted(self.ranges[:, 0], [first, last])
        ranges: _Ints = self.ranges[low:high] - first
        return ranges


def remove_ranges(ranges: _Ints, positions: _Ints) -> _Ints:
    """The places of ``positions`` once the tokens in ``ranges`` [S, 2] are gone; these ascend and do not overlap."""
    before = np.concatenate([np.zeros(1, np.int64), np.cumsum(ranges[:, 1] - ranges[:, 0])])
    number = np.searchsorted(ranges[:, 0], positions)  # of the ranges that begin before
    ends = np.concatenate([np.zeros(1, np.int64), ranges[:, 1]])[number]
    moved: _Ints = positions - before[number] + np.maximum(ends - positions, 0)
    return moved


def count_within(ranges: _Ints, bounds: _Ints) -> _Ints:
    """Count the tokens of each document, with ``bounds`` int64 [D + 1], that lie in ``ranges``, int64 [D]."""
    counts: _Ints = np.diff(bounds) - np.diff(remove_ranges(ranges, bounds))
    return counts


def insert_ranges(ranges: _Ints, positions: _Ints) -> _Ints:
    """The places of tokens at ``positions`` once those in ``ranges`` are there again: ``remove_ranges`` undone."""
    before = np.concatenate([np.zeros(1, np.int64), np.cumsum(ranges[:, 1] - ranges[:, 0])])
    moved: _Ints = positions + before[np.searchsorted(ranges[:, 0] - before[:-1], positions, side="right")]
    return moved


class Comparable(NamedTuple):
    """A collection as the join reads it, and which documents are compared with each other.

    Attributes:
        tokens, bounds, idf: those of the collection.
        window: tokens of a window.
        side: int32 [D]. Documents of the same side are not compared; of a negative side, with all.
        within: whether a document is compared with itself: windows that share no token.
        lightest: float64 [B], the least weight of a window among each ``BLOCK`` starts.
        ranks: int32 [D], the order of the documents by their contents.
        presence, absence, least_evidence: int32 [V], int32 [V], int64 [D]; see :mod:`ibidem.reuse.evident`. If they are
            empty, no evidence is required.
    """

    tokens: _Ids
    bounds: _Ints
    idf: _Floats
    window: int
    side: _Ids
    within: bool
    lightest: _Floats
    ranks: _Ids
    presence: _Ids = np.zeros(0, np.int32)
    absence: _Ids = np.zeros(0, np.int32)
    least_evidence: _Ints = np.zeros(0, np.int64)

    @classmethod
    def of(cls, collection: Collection, window: int, side: _Ids | None = None, within: bool = False) -> "Comparable":
        """All documents of a collection, or those of different sides."""
        sides = np.full(len(collection), -1, np.int32) if side is None else side
        comparable = cls.weigh(collection.tokens, collection.bounds, collection.idf, window, sides, within)
        return comparable._replace(ranks=collection.ranks)

    @classmethod
    def weigh(cls, tokens: _Ids, bounds: _Ints, idf: _Floats, window: int, side: _Ids, within: bool) -> "Comparable":
        """The same from its columns, the documents in the order of their numbers."""
        lightest = np.empty(count_blocks(tokens))
        weigh_windows(tokens, bounds, idf, window, lightest)
        return cls(tokens, bounds, idf, window, side, within, lightest, np.arange(len(bounds) - 1, dtype=np.int32))


def count_blocks(tokens: _Ids) -> int:
    """Blocks of starts of windows of which the least weight is known."""
    return len(tokens) // BLOCK + 1


@kernel
def weigh_windows(tokens: _Ids, bounds: _Ints, idf: _Floats, window: int, lightest: _Floats) -> None:
    """Set ``lightest`` float64 [B] to the least weight of a window in each block of starts, infinity where none is."""
    counts = np.zeros(idf.shape[0], np.int32)
    lightest[:] = np.inf
    for document in range(bounds.shape[0] - 1):
        begin, end = bounds[document], bounds[document + 1]
        size, weight = min(window, end - begin), 0.0
        for p in range(begin, end):
            if counts[tokens[p]] == 0:
                weight += idf[tokens[p]]
            counts[tokens[p]] += 1
            start = p - size + 1
            if start >= begin:
                lightest[start // BLOCK] = min(lightest[start // BLOCK], weight)
                leaving = tokens[start]
                counts[leaving] -= 1
                if counts[leaving] == 0:
                    weight -= idf[leaving]
        for p in range(end - size, end):
            counts[tokens[p]] = 0


class Rarity(NamedTuple):
    """The rarity of tokens in a collection, from which their weights follow.

    Attributes:
        frequencies: how often each token occurs in the collection, a running token counting as a document.
        mean: the logarithmic weight of a running token on the average, by which weights are divided.
    """

    frequencies: DocumentFrequencies
    mean: float

    @classmethod
    def of(cls, vocabulary: npt.NDArray[np.uint32], counts: _Ints) -> "Rarity":
        """Compute the rarity from the ``counts`` [V] of the tokens of ``vocabulary`` [V] in a collection."""
        total = max(int(counts.sum()), 1)
        frequencies = DocumentFrequencies(vocabulary, counts, total)
        return cls(frequencies, float((_weigh_logarithmically(frequencies, vocabulary) * counts).sum()) / total or 1.0)

    def require_evidence(self, tokenizer: Tokenizer) -> None:
        """Refuse single letters of an alphabet, which all texts share.

        Raises:
            CorpusError: the tokens are characters, and two running ones are the same too often.
        """
        config, total = tokenizer.config, max(self.frequencies.num_documents, 1)
        shares = self.frequencies.counts / total
        is_single = config.get("name") == "characters" and config.get("shingle", 1) == 1
        if is_single and total >= _ENOUGH and (shares**2).sum() > _OFTEN:
            raise CorpusError(
                f"the documents are made of {len(shares):,} different characters, and all texts share such; compare "
                "runs of them by the tokenizer 'characters:4', or name none"
            )

    def weights(self, vocabulary: npt.NDArray[np.uint32]) -> npt.NDArray[np.float64]:
        """Return the weights of tokens, float64 [V]; a token that does not occur counts as occurring once."""
        weights: npt.NDArray[np.float64] = _weigh_logarithmically(self.frequencies, vocabulary) / self.mean
        return weights


def _weigh_logarithmically(
    frequencies: DocumentFrequencies, vocabulary: npt.NDArray[np.uint32]
) -> npt.NDArray[np.float64]:
    return Weighting.of("weighted", idf="smooth", frequencies=frequencies).idf_of(vocabulary)


def assemble_collection(
    parts: Sequence[ReadPart],
    folder: Path,
    rarity: Rarity | None = None,
    order: Callable[[list[str], InputRows], _Ints] | None = None,
) -> Collection:
    """The collection of documents that were read in parts; its tokens are the column ``TOKENS`` in ``folder``.

    Raises:
        CorpusError: two documents have one id.
    """
    source = InputRows.of(parts)
    source.require_distinct_ids()
    ids = [name for part in parts for name in part.ids]
    source = source._replace(order=(order or _order_by_id)(ids, source))
    vocabulary, counts = _join_vocabularies(parts)
    rarity = rarity or Rarity.of(vocabulary, counts)
    bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(source.lengths("numbers"))])
    tokens = _number_tokens(vocabulary, source, bounds, ColumnWriter(folder, TOKENS))
    idf = rarity.weights(vocabulary)
    return Collection(
        ids=[ids[row] for row in source.order.tolist()],
        bounds=bounds,
        tokens=tokens,
        vocabulary=vocabulary,
        rarity=rarity,
        idf=idf,
        side=np.concatenate([np.zeros(0, np.int8), *(part.side for part in parts)])[source.order],
        ranks=rank_contents(tokens, bounds, vocabulary),
        input=source,
        subtracted=SubtractedText.make_empty(tokens, bounds, vocabulary, idf),
    )


def _order_by_id(ids: list[str], rows: InputRows) -> _Ints:
    return np.array(sorted(range(len(ids)), key=ids.__getitem__), np.int64)


def rank_contents(tokens: _Ids, bounds: _Ints, vocabulary: npt.NDArray[np.uint32]) -> _Ids:
    """The place of each document in the order of the hashes of its tokens, int32 [D]."""
    ranks = np.empty(len(bounds) - 1, np.int32)
    ranks[np.argsort(hash_contents(tokens, bounds, vocabulary), kind="stable")] = np.arange(len(ranks), dtype=np.int32)
    return ranks


@kernel
def hash_contents(tokens: _Ids, bounds: _Ints, vocabulary: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint64]:
    """A hash of the tokens of each document, uint64 [D]."""
    hashes = np.empty(bounds.shape[0] - 1, np.uint64)
    for document in range(hashes.shape[0]):
        state = GOLDEN
        for p in range(bounds[document], bounds[document + 1]):
            state = (state ^ np.uint64(vocabulary[tokens[p]])) * GOLDEN
            state ^= state >> np.uint64(29)
        hashes[document] = mix64(state)
    return hashes


def _join_vocabularies(parts: Sequence[ReadPart]) -> tuple[npt.NDArray[np.uint32], _Ints]:
    """Return the distinct tokens uint32 [V], ascending, and how often each occurs in the collection."""
    batch_tokens = np.concatenate([np.zeros(0, np.uint32), *(part.vocabulary for part in parts)])
    vocabulary, place = np.unique(batch_tokens, return_inverse=True)
    counts = np.concatenate([np.zeros(0, np.int64), *(part.counts for part in parts)])
    return vocabulary, np.bincount(place, weights=counts, minlength=len(vocabulary)).astype(np.int64)


def _number_tokens(vocabulary: npt.NDArray[np.uint32], source: InputRows, bounds: _Ints, writer: ColumnWriter) -> _Ids:
    """All tokens by the common vocabulary, in the order of the documents."""
    places = [_find_places(part, vocabulary) for part in source.parts]
    of_part = np.searchsorted(source.starts, source.order, side="right") - 1
    rows = source.order - source.starts[of_part]
    for documents in starmap(slice, cut_rows(bounds, _RUN)):
        batch_rows = zip(of_part[documents].tolist(), rows[documents].tolist(), strict=True)
        writer.append(np.concatenate([source.parts[part].tokens(row, places[part]) for part, row in batch_rows]))
        source.release("numbers")
    writer.write_header()
    return writer.view()


def _find_places(part: ReadPart, vocabulary: npt.NDArray[np.uint32]) -> list[_Ids]:
    """Return for each batch of a part the places of its tokens in ``vocabulary``."""
    token_places = np.searchsorted(vocabulary, part.vocabulary).astype(np.int32)
    return np.split(token_places, part.vocabulary_bounds[1:-1])
