"""Matches for a reader at a terminal: each passage highlighted in its context."""

from functools import cached_property
from typing import TYPE_CHECKING

from ibidem.cli.terminal import console, fold_lines, printable
from ibidem.counts import format_count, shorten
from ibidem.stored_index import place_documents

if TYPE_CHECKING:
    from rich.text import Text

    from ibidem import Matches, PassageIndex, SketchIndex, SketchMatch, SketchMatches
    from ibidem.spans import Match
    from ibidem.store import Segment

CONTEXT = 120
"""Characters shown on either side of a passage."""

PASSAGE = 900
"""Characters shown of a passage; the middle of a longer one is left out."""


class Excerpts:
    """Shows matches of one index; documents are opened to show the context of a passage."""

    def __init__(self, index: "PassageIndex | SketchIndex") -> None:
        self._index = index
        self._console = console()

    def show(self, query: str, matches: "Matches | SketchMatches") -> None:
        """Print the matches of one query."""
        from rich.padding import Padding
        from rich.text import Text

        number = format_count(len(matches), "match", "matches") if matches else "no match"
        self._console.print(Text.assemble((printable(query), "bold"), f"  {number}"))
        for match in matches:
            self._console.print(Padding(_headline(match), (0, 0, 0, 2)))
            self._console.print(Padding(self._excerpt(match), (0, 0, 1, 4)))

    def _excerpt(self, match: "Match | SketchMatch") -> "Text":
        from rich.text import Text

        before, after = self._context(match)
        return Text.assemble((before, "dim"), (shorten(fold_lines(match.text), PASSAGE), "bold yellow"), (after, "dim"))

    def _context(self, match: "Match | SketchMatch") -> tuple[str, str]:
        """The text before and after the passage in its document."""
        segment, row = self._places[match.document]
        text = segment.text(row)
        first, last = max(0, match.start - CONTEXT), match.end + CONTEXT
        before = ("... " if first else "") + fold_lines(text[first : match.start])
        after = fold_lines(text[match.end : last]) + (" ..." if last < len(text) else "")
        return before, after

    @cached_property
    def _places(self) -> "dict[str, tuple[Segment, int]]":
        return place_documents(self._index.segments)


def _headline(match: "Match | SketchMatch") -> "Text":
    from rich.text import Text

    from ibidem.text.look_alikes import describe_look_alikes

    values = ((name, getattr(match, name, None)) for name in ("similarity", "estimate"))
    measures = [f"{name} {value:.3f}" for name, value in values if value is not None]
    span = f"characters {match.start:,} to {match.end:,}"
    if match.starts and match.ends:
        starts, ends = ("{:,} to {:,}".format(*bounds) for bounds in (match.starts, match.ends))
        span += f" (starts {starts}, ends {ends})"
    place = [printable(match.locator)] if match.locator else []
    facts = [*measures, *place, span, *describe_look_alikes(match.text)]
    return Text.assemble((printable(match.document), "bold cyan"), "  ", ", ".join(facts))
