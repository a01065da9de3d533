"""What a scheme is: how an index finds the passages that may be similar to a query.

A scheme writes the postings of a collection, and finds in them where a similar passage may start. What comes after
that, the exact similarities and the report, is the same for every one.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ibidem.passages.query.plan import Plan
from ibidem.passages.query.sketch_query import Asked
from ibidem.sketch.families import Family
from ibidem.store.segment import Segment
from ibidem.store.segment_writer import SegmentWriter
from ibidem.store.sizing import TOKEN_BYTES

__all__ = ["Scheme"]


class Scheme(ABC):
    """Postings of a collection, and what a query asks of them.

    Attributes:
        sketches: whether its postings are of hash values, made for one measure and one range of lengths, so that a
            search cannot choose others.
        token_bytes: memory that a token of a segment takes while the segment is built.
        functions: k, how many lists of postings a query has; 0 of a scheme without sketches.
    """

    sketches: ClassVar[bool] = True
    token_bytes: ClassVar[int] = TOKEN_BYTES

    def __init__(self, family: Family, functions: int, seed: int, lengths: tuple[int, int], units: int = 0) -> None:
        self.functions = functions

    @abstractmethod
    def write_postings(
        self, segment: SegmentWriter, memory: int, pool: ThreadPoolExecutor, progress: Callable[[int], None]
    ) -> int:
        """Write the postings of a segment whose documents are written; returns how many there are.

        Args:
            memory: bytes that postings may take before they are written.
            pool: what may be done side by side; the result does not depend on it.
            progress: told the number of tokens done.
        """

    @abstractmethod
    def sketch(self, tokens: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
        """The keys of a text, int64 [k]."""

    @abstractmethod
    def asked(
        self, keys: npt.NDArray[np.int64], tokens: npt.NDArray[np.uint32], threshold: float, recall: float
    ) -> Asked:
        """What a passage of an exact similarity of ``threshold`` to ``tokens`` has with probability ``recall``."""

    @abstractmethod
    def asked_of_estimates(self, keys: npt.NDArray[np.int64], threshold: float) -> Asked:
        """What the passages have whose estimated similarity is ``threshold`` or more, and no others.

        Raises:
            ValueError: the scheme estimates nothing.
        """

    @abstractmethod
    def estimate(self, a: npt.NDArray[np.int64], b: npt.NDArray[np.int64]) -> float | None:
        """The similarity that two sketches tell of, if the scheme estimates any."""

    @abstractmethod
    def starts(self, segment: Segment, plan: Plan, pool: ThreadPoolExecutor, workers: int) -> npt.NDArray[np.int64]:
        """Where passages that ``plan`` asks for may start in a segment.

        Ranges of positions, half open and ascending, int64 [N, 2]; none is left out that has what is asked.
        """
