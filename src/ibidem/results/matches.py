"""Results of searching indexes."""

from collections.abc import Iterable
from typing import Any, Self

import msgspec

from ibidem.comparison import Comparer, Finding, Shares, Witness, count_shares
from ibidem.comparison.markup import render_page, render_table
from ibidem.counts import shorten
from ibidem.results.sequence import Results
from ibidem.spans import Ignored, Match
from ibidem.text import TokenizerSpec

_RENDERED = 10
"""Pairs that a notebook shows."""

_LISTED = 100
"""Documents that a notebook shows."""

_PRINTED_TEXT = 60
"""Characters of a passage in a line of a printed result."""


class Matches(Results[Match]):
    """The passages of a collection that are similar to a query, in the order of the call that found them.

    Attributes:
        query: the text of the query.
        ignored: of an alignment, passages of the query that counted as absent, since they are similar to a text to
            ignore.

    >>> import pyarrow
    >>> from ibidem import Match
    >>> match = Match(query_name="letter", query_start=0, query_end=8, document="psalms", start=3, end=12,
    ...     similarity=0.75, text="still, sea")
    >>> matches = Matches([match], query="still sea")
    >>> matches
    Matches: 1
      0.750  psalms, 3 to 12: 'still, sea'
    >>> matches[0].document, pyarrow.table(matches).column("similarity").to_pylist()
    ('psalms', [0.75])
    """

    value_type = Match

    def __init__(
        self,
        values: Iterable[Match] = (),
        *,
        query: str = "",
        tokenizer: TokenizerSpec = "words",
        ignored: Iterable[Ignored] = (),
    ) -> None:
        super().__init__(values)
        self.query = query
        self.ignored = tuple(ignored)
        self._tokenizer = tokenizer

    def _line(self, value: Match) -> str:
        place = f"{value.document}, {value.start:,} to {value.end:,}"
        return f"{value.similarity:.3f}  {place}: {shorten(value.text, _PRINTED_TEXT)!r}"

    def _with(self, values: Iterable[Match]) -> Self:
        return type(self)(values, query=self.query, tokenizer=self._tokenizer, ignored=self.ignored)

    def shares(self, document: str, text: str, *, quotations: int | None = None) -> Shares:
        """How many words of the query and of a document the other one has, in all matches with the document.

        ``a`` is the query and ``b`` the document. Words of passages that were ignored count as absent.

        Args:
            document: the id of the document.
            text: its whole text, as it was indexed; a match has no more of it than the passage.
            quotations: so many words or more in quotation marks count as quoted alone, and are listed.

        >>> from ibidem import Match
        >>> match = Match(query_name="letter", query_start=0, query_end=27, document="hymns", start=3, end=30,
        ...     similarity=1.0, text="by still waters run the reeds")
        >>> query, hymn = "by still waters run the reeds and rushes", "So by still waters run the reeds."
        >>> Matches([match], query=query).shares("hymns", hymn).describe("letter", "hymns")[0]
        'letter: 6 of 8 words (75 %) are in hymns, too, in runs of five or more'
        """
        matches = [match for match in self._values if match.document == document]
        absent = [(passage.start, passage.end) for passage in self.ignored]
        return count_shares(
            self.query, text, matches, tokenizer=self._tokenizer, quotations=quotations, absent=(absent, ())
        )

    def _repr_html_(self) -> str:
        """Each passage beside the query's, the words marked in which they differ; the first ten."""
        comparer = Comparer(self._tokenizer, reasons=False)
        pairs = [self._render(comparer, match) for match in self._values[:_RENDERED]]
        title = f"{len(self):,} match{'' if len(self) == 1 else 'es'}"
        return render_page(title, pairs, max(0, len(self) - _RENDERED))

    def _render(self, comparer: Comparer, match: Match) -> str:
        part = Witness(match.query_name, match.query_start, match.query_end, self.query)
        passage = Witness(match.document, match.start, match.end, passage=match.text)
        comparison = comparer.compare(part, passage, Finding(match.similarity))
        return comparison.render(f"similarity {match.similarity:.3f}")


class DocumentMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A document that resembles a query.

    Attributes:
        document: its id.
        similarity: exact resemblance of the sets of shingles.
        containment: the share of the document's shingles that the query has, exact too; 1 if all of the document is in
            the query.
        metadata: the other columns of the document's record.
    """

    document: str
    similarity: float
    containment: float
    metadata: dict[str, Any] = msgspec.field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.document, self.similarity))


class DocumentMatches(Results[DocumentMatch]):
    """The documents of a collection that resemble a query, most similar first."""

    value_type = DocumentMatch

    def _repr_html_(self) -> str:
        """A table of the documents with their similarities and containments; the first hundred."""
        rows = (
            (f"{match.similarity:.3f}", f"{match.containment:.3f}", match.document) for match in self._values[:_LISTED]
        )
        title = f"{len(self):,} document{'' if len(self) == 1 else 's'}"
        table = render_table(("similarity", "containment", "document"), rows)
        return render_page(title, [table], max(0, len(self) - _LISTED))

    def _line(self, value: DocumentMatch) -> str:
        return f"{value.similarity:.3f}  {value.document}"
