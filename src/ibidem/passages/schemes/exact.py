"""The exact scheme: nothing is hashed, and nothing left to chance."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from ibidem.passages.filters.exact_candidates import occurring_starts
from ibidem.passages.postings.radix_sort import stable_order
from ibidem.passages.query.plan import Plan
from ibidem.passages.query.sketch_query import Asked
from ibidem.passages.schemes.base import Scheme
from ibidem.store.segment import Segment
from ibidem.store.segment_writer import SegmentWriter

__all__ = ["Exact"]


class Exact(Scheme):
    """Keys are tokens, and postings the positions at which they stand; a text has a sketch of no keys."""

    sketches = False
    token_bytes = 32  # positions are sorted as a whole

    def write_postings(
        self, segment: SegmentWriter, memory: int, pool: ThreadPoolExecutor, progress: Callable[[int], None]
    ) -> int:
        """One list for each token."""
        return write_positions(segment, progress)

    def sketch(self, tokens: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
        """No keys."""
        return np.empty(0, np.int64)

    def asked(
        self, keys: npt.NDArray[np.int64], tokens: npt.NDArray[np.uint32], threshold: float, recall: float
    ) -> Asked:
        """Nothing is asked of sketches."""
        return Asked(keys, np.empty(0, np.int64), 0, 0)

    def asked_of_estimates(self, keys: npt.NDArray[np.int64], threshold: float) -> Asked:
        """Refused: there is no estimate."""
        raise ValueError("an exact index estimates nothing: leave verify as it is")

    def estimate(self, a: npt.NDArray[np.int64], b: npt.NDArray[np.int64]) -> None:
        """No estimate."""

    def starts(self, segment: Segment, plan: Plan, pool: ThreadPoolExecutor, workers: int) -> npt.NDArray[np.int64]:
        """From where enough of the query can be reached."""
        lengths = plan.fewest, plan.most
        with plan.explanation.step("postings"):
            return occurring_starts(segment, plan.query, plan.threshold, lengths, pool, plan.explanation)


def write_positions(segment: SegmentWriter, progress: Callable[[int], None]) -> int:
    """Write the positions of all tokens of a segment whose documents are written; returns how many there are."""
    tokens, _ = segment.tokens()
    keys, starts = stable_order(tokens)
    segment.append_postings(keys, starts, np.empty((len(keys), 0), np.uint16))
    progress(len(keys))
    return len(keys)
