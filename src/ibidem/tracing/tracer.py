"""``Tracer``: traces outputs to the documents of an index, one by one."""

from collections.abc import Iterable
from functools import partial

import numpy as np
import numpy.typing as npt

from ibidem.alignment.lengths import require_settings
from ibidem.alignment.longest_runs import LongestRuns
from ibidem.passages.index import PassageIndex
from ibidem.spans import Match
from ibidem.text import Document
from ibidem.tracing.rates import Amount
from ibidem.tracing.spans import TracedOutput, TracedSpan, best_sources, group_matches

_PHRASE = 12
"""Words of a run that is longer than phrases of a language."""


class Tracer:
    """Traces outputs one by one, in any number of threads; the arguments are those of :func:`trace`."""

    def __init__(
        self,
        index: PassageIndex,
        *,
        threshold: float,
        min_pair_length: int,
        verbatim: int,
        expect: float,
        limit: int,
    ) -> None:
        require_settings(threshold, min_pair_length, expect)
        for name, value in (("verbatim", verbatim), ("limit", limit)):
            if value < 1:
                raise ValueError(f"{name} must be 1 or more, not {value!r}")
        index.align("", threads=1)  # refuses an index that cannot, and counts its tokens once
        self._index, self._verbatim, self._limit, self._expect = index, verbatim, limit, expect
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
        for run in runs.list(min(self._verbatim, max(self._least, _PHRASE))):
            if is_covered[run.first : run.last].mean() < 0.5:
                documents = runs.count_documents(run)
                expected = runs.expect_by_chance(run, documents)
                if run.last - run.first >= self._verbatim or expected <= self._expect:
                    is_covered[run.first : run.last] = True
                    groups.append(([runs.make_match(run, output.id)], documents))
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
