"""Two similar passages side by side, with copied and changed words marked differently."""

from textwrap import fill
from typing import TYPE_CHECKING, NamedTuple

from ibidem.cli.terminal import fold_lines, printable
from ibidem.counts import format_count

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from ibidem.comparison import Comparison, Run, Side

SAME_SHOWN = 240
"""Characters shown of a run that both passages have; the middle of a longer one is left out, and a note says so."""

SHOWN = 6_000
"""Characters shown of a passage in all."""

STYLES = {"equal": "bold green", "moved": "bold cyan", "changed": "yellow"}

LEGEND = "green: the same words   cyan: the same words, moved   yellow: changed"


class RunText(NamedTuple):
    """A piece of a passage, and the kind of its run; the kind is empty between two runs."""

    text: str
    kind: str


def show_pair(console: "Console", comparison: "Comparison", caption: str) -> None:
    """Print the two passages in two columns."""
    from rich.table import Table

    table = Table(title=caption, title_justify="left", title_style="bold", caption=LEGEND, expand=True)
    for side in (comparison.a, comparison.b):
        # Text without blanks, as Chinese has it, is broken anywhere.
        table.add_column(_title(side), overflow="fold", ratio=1)
    table.add_row(_mark(cut_side(comparison, "a")), _mark(cut_side(comparison, "b")))
    console.print(table)
    console.print()


def write_pair(comparison: "Comparison", caption: str) -> str:
    """The two passages one after the other, as plain text."""
    parts = [caption]
    for name, side in (("a", comparison.a), ("b", comparison.b)):
        text = "".join(piece.text for piece in cut_side(comparison, name)).strip()
        paragraph = fill(text, width=100, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
        parts.append(f"  {_title(side)}\n{paragraph}")
    return "\n".join([*parts, ""])


def cut_side(comparison: "Comparison", name: str) -> list[RunText]:
    """Cut one passage, ``a`` or ``b``, into pieces on one line; a note replaces what is left out."""
    side = comparison.a if name == "a" else comparison.b
    pieces: list[RunText] = []
    position = 0
    for start, end, kind in sorted(_range(run, name, side.start) for run in comparison.runs):
        if start < end:
            pieces += [
                RunText(fold_lines(side.text[position:start]), ""),
                *_shorten(fold_lines(side.text[start:end]), kind),
            ]
            position = end
    pieces.append(RunText(fold_lines(side.text[position:]), ""))
    return _limit([piece for piece in pieces if piece.text])


def _title(side: "Side") -> str:
    from ibidem.text.look_alikes import describe_look_alikes

    places = [*(locator.label for locator in side.locators), f"characters {side.start:,} to {side.end:,}"]
    return printable(", ".join([side.document, *places, *describe_look_alikes(side.text)]))


def _range(run: "Run", name: str, offset: int) -> tuple[int, int, str]:
    start, end = (run.a_start, run.a_end) if name == "a" else (run.b_start, run.b_end)
    return start - offset, end - offset, run.mark


def _shorten(text: str, kind: str) -> list[RunText]:
    if kind not in ("equal", "moved") or len(text) <= SAME_SHOWN + 40:
        return [RunText(text, kind)]
    half = SAME_SHOWN // 2
    return [RunText(text[:half], kind), _left_out(len(text) - 2 * half, ", the same"), RunText(text[-half:], kind)]


def _limit(pieces: list[RunText]) -> list[RunText]:
    """The pieces up to ``SHOWN`` characters."""
    total = 0
    for number, piece in enumerate(pieces):
        if total + len(piece.text) > SHOWN:
            last = piece.text[: SHOWN - total]
            characters_left = sum(len(piece_left.text) for piece_left in pieces[number:]) - len(last)
            return [*pieces[:number], RunText(last, piece.kind), _left_out(characters_left)]
        total += len(piece.text)
    return pieces


def _left_out(count: int, description: str = "") -> RunText:
    return RunText(f" [... {format_count(count, 'character')}{description} ...] ", "")


def _mark(pieces: list[RunText]) -> "Text":
    from rich.text import Text

    return Text.assemble(*((piece.text, STYLES.get(piece.kind, "")) for piece in pieces))
