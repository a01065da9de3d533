"""``trace``: which passages of a collection the outputs of a model repeat, from where, and how much."""

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Annotated

import numpy as np
import numpy.typing as npt

from ibidem.alignment.align import require_settings
from ibidem.alignment.longest_runs import LongestRuns
from ibidem.counts import shorten
from ibidem.options import Option
from ibidem.parallel import in_threads
from ibidem.passages.index import PassageIndex
from ibidem.results.arrow import make_table
from ibidem.results.sequence import Results
from ibidem.spans import Match
from ibidem.text import Collection, Document, as_documents
from ibidem.tracing.rates import Amount, Rate, measure_rates
from ibidem.tracing.spans import TracedOutput, TracedSpan, best_sources, group_matches

if TYPE_CHECKING:
    import pyarrow

_PRINTED_TEXT = 60

THRESHOLD, MIN_PAIR_LENGTH, VERBATIM, EXPECT, LIMIT = 0.5, 10, 50, 0.1, 10
"""The arguments of ``trace``, if nothing else is said."""


class Trace(Results[TracedSpan]):
    """The spans of all outputs, in the order of the outputs and of the places in them.

    Attributes:
        outputs: each output with its spans, also one without any.
        rates: how much of the outputs is memorised, by each definition; see :class:`ibidem.Rate`.
    """

    value_type = TracedSpan

    def __init__(
        self, outputs: Iterable[TracedOutput] = (), *, verbatim: int = VERBATIM, threshold: float = THRESHOLD
    ) -> None:
        self.outputs, self._verbatim, self._threshold = tuple(outputs), verbatim, threshold
        super().__init__(span for output in self.outputs for span in output.spans)
        self.rates: list[Rate] = measure_rates([output.amount for output in self.outputs], verbatim, threshold)

    def to_arrow(self) -> "pyarrow.Table":
        """A table with a row for each span and source, the columns of the span before those of the source."""
        import pyarrow

        rows = [(span, source) for span in self for source in span.sources]
        sources = make_table(Match, [source for _, source in rows])
        of_source = ("start", "end", "similarity", "expected", "text", "metadata")
        columns = {"document": sources["document"], **{f"source_{name}": sources[name] for name in of_source}}
        names = ("output", "start", "end", "text", "similarity", "longest_run", "documents", "expected")
        kinds = (pyarrow.string(), *[pyarrow.int64()] * 2, pyarrow.string(), pyarrow.float64(), *[pyarrow.int64()] * 2)
        spans = {
            name: pyarrow.array([getattr(span, name) for span, _ in rows], kind)
            for name, kind in zip(names, (*kinds, pyarrow.float64()), strict=True)
        }
        return pyarrow.table(spans | columns)

    def _line(self, value: TracedSpan) -> str:
        best = value.sources[0]
        sources = f"{best.document} and {value.documents - 1:,} more" if value.documents > 1 else best.document
        return f"{value.similarity:.3f}  {value.output}: {shorten(value.text, _PRINTED_TEXT)!r} from {sources}"

    def _with(self, values: Iterable[TracedSpan]) -> "Trace":
        chosen_spans = set(values)
        outputs = (
            TracedOutput(
                id=output.id, spans=tuple(span for span in output.spans if span in chosen_spans), amount=output.amount
            )
            for output in self.outputs
        )
        return Trace(outputs, verbatim=self._verbatim, threshold=self._threshold)


def trace(
    outputs: Collection,
    index: PassageIndex,
    *,
    threshold: Annotated[float, Option("Least similarity of a span.")] = THRESHOLD,
    min_pair_length: Annotated[
        int, Option("Least tokens of the longer of a span and its source.", "N")
    ] = MIN_PAIR_LENGTH,
    verbatim: Annotated[int, Option("Words in a row that count as extractable.", "K")] = VERBATIM,
    expect: Annotated[
        float, Option("Spans that chance may give in an output and a document.", "E", most=None)
    ] = EXPECT,
    limit: Annotated[int, Option("The most sources of a span; all are counted.", "N")] = LIMIT,
    text: str = "text",
    id: str = "id",
    threads: int | None = None,
) -> Trace:
    """The passages of ``outputs`` that documents of ``index`` hold, with their sources, and the rate of memorisation.

    A passage is found as by :meth:`PassageIndex.align`: words may be changed, left out or inserted, as long as chance
    does not explain what is left. Besides, the longest run of words that an output and a document have in common is
    exact: a run of ``verbatim`` words or more is always a span, whatever its words.

    Args:
        outputs: a table, or an iterable of ``Document``s, strings, (id, text) pairs or mappings.
        index: an exact index of the training data, or of a sample of it.
        threshold: least similarity of a near-verbatim passage, above 0 and at most 1.
        min_pair_length: least tokens of the longer of a passage and its source.
        verbatim: least tokens in a row of what counts as extractable.
        expect: how many passages chance may give in an output and a document.
        limit: the most sources of a span that are given; all are counted.
        text, id: the columns of a table, or the keys of mappings.
        threads: as many as the machine has cores if not given. The result does not depend on it.

    Raises:
        ConfigurationError: the index is not an exact one.
        ValueError: an argument is out of its range.

    >>> import tempfile
    >>> verse = "tyger tyger burning bright in the forests of the night what immortal hand or eye could frame"
    >>> index = PassageIndex.build(tempfile.mkdtemp() + "/index", [("blake", verse)])
    >>> found = trace(["So: Tyger, tyger, burning bright, in the jungles of the night, what immortal hand!"], index)
    >>> [(span.text, span.longest_run, span.sources[0].document) for span in found]
    [('Tyger, tyger, burning bright, in the jungles of the night, what immortal hand', 0, 'blake')]
    """
    tracer = Tracer(
        index,
        threshold=threshold,
        min_pair_length=min_pair_length,
        verbatim=verbatim,
        expect=expect,
        limit=limit,
    )
    traced = in_threads(tracer.trace_output, as_documents(outputs, text, id), threads)
    return Trace(traced, verbatim=verbatim, threshold=threshold)


class Tracer:
    """Traces outputs one by one, in any number of threads; the arguments are those of :func:`trace`."""

    def __init__(
        self,
        index: PassageIndex,
        *,
        threshold: float = THRESHOLD,
        min_pair_length: int = MIN_PAIR_LENGTH,
        verbatim: int = VERBATIM,
        expect: float = EXPECT,
        limit: int = LIMIT,
    ) -> None:
        require_settings(threshold, min_pair_length, expect)
        for name, value in (("verbatim", verbatim), ("limit", limit)):
            if value < 1:
                raise ValueError(f"{name} must be 1 or more, not {value!r}")
        index.align("", threads=1)  # refuses an index that cannot, and counts its tokens once
        self._index, self._verbatim, self._limit = index, verbatim, limit
        self._align = partial(
            index.align, threshold=threshold, min_pair_length=min_pair_length, expect=expect, threads=1
        )
        self._least = min(min_pair_length, verbatim)

    def trace_output(self, output: Document) -> TracedOutput:
        """The spans of an output, and how much of it they are."""
        runs = self._index.find_runs(output.text, min_length=self._least)
        matches = list(self._align(output.text, name=output.id))
        is_covered = _mark(runs, [(match.query_start, match.query_end) for match in matches])
        groups = [(group, len({match.document for match in group})) for group in group_matches(matches)]
        for run in runs.list(self._verbatim):
            if is_covered[run.first : run.last].mean() < 0.5:
                groups.append(([runs.make_match(run, output.id)], runs.count_documents(run)))
        in_runs = runs.lengths >= self._verbatim
        spans = [self._span(output, group, documents, runs) for group, documents in groups]
        return TracedOutput(
            id=output.id,
            spans=tuple(sorted(spans, key=lambda span: (span.start, span.end))),
            amount=Amount(
                words=len(runs.lengths),
                longest_run=int(runs.lengths.max(initial=0)),
                verbatim=int(in_runs.sum()),
                near_verbatim=int((in_runs | is_covered).sum()),
            ),
        )

    def _span(self, output: Document, group: list[Match], documents: int, runs: LongestRuns) -> TracedSpan:
        sources, longest = best_sources(group), group[0]
        start, end = longest.query_start, longest.query_end
        chances = [match.expected for match in group if match.expected is not None]
        return TracedSpan(
            output=output.id,
            start=start,
            end=end,
            text=output.text[start:end],
            similarity=sources[0].similarity,
            longest_run=int(runs.lengths[_mark(runs, [(start, end)])].max(initial=0)),
            documents=documents,
            expected=min(chances, default=None),
            sources=tuple(sources[: self._limit]),
        )


def _mark(runs: LongestRuns, places: Iterable[tuple[int, int]]) -> npt.NDArray[np.bool_]:
    """Which tokens of a text begin in one of the ranges of code points."""
    is_in_range = np.zeros(len(runs.starts), np.bool_)
    for start, end in places:
        first, last = np.searchsorted(runs.starts, [start, end])
        is_in_range[first:last] = True
    return is_in_range
