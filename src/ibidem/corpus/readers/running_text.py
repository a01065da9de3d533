"""``RunningText``: builds a text out of the pieces of a marked-up document, and notes where its spans begin and end."""

from ibidem.corpus.readers.document import Span


class RunningText:
    """A text in the making.

    White space of the source counts as one space, as in a browser; breaks are asked for. Breaks at the beginning and
    the end of the text are dropped.
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._gap = ""
        self._spans: list[Span] = []
        self._open: dict[str, tuple[str, int | None, str]] = {}

    def __len__(self) -> int:
        return self._length

    def add(self, text: str) -> None:
        """Append text; a run of white space becomes one space."""
        words = text.split()
        if not words:
            if text:
                self._widen(" ")
            return
        if text[0].isspace():
            self._widen(" ")
        self.add_verbatim(" ".join(words))
        if text[-1].isspace():
            self._widen(" ")

    def add_verbatim(self, text: str) -> None:
        """Append text as it is."""
        if not text:
            return
        if self._gap and self._length:
            self._parts.append(self._gap)
            self._length += len(self._gap)
        self._gap = ""
        for kind, (label, start, target) in self._open.items():
            if start is None:
                self._open[kind] = (label, self._length, target)
        self._parts.append(text)
        self._length += len(text)

    def break_line(self) -> None:
        """Begin a line, unless the text is at the beginning of one."""
        self._widen("\n")

    def break_paragraph(self) -> None:
        """Begin a paragraph: leave a line empty."""
        self._widen("\n\n")

    def join(self) -> None:
        """Append what follows without a gap, as after a word that a line break divides."""
        self._gap = ""

    def drop_hyphen(self) -> None:
        """Remove a hyphen from the end of the text."""
        if self._parts and self._parts[-1][-1:] in ("-", "\xad", "¬", "⸗"):
            self._parts[-1] = self._parts[-1][:-1]
            self._length -= 1

    def begin(self, kind: str, label: str, target: str = "") -> None:
        """Begin a span with the next text; it ends the span of this kind that is open."""
        self.end(kind)
        self._open[kind] = (label, None, target)

    def end(self, kind: str) -> None:
        """End the span of this kind, if one is open. A span without text is dropped."""
        label, start, target = self._open.pop(kind, ("", None, ""))
        if start is not None and start < self._length:
            self._spans.append(Span(kind, label, start, self._length, target))

    def finish(self) -> tuple[str, list[Span]]:
        """The text and its spans, in the order of their starts, longer ones first."""
        for kind in list(self._open):
            self.end(kind)
        return "".join(self._parts), sorted(self._spans, key=lambda span: (span.start, -span.end))

    def _widen(self, gap: str) -> None:
        if len(gap) > len(self._gap) or (gap == "\n" and self._gap == " "):
            self._gap = gap
