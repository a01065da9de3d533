"""A console on which no text can control the terminal."""

from collections.abc import Callable, Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text


class Screen(Console):
    """Prints every text through ``printable``, and never as markup."""

    def __init__(self, printable: Callable[[str], str], *, stderr: bool = False) -> None:
        self._printable = printable
        super().__init__(stderr=stderr, markup=False, highlight=False, emoji=False)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The parts of what is printed; only those that this package or rich itself made steer the terminal."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=self._printable(segment.text))

    def render_str(self, text: str, **options: Any) -> Text:
        """A string as it is measured and printed."""
        return super().render_str(self._printable(text), **options)
