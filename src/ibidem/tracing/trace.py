"""``trace``: which passages of a collection the outputs of a model repeat, from where, and how much."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ibidem.alignment.against_index import token_frequencies
from ibidem.alignment.align import require_settings
from ibidem.counts import shorten
from ibidem.options import TextColumns, TracingOptions, takes, values_of
from ibidem.parallel import in_threads
from ibidem.passages.index import PassageIndex
from ibidem.results.arrow import make_table
from ibidem.results.sequence import Results
from ibidem.spans import Match
from ibidem.text import Collection, Document, Texts, Tokens, as_documents
from ibidem.tracing.rates import Amount, Rate, measure_rates
from ibidem.tracing.runs import Cover, ExactMatch, count_holders, cover_with_runs, list_runs
from ibidem.tracing.spans import TracedOutput, TracedSpan, best_sources, group_matches

if TYPE_CHECKING:
    import pyarrow

_PRINTED_TEXT = 60


@dataclass(frozen=True, kw_only=True)
class TraceOutputs(TracingOptions, TextColumns):
    """A call of :func:`trace`."""

    outputs: Collection = field(kw_only=False)
    index: PassageIndex = field(kw_only=False)
    threads: int | None = None


class Trace(Results[TracedSpan]):
    """The spans of all outputs, in the order of the outputs and of the places in them.

    Attributes:
        outputs: each output with its spans, also one without any.
        rates: how much of the outputs is memorised, by each definition; see :class:`ibidem.Rate`.
    """

    value_type = TracedSpan

    def __init__(self, outputs: Iterable[TracedOutput] = (), options: TracingOptions | None = None) -> None:
        self.outputs = tuple(outputs)
        self._options = options or TracingOptions()
        super().__init__(span for output in self.outputs for span in output.spans)
        amounts = [output.amount for output in self.outputs]
        self.rates: list[Rate] = measure_rates(amounts, self._options.verbatim, self._options.threshold)

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
        return Trace(outputs, self._options)


@takes(TraceOutputs)
def trace(call: TraceOutputs) -> Trace:
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
    options = TracingOptions(**values_of(call, TracingOptions))
    tracer, outputs = Tracer(call.index, options), as_documents(call.outputs, call.text, call.id)
    return Trace(in_threads(tracer.trace_output, outputs, call.threads), options)


class Tracer:
    """Traces outputs one by one, in any number of threads."""

    def __init__(self, index: PassageIndex, options: TracingOptions) -> None:
        require_settings(options.threshold, options.min_pair_length, options.expect)
        for name in ("verbatim", "limit"):
            if getattr(options, name) < 1:
                raise ValueError(f"{name} must be 1 or more, not {getattr(options, name)!r}")
        index.align("", threads=1)  # refuses an index that cannot, and counts its tokens once
        self._index, self._options = index, options
        self._frequencies = token_frequencies(index.segments)

    def trace_output(self, output: Document) -> TracedOutput:
        """The spans of an output, and how much of it they are."""
        options = self._options
        tokens = self._index.tokenizer.encode(Texts.from_strings([output.text]), offsets=True)
        cover = cover_with_runs(
            tokens.ids, self._index.segments, self._frequencies, min(options.min_pair_length, options.verbatim)
        )
        matches = list(
            self._index.align(
                output.text,
                name=output.id,
                threshold=options.threshold,
                min_pair_length=options.min_pair_length,
                expect=options.expect,
                threads=1,
            )
        )
        is_covered = _mark(tokens, [(match.query_start, match.query_end) for match in matches])
        groups = [(group, len({match.document for match in group})) for group in group_matches(matches)]
        for run in list_runs(cover, options.verbatim):
            if is_covered[run.first : run.last].mean() < 0.5:
                holders = count_holders(tokens.ids[run.first : run.last], self._index.segments)
                groups.append(([self._match_of(run, tokens, output)], holders))
        in_runs = cover.lengths >= options.verbatim
        spans = [self._span(output, group, documents, tokens, cover) for group, documents in groups]
        return TracedOutput(
            id=output.id,
            spans=tuple(sorted(spans, key=lambda span: (span.start, span.end))),
            amount=Amount(
                words=len(tokens.ids),
                longest_run=int(cover.lengths.max(initial=0)),
                verbatim=int(in_runs.sum()),
                near_verbatim=int((in_runs | is_covered).sum()),
            ),
        )

    def _match_of(self, run: ExactMatch, tokens: Tokens, output: Document) -> Match:
        """A run of words as a match; it is the same in both texts."""
        segment = self._index.segments[run.segment]
        row = int(segment.document_of(np.array([run.position]))[0])
        start, end = segment.offsets(row, run.position, run.position + run.last - run.first - 1)
        assert tokens.starts is not None
        assert tokens.ends is not None
        return Match(
            query_name=output.id,
            query_start=int(tokens.starts[run.first]),
            query_end=int(tokens.ends[run.last - 1]),
            document=segment.document_id(row),
            start=start,
            end=end,
            similarity=1.0,
            text=segment.text(row)[start:end],
            metadata=segment.metadata_if_readable(row),
        )

    def _span(self, output: Document, group: list[Match], documents: int, tokens: Tokens, cover: Cover) -> TracedSpan:
        sources, longest = best_sources(group), group[0]
        start, end = longest.query_start, longest.query_end
        chances = [match.expected for match in group if match.expected is not None]
        return TracedSpan(
            output=output.id,
            start=start,
            end=end,
            text=output.text[start:end],
            similarity=sources[0].similarity,
            longest_run=int(cover.lengths[_mark(tokens, [(start, end)])].max(initial=0)),
            documents=documents,
            expected=min(chances, default=None),
            sources=tuple(sources[: self._options.limit]),
        )


def _mark(tokens: Tokens, places: Iterable[tuple[int, int]]) -> npt.NDArray[np.bool_]:
    """Which tokens of a text begin in one of the ranges of code points."""
    assert tokens.starts is not None
    is_in_range = np.zeros(len(tokens.ids), np.bool_)
    for start, end in places:
        first, last = np.searchsorted(tokens.starts, [start, end])
        is_in_range[first:last] = True
    return is_in_range
