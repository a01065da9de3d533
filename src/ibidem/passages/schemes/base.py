"""The interface of a scheme: how an index finds the passages that may be similar to a query.

A scheme writes the postings of a collection, and finds in them the starts of candidates. The steps after that, exact
verification and selection, are the same for every scheme.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ibidem.passages.query.execution import Execution
from ibidem.passages.query.plan import Plan
from ibidem.store.segments.segment import Segment
from ibidem.store.segments.writer import SegmentWriter
from ibidem.store.sizing import TOKEN_BYTES

__all__ = ["Scheme"]


class Scheme(ABC):
    """Writes the postings of a collection, and finds candidates in them.

    Attributes:
        token_bytes: memory that a token of a segment takes while the segment is built.
    """

    token_bytes: ClassVar[int] = TOKEN_BYTES

    @abstractmethod
    def write_postings(
        self, segment: SegmentWriter, memory: int, pool: ThreadPoolExecutor, progress: Callable[[int], None]
    ) -> int:
        """Write the postings of a segment whose documents are written. Returns how many there are.

        Args:
            memory: bytes that postings may take before they are written.
            pool: threads for the work; the result does not depend on them.
            progress: told the number of tokens done.
        """

    @abstractmethod
    def candidate_starts(
        self, segments: Sequence[Segment], plan: Plan, execution: Execution
    ) -> Iterator[npt.NDArray[np.int64]]:
        """For each segment in turn, where the passages that ``plan`` looks for may start.

        Ranges of positions, half open and ascending, int64 [N, 2]. Every passage that the plan looks for starts in one.
        """
