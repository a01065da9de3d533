"""The passages of a collection that repeat others, and the texts without them."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, get_type_hints

from ibidem.corpus.writing.cutting import edit_text
from ibidem.corpus.writing.tables import make_table
from ibidem.counts import format_count
from ibidem.reuse.removal.cutting import require_action
from ibidem.spans import Ignored

if TYPE_CHECKING:
    import pyarrow as pa


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


def explain_nothing(counts: Mapping[str, int], min_length: int) -> str | None:
    """Explain why no passage goes, by the counts of a summary, if there is one reason for all."""
    longest = counts["longest_document"]
    if counts["documents"] and longest < min_length:
        return (
            f"no document is as long as a passage: the longest has {longest:,} tokens, and min_length is {min_length:,}"
        )
    if counts["ignored_passages"] and not counts["passages"]:
        return "no passage goes: what occurs again is similar to a text to ignore"
    return None


@dataclass(frozen=True, repr=False)
class PassageDeduplication:
    """The passages of a collection that repeat others.

    Attributes:
        removed: the passages that go, in the order of the documents as they were read, and in these of their places.
        ignored: the passages of which nothing goes, since they are similar to a text to ignore; in the same order.
        documents: how many documents were read.
        tokens: how many tokens they have.
        longest: how many the longest of them has.
    """

    removed: list[Repeated]
    documents: int
    tokens: int
    ignored: tuple[Ignored, ...] = ()
    longest: int = 0

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
        kinds = get_type_hints(Repeated)
        return make_table(kinds, {name: [getattr(each, name) for each in self.removed] for name in kinds})

    def _repr_html_(self) -> str:
        """The table of ``to_arrow`` under the counts; its first rows."""
        from ibidem.comparison.markup import render_rows

        return render_rows(repr(self), self.to_arrow())

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The table of ``to_arrow`` as whatever speaks Arrow takes it."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)
