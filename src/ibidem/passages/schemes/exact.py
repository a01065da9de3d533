"""The exact scheme: keys are tokens, postings are positions. It hashes nothing and leaves nothing to chance."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from ibidem.passages.filters.exact_candidates import find_exact_candidates
from ibidem.passages.postings.radix_sort import sort_stably
from ibidem.passages.query.execution import Execution
from ibidem.passages.query.plan import Plan
from ibidem.passages.schemes.base import Scheme
from ibidem.store.segment import Segment
from ibidem.store.segment_writer import SegmentWriter

__all__ = ["Exact"]


class Exact(Scheme):
    """An inverted index of positions: one posting list for each token of the collection."""

    token_bytes = 32  # positions are sorted as a whole

    def write_postings(
        self, segment: SegmentWriter, memory: int, pool: ThreadPoolExecutor, progress: Callable[[int], None]
    ) -> int:
        """Write the positions of all tokens."""
        tokens, _ = segment.tokens()
        keys, starts = sort_stably(tokens)
        segment.append_postings(keys, starts, np.empty((len(keys), 0), np.uint16))
        progress(len(keys))
        return len(keys)

    def candidate_starts(
        self, segments: Sequence[Segment], plan: Plan, execution: Execution
    ) -> Iterator[npt.NDArray[np.int64]]:
        """The starts from which enough of the query can be reached."""
        for segment in segments:
            with execution.statistics.step("postings"):
                starts = find_exact_candidates(segment, plan, execution)
            yield starts
