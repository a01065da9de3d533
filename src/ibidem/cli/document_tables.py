"""Documents that resemble a query, for a reader at a terminal: a table for each query."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ibidem.cli.terminal import printable
from ibidem.counts import format_count

if TYPE_CHECKING:
    from rich.console import Console

    from ibidem import DocumentMatch

_SHOWN = 20
"""Documents shown for a query; how many more there are is said below them."""


def show_documents(out: "Console", query: str, matches: "Sequence[DocumentMatch]") -> None:
    """Print the matches of one query."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    number = format_count(len(matches), "document") if matches else "no document"
    out.print(Text.assemble((printable(query), "bold"), f"  {number}"))
    if not matches:
        return
    table = Table("similarity", "contained", "document", box=None, header_style="dim")
    for match in matches[:_SHOWN]:
        document = Text(printable(match.document), "bold cyan", overflow="fold")
        table.add_row(f"{match.similarity:10.3f}", f"{match.containment:9.3f}", document)
    out.print(Padding(table, (0, 0, 0, 1)))
    if len(matches) > _SHOWN:
        out.print(f"  ... and {len(matches) - _SHOWN:,} less similar ones")
    out.print()
