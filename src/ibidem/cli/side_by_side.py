"""Two similar passages beside each other, with the words in which they differ marked."""

import re
from difflib import SequenceMatcher
from textwrap import fill
from typing import TYPE_CHECKING, NamedTuple

from ibidem.cli.terminal import folded, printable, shortened

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

__all__ = ["Side", "show_pair", "write_pair"]

SHOWN = 600
"""Characters shown of a passage; the middle of a longer one is left out."""


class Side(NamedTuple):
    """A passage, and where it stands."""

    place: str
    passage: str

    @property
    def title(self) -> str:
        """Where it stands, printable."""
        return printable(self.place)

    @property
    def excerpt(self) -> str:
        """The passage on one line, shortened."""
        return shortened(folded(self.passage), SHOWN)


def show_pair(console: "Console", left: Side, right: Side, caption: str) -> None:
    """Print the two passages in two columns."""
    from rich.table import Table

    table = Table(left.title, right.title, title=caption, title_justify="left", expand=True, title_style="bold")
    table.add_row(*_marked(left.excerpt, right.excerpt))
    console.print(table)
    console.print()


def write_pair(left: Side, right: Side, caption: str) -> str:
    """The two passages one after the other, as plain text."""
    sides = (f"  {side.title}\n{_indented(side.excerpt)}" for side in (left, right))
    return "\n".join([caption, *sides, ""])


def _indented(text: str) -> str:
    return fill(text, width=100, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)


def _marked(left: str, right: str) -> tuple["Text", "Text"]:
    """Both texts, with a style on the words that the other does not have at that place."""
    from rich.text import Text

    texts = Text(left), Text(right)
    words = [list(re.finditer(r"\S+", side)) for side in (left, right)]
    ours, theirs = ([word[0] for word in side] for side in words)
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    for tag, *ranges in matcher.get_opcodes():
        if tag != "equal":
            for text, side, (first, last) in zip(texts, words, (ranges[:2], ranges[2:]), strict=True):
                for word in side[first:last]:
                    text.stylize("bold yellow", word.start(), word.end())
    return texts
