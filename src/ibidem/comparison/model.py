"""How two passages compare: the one value that the terminal, the report, the page and notebooks draw from.

Every position counts code points and every range is half open. Positions of passages, runs and locators are those of
the whole document, so that ``text[start:end]`` of the document is the passage.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec

from ibidem.comparison.runs import Kind

Mark = Kind | Literal["alone", ""]


class Run(msgspec.Struct, frozen=True, array_like=True):
    """A run of words of one passage and its counterpart in the other; in JSON ``[kind, 0, 5, 0, 5, true]``.

    Attributes:
        kind: ``equal`` and ``moved`` runs have the same words; ``dropped`` is in the first passage alone and
            ``inserted`` in the second alone, and the empty range says where it would be; ``changed`` is the rest.
        a_start, a_end, b_start, b_end: from the first word's beginning to the last word's end.
        counted: whether its words count as the same or as changed (:mod:`ibidem.comparison.shares`). Few equal words
            by themselves do not, nor does what lies between them: texts on one subject have as much in common.
    """

    kind: Kind
    a_start: int
    a_end: int
    b_start: int
    b_end: int
    counted: bool = True

    @property
    def mark(self) -> Mark:
        """How a reader sees its words: by the kind if they count, else as in either text ``alone`` or as nothing."""
        if self.counted:
            return self.kind
        return "" if self.kind in ("equal", "moved") else "alone"


class Locator(msgspec.Struct, frozen=True, array_like=True):
    """A name for a range of a document, such as a verse, a page or a chapter; in JSON ``[start, end, label]``."""

    start: int
    end: int
    label: str


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """A passage and its place.

    Attributes:
        document: the id of the document.
        start, end: the passage in the document.
        text: the passage as the document has it.
        before, after: the text around it.
        length: code points of the whole document; ``None`` if only the passage is known.
        lines: numbers of the passage's first and last line, from 1; ``None`` if only the passage is known.
        locators: the named ranges that the passage meets.
        metadata: what else is known of the document.
    """

    document: str
    start: int
    end: int
    text: str
    before: str = ""
    after: str = ""
    length: int | None = None
    lines: tuple[int, int] | None = None
    locators: tuple[Locator, ...] = ()
    metadata: dict[str, Any] = msgspec.field(default_factory=dict)


class Word(msgspec.Struct, frozen=True):
    """A word, how often each passage has it, and what one occurrence weighs."""

    text: str
    a: int
    b: int
    weight: float


class Reasons(msgspec.Struct, frozen=True, kw_only=True):
    """The words that two passages do not share.

    Attributes:
        only_a, only_b: the words that one has more of, the rarest first.
        a_in_b, b_in_a: containment, the share of the weight of one passage that the other has.
    """

    only_a: tuple[Word, ...]
    only_b: tuple[Word, ...]
    a_in_b: float
    b_in_a: float


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two passages, what corresponds in them, and why they match.

    Attributes:
        similarity: Jaccard similarity by the weights of the search or alignment that found the pair.
        kind: ``similar``, or ``summary`` where one passage sums the other up.
        containment: of a summary, the share of it that the other passage holds.
        runs: every word of both passages, by place in the first.
        reasons: ``None`` if they were not asked for, or the text of a passage is not known.
    """

    a: Side
    b: Side
    runs: tuple[Run, ...]
    similarity: float | None = None
    kind: Literal["similar", "summary"] = "similar"
    containment: float | None = None
    reasons: Reasons | None = None
    version: int = 1

    def _repr_html_(self) -> str:
        """Both passages in two columns, the words marked in which they differ."""
        from ibidem.comparison.markup import render_page

        measure = "" if self.similarity is None else f"similarity {self.similarity:.3f}"
        return render_page(f"{self.a.document} and {self.b.document}", [self.render(measure)], 0)

    def render(self, caption: str) -> str:
        """The passages as an HTML table of two columns under a caption, the words marked in which they differ."""
        from ibidem.comparison.markup import render_columns

        heads = [f"{side.document}, characters {side.start:,} to {side.end:,}" for side in (self.a, self.b)]
        a = [(run.a_start, run.a_end, run.kind) for run in self.runs]
        b = [(run.b_start, run.b_end, run.kind) for run in self.runs]
        return render_columns(heads, [_cut(self.a, a), _cut(self.b, b)], caption)


def _cut(side: Side, ranges: Iterable[tuple[int, int, str]]) -> Iterator[tuple[str, str]]:
    """The kinds and texts of the runs of a passage, and the texts between them, which have no kind."""
    position = side.start
    for start, end, kind in sorted(ranges):
        if start < end:
            yield "", side.text[position - side.start : start - side.start]
            yield kind, side.text[start - side.start : end - side.start]
            position = end
    yield "", side.text[position - side.start :]
