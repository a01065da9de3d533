"""Results of aligning two texts."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Self

from ibidem.comparison import (
    Comparer,
    Comparison,
    Finding,
    Shares,
    UnitPair,
    Witness,
    WordPair,
    align_units,
    align_words,
    count_shares,
)
from ibidem.comparison.markup import render_page
from ibidem.counts import shorten
from ibidem.plots import draw_dots
from ibidem.results.sequence import Results
from ibidem.spans import Alignment, Ignored
from ibidem.text import TokenizerSpec

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_RENDERED = 10
"""Pairs that a notebook shows."""

_PRINTED_TEXT = 30
"""Characters of a passage in a line of a printed result."""


class Alignments(Results[Alignment]):
    """The pairs of passages that two texts share, in the order of the first text.

    Attributes:
        a, b: the two texts.
        ignored: passages of ``a`` and ``b`` that counted as absent, since they are similar to a text to ignore.

    >>> from ibidem import align
    >>> a = "As Jaques put it: all the world is a stage and all the men and women merely players. Nobody laughed."
    >>> b = "All the world is a stage, and all the men and women are merely players! So Shakespeare wrote."
    >>> found = align(a, b, min_pair_length=8)
    >>> found
    Alignments: 1
      0.911  18 to 83: 'all the world i ...  merely players'  0 to 70: 'All the world i ...  merely players'
    >>> [b[word.b[0]:word.b[1]] for word in found.words(0) if word.kind == "inserted"]
    ['are']
    """

    value_type = Alignment

    def __init__(
        self,
        values: Iterable[Alignment] = (),
        *,
        a: str = "",
        b: str = "",
        tokenizer: TokenizerSpec = "words",
        ignored: Iterable[Ignored] = (),
    ) -> None:
        super().__init__(values)
        self.a, self.b = a, b
        self.ignored = tuple(ignored)
        self.tokenizer = tokenizer

    def passages(self, pair: int | Alignment) -> tuple[str, str]:
        """The two passages of a pair, given by its place or itself."""
        pair = self._pair(pair)
        return self.a[pair.a_start : pair.a_end], self.b[pair.b_start : pair.b_end]

    def words(self, pair: int | Alignment) -> list[WordPair]:
        """Which words correspond in a pair, and what was changed, inserted, dropped or moved."""
        return align_words(self.a, self.b, self._pair(pair), tokenizer=self.tokenizer)

    def units(
        self, units: str | Sequence[Sequence[Any]] | tuple[Any, Any], pair: int | Alignment | None = None
    ) -> list[UnitPair]:
        """Which lines, sentences or paragraphs correspond, in a pair or in the whole texts; see ``align_units``."""
        alignment = None if pair is None else self._pair(pair)
        return align_units(self.a, self.b, units, alignment, tokenizer=self.tokenizer)

    def shares(self, *, quotations: int | None = None) -> Shares:
        """How many words of each text the other one has in runs of five or more, moved or changed, in all pairs.

        Words of passages that were ignored count as absent.

        Args:
            quotations: so many words or more in quotation marks count as quoted alone, and are listed.

        >>> from ibidem import align
        >>> a = "Why not? All the world is a stage and all the men and women merely players, he said."
        >>> b = "All the world is a stage, and all the men and women were merely players. So it is."
        >>> shares = align(a, b, min_pair_length=8).shares()
        >>> shares.describe("his", "hers")[0]
        'his: 12 of 18 words (67 %) are in hers, too, in runs of five or more, 2 more changed or in shorter runs'
        >>> round(shares.a.identical_share, 2), shares.to_dict()["b_words"]
        (0.67, 18)
        """
        a, b = ([(passage.start, passage.end) for passage in self.ignored if passage.document == side] for side in "ab")
        return count_shares(self.a, self.b, self, tokenizer=self.tokenizer, quotations=quotations, absent=(a, b))

    def compare(self, pair: int | Alignment, *, names: Sequence[str] = ("a", "b")) -> Comparison:
        """How the passages of a pair compare, and why they match; see :func:`ibidem.compare`."""
        return self._compare(self._pair(pair), Comparer(self.tokenizer), names)

    def plot(self, *, names: tuple[str, str] = ("a", "b"), axes: "Axes | None" = None) -> "Axes":
        """Draw the pairs as a dot plot: a line for each, the first text from left to right; it needs the extra ``viz``.

        Args:
            axes: of matplotlib, to draw on; those of a new figure if not given.

        Raises:
            MissingExtraError: matplotlib is not installed.
        """
        ranges = ((pair.a_start, pair.a_end, pair.b_start, pair.b_end) for pair in self._values)
        return draw_dots(ranges, (len(self.a), len(self.b)), names, axes)

    def _pair(self, pair: int | Alignment) -> Alignment:
        return self._values[pair] if isinstance(pair, int) else pair

    def _compare(self, pair: Alignment, comparer: Comparer, names: Sequence[str]) -> Comparison:
        ours = Witness(names[0], pair.a_start, pair.a_end, self.a)
        return comparer.compare(ours, Witness(names[1], pair.b_start, pair.b_end, self.b), Finding.of(pair))

    def _line(self, value: Alignment) -> str:
        ours, theirs = (shorten(text, _PRINTED_TEXT) for text in self.passages(value))
        return (
            f"{value.similarity:.3f}  {value.a_start:,} to {value.a_end:,}: {ours!r}"
            f"  {value.b_start:,} to {value.b_end:,}: {theirs!r}"
        )

    def _with(self, values: Iterable[Alignment]) -> Self:
        return type(self)(values, a=self.a, b=self.b, tokenizer=self.tokenizer, ignored=self.ignored)

    def _repr_html_(self) -> str:
        """Each pair of passages in two columns, the words marked in which they differ; the first ten."""
        comparer = Comparer(self.tokenizer, reasons=False)
        pairs = [
            self._compare(pair, comparer, ("a", "b")).render(f"similarity {pair.similarity:.3f}")
            for pair in self._values[:_RENDERED]
        ]
        title = f"{len(self):,} pair{'' if len(self) == 1 else 's'} of passages"
        return render_page(title, pairs, max(0, len(self) - _RENDERED))
