"""How many words two documents share: the options, the lines of JSON and the sentences of ``ibidem align``."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import click

from ibidem.cli.options import together
from ibidem.cli.terminal import write_json
from ibidem.counts import format_count, shorten

if TYPE_CHECKING:
    from rich.console import Console

    from ibidem import Matches, PassageIndex
    from ibidem.comparison import Quotation, Shares
    from ibidem.store import Segment
    from ibidem.text import Document

_SHOWN = 5
"""Quotations of a document that a terminal shows."""


share_options = together(
    click.option("--shares", is_flag=True, help="Write how many words documents share, and not their passages."),
    click.option(
        "--quotations",
        metavar="N",
        type=click.IntRange(1),
        help="In shares, N or more words in quotation marks count as quoted alone, and are listed.",
    ),
)


class IndexedTexts:
    """The documents of an index by their ids, which are read when they are first asked for."""

    def __init__(self, index: "PassageIndex") -> None:
        self._index = index

    @cached_property
    def _places(self) -> "dict[str, tuple[Segment, int]]":
        from ibidem.stored_index import place_documents

        return place_documents(self._index.segments)

    def list_documents(self, matches: "Matches") -> "Iterator[tuple[Document, int]]":
        """Each document with a match, in the order of ids, and how many matches it has."""
        from ibidem.text import Document

        for name, number in sorted(Counter(match.document for match in matches).items()):
            segment, row = self._places[name]
            yield Document(id=name, text=segment.text(row)), number


def write_share_counts(names: Mapping[str, str], passages: int, word_shares: "Shares") -> None:
    """Write a line with the columns of ``document_pairs``."""
    from ibidem.comparison.records import share_record

    write_json(share_record(names, passages, word_shares))


def show_share_counts(out: "Console", word_shares: "Shares", sides: "Sequence[Document]") -> None:
    """Say how many words two documents share, and what one quotes of the other."""
    a, b = sides
    for sentence in word_shares.describe(a.id, b.id):
        out.print(sentence, markup=False, highlight=False)
    _show_quotations(out, a, b.id, word_shares.a_quotations)
    _show_quotations(out, b, a.id, word_shares.b_quotations)


def _show_quotations(
    out: "Console", document: "Document", other_document: str, quotations: "Sequence[Quotation]"
) -> None:
    for quotation in quotations[:_SHOWN]:
        text = " ".join(document.text[quotation.start : quotation.end].split())
        portion = f"{quotation.quoted:,} of {format_count(quotation.words, 'word')}"
        out.print(
            f"{document.id} quotes {portion} from {other_document}: {shorten(text, 60)}", markup=False, highlight=False
        )
    if len(quotations) > _SHOWN:
        out.print(f"and {len(quotations) - _SHOWN:,} more quotations in {document.id}", markup=False, highlight=False)
