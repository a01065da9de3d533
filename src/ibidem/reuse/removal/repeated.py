"""The passages of a collection that repeat others, and the texts without them."""

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.alignment.ignored import IgnoredTexts, NamedTexts, list_texts
from ibidem.arguments import require_fraction
from ibidem.corpus.writing.cutting import edit_text
from ibidem.counts import format_count
from ibidem.errors import CorpusError
from ibidem.hashing import require_seed
from ibidem.keep_policy import Keep, rank_values
from ibidem.options import PassageDedupOptions
from ibidem.reuse.collection import Collection
from ibidem.reuse.reading.parts import InputRows
from ibidem.reuse.removal.choosing import Removal, choose_removals
from ibidem.reuse.removal.cutting import BOUNDARIES, require_action
from ibidem.reuse.removal.duplicates import Duplicates
from ibidem.reuse.subtraction import find_ignored
from ibidem.reuse.windows import WindowJoin
from ibidem.spans import Ignored
from ibidem.text import make_tokenizer

if TYPE_CHECKING:
    import pyarrow as pa

_LONGEST_WINDOW = 32


@dataclass(frozen=True, kw_only=True)
class PassageChoices(PassageDedupOptions):
    """The options of a deduplication of passages, and what follows from them."""

    ignore: NamedTexts = ()

    def require_valid(self) -> "PassageChoices":
        """The same choices, checked, with a tokenizer that normalizes as asked.

        Raises:
            ValueError: an argument is out of its range.
        """
        require_fraction("threshold", self.threshold)
        require_fraction("recall", self.recall)
        require_seed(self.seed)
        Keep.parse(self.keep)
        if self.min_length < 1:
            raise ValueError(f"min_length is {self.min_length}; a passage has a token at least")
        if self.boundary not in BOUNDARIES:
            raise ValueError(f"boundary is one of {', '.join(BOUNDARIES)}, not {self.boundary!r}")
        tokenizer = make_tokenizer(self.tokenizer, normalize=self.normalize)
        return replace(self, tokenizer=tokenizer, normalize=(), ignore=list_texts(self.ignore))

    @property
    def join(self) -> WindowJoin:
        """The windows to compare."""
        return WindowJoin(
            window=min(self.min_length, _LONGEST_WINDOW),
            threshold=self.threshold,
            promised=(1 + self.threshold) / 2,
            recall=self.recall,
            seed=self.seed,
        )

    def order_rows(self, ids: list[str], rows: InputRows) -> npt.NDArray[np.int64]:
        """The documents, the one whose passages stay before all others first; equals are in the order of their ids."""
        keep = Keep.parse(self.keep)
        if keep.policy == "first":
            return np.arange(len(ids))
        names = np.array(ids, object)
        by_id = np.argsort(np.argsort(names, kind="stable"))
        if keep.policy == "longest":
            return np.lexsort((by_id, -rows.lengths("texts")))
        metadata = [rows.metadata(row) for row in range(len(ids))]
        keys = [
            _rank(names, [fields.get(column) for fields in metadata], sense, column) for sense, column in keep.terms
        ]
        return np.lexsort((by_id, *keys[::-1]))


class Repeated(NamedTuple):
    """A passage that goes, and the one that it duplicates; documents by their ids, half-open ranges of code points."""

    document: str
    start: int
    end: int
    tokens: int
    duplicate_of: str
    of_start: int
    of_end: int
    similarity: float


@dataclass(frozen=True, repr=False)
class PassageDeduplication:
    """The passages of a collection that repeat others.

    Attributes:
        removed: the passages that go, in the order of the documents as they were read, and in these of their places.
        ignored: the passages of which nothing goes, since they are similar to a text to ignore; in the same order.
        documents: how many documents were read.
        tokens: how many tokens they have.
    """

    removed: list[Repeated]
    documents: int
    tokens: int
    ignored: tuple[Ignored, ...] = ()

    def __repr__(self) -> str:
        tokens = sum(passage.tokens for passage in self.removed)
        documents = format_count(self.documents, "document")
        return (
            f"PassageDeduplication: {documents} of {format_count(self.tokens, 'token')}, "
            f"{format_count(len(self.removed), 'passage')} of {format_count(tokens, 'token')} removed"
        )

    def cuts(self) -> dict[str, list[tuple[int, int]]]:
        """The ranges of code points that go from each document that loses some."""
        cuts: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for passage in self.removed:
            cuts[passage.document].append((passage.start, passage.end))
        return dict(cuts)

    def edit(self, id: str, text: str, action: str = "remove") -> str:
        """The text of a document without its passages that go, or (``"mask"``) with asterisks in their places."""
        require_action(action)
        return edit_text(
            text, [(passage.start, passage.end) for passage in self.removed if passage.document == id], action
        )

    def to_arrow(self) -> "pa.Table":
        """A row for each passage that goes."""
        import pyarrow as pa

        types = [pa.string(), pa.int64(), pa.int64(), pa.int64()] * 2
        types[-1] = pa.float64()
        columns = list(zip(*self.removed, strict=True)) or [()] * len(Repeated._fields)
        arrays = [pa.array(values, kind) for values, kind in zip(columns, types, strict=True)]
        return pa.table(dict(zip(Repeated._fields, arrays, strict=True)))

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The table of ``to_arrow`` as whatever speaks Arrow takes it."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)


class KeptText(NamedTuple):
    """Text that always stays, since it is similar to a text to ignore.

    Attributes:
        ranges: int64 [I, 2], half-open ranges of the tokens of the collection.
        passages: the same as passages of documents.
    """

    ranges: npt.NDArray[np.int64]
    passages: tuple[Ignored, ...]


def find_kept_text(collection: Collection, choices: PassageChoices, threads: int | None) -> KeptText:
    """The passages of the collection that are similar to a text to ignore."""
    texts = IgnoredTexts(choices.ignore, make_tokenizer(choices.tokenizer))
    ranges, likeness = find_ignored(collection, (texts, choices.threshold) if choices.ignore else None, threads)
    documents = np.searchsorted(collection.bounds, ranges[:, 0], side="right") - 1
    passages = []
    for row in np.argsort(collection.input.order[documents], kind="stable").tolist():
        document, (number, *text_range) = int(documents[row]), ranges[row, 2:].tolist()
        first, last = (ranges[row, :2] - collection.bounds[document]).tolist()
        starts, ends = collection.places(document)
        span = int(starts[first]), int(ends[first:last].max())
        name, place = texts.names[number], texts.place(number, *text_range)
        passages.append(Ignored(collection.ids[document], *span, name, *place, float(likeness[row])))
    return KeptText(ranges[:, :2], tuple(passages))


def choose_repeated(
    collection: Collection, duplicates: Duplicates, choices: PassageChoices, kept_text: KeptText
) -> PassageDeduplication:
    """Return which passages of pairs of near-duplicates go."""
    by_document: dict[int, list[Removal]] = defaultdict(list)
    settings = choices.threshold, choices.min_length, choices.boundary
    for removal in choose_removals(collection, duplicates, *settings, kept_text.ranges):
        by_document[removal.document].append(removal)
    rows = collection.input.order
    removed = [
        passage
        for document in sorted(by_document, key=lambda document: int(rows[document]))
        for passage in _place(collection, by_document[document])
    ]
    return PassageDeduplication(removed, len(collection), len(collection.tokens), kept_text.passages)


def count_emptied(deduplication: PassageDeduplication, collection: Collection) -> int:
    """Return how many documents hold nothing but passages that go."""
    tokens_removed: dict[str, int] = defaultdict(int)
    for passage in deduplication.removed:
        tokens_removed[passage.document] += passage.tokens
    document_bounds = zip(collection.ids, collection.bounds[:-1], collection.bounds[1:], strict=True)
    return sum(
        name in tokens_removed and tokens_removed[name] == int(last - first) for name, first, last in document_bounds
    )


def _rank(ids: npt.NDArray[Any], values: list[Any], sense: str, column: str) -> npt.NDArray[np.int64]:
    if values and all(value is None or value == "" for value in values):
        raise CorpusError(f"no document has a value in {column!r}, a column that the keep policy names")
    return rank_values(sense, column, values, ids)


def _place(collection: Collection, removals: list[Removal]) -> list[Repeated]:
    """The removals of one document as ranges of its text."""
    passages = []
    for removal in removals:
        of_starts, of_ends = collection.places(removal.of)
        of_span = int(of_starts[removal.of_first]), int(of_ends[removal.of_first : removal.of_last].max())
        names = collection.ids[removal.document], collection.ids[removal.of]
        tokens = removal.last - removal.first
        passages.append(Repeated(names[0], removal.start, removal.end, tokens, names[1], *of_span, removal.similarity))
    return passages
