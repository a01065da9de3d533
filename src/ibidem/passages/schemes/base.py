"""The interface of a scheme: how an index finds the passages that may be similar to a query.

A scheme writes the postings of a collection, and finds in them the starts of candidates. The steps after that, exact
verification and selection, are the same for every scheme.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from ibidem.arguments import FamilyName
from ibidem.passages.query.areas import Areas
from ibidem.passages.query.execution import Execution
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.plan import QueryPlan, plan_search
from ibidem.passages.query.query import Query
from ibidem.passages.query.statistics import SearchStatistics
from ibidem.store.segments.segment import Segment
from ibidem.store.segments.writer import SegmentWriter
from ibidem.store.sizing import TOKEN_BYTES
from ibidem.weights import Weighting

Estimator = Callable[[npt.NDArray[np.uint32]], float]
"""Estimates how similar a passage, given as tokens, is to a query."""


class Scheme(ABC):
    """Writes the postings of a collection, and finds candidates in them.

    Attributes:
        token_bytes: memory that a token of a segment takes while the segment is built.
        keeps_positions: whether the postings are the positions of the tokens.
        counts_tokens: whether ``write_postings`` also writes the vocabulary of a segment that has none.
    """

    token_bytes: ClassVar[int] = TOKEN_BYTES
    keeps_positions: ClassVar[bool] = False
    counts_tokens: ClassVar[bool] = False

    @classmethod
    @abstractmethod
    def of(
        cls,
        weighting: Weighting,
        *,
        family: FamilyName,
        num_hashes: int,
        seed: int,
        lengths: tuple[int, int],
        weight_units: int,
    ) -> Self:
        """The scheme of these choices of a configuration."""

    @abstractmethod
    def write_postings(
        self, segment: SegmentWriter, memory: int, pool: ThreadPoolExecutor, progress: Callable[[int], None]
    ) -> int:
        """Write the postings of a segment whose documents are written. Returns how many there are.

        Args:
            memory: bytes that postings may take before they are written.
            pool: threads for the work; the result does not depend on them.
            progress: called with the number of tokens done.
        """

    def plan(
        self,
        query: Query,
        weighting: Weighting,
        options: SearchOptions,
        lengths: tuple[int, int],
        statistics: SearchStatistics,
    ) -> QueryPlan:
        """Plan the search for one query."""
        return plan_search(query, weighting, options, lengths)

    @abstractmethod
    def candidate_starts(
        self, segments: Sequence[Segment], plan: QueryPlan, execution: Execution
    ) -> Iterator[npt.NDArray[np.int64]]:
        """For each segment in turn, where the passages that ``plan`` looks for may start.

        Ranges of positions, half open and ascending, int64 [N, 2]. Every passage that the plan looks for starts in one.
        """

    def require_estimates(self) -> None:
        """Raise ``ValueError`` if the scheme cannot estimate a similarity without verification."""
        raise ValueError("an exact index has no sketches to estimate from: leave verify on")

    def estimate_areas(
        self, segments: Sequence[Segment], plan: QueryPlan, options: SearchOptions, execution: Execution
    ) -> Iterator[tuple[Segment, Areas]]:
        """The passages of each segment whose estimated similarity reaches the threshold of the plan."""
        raise NotImplementedError

    def make_estimator(self, tokens: npt.NDArray[np.uint32]) -> Estimator | None:
        """Estimates the similarity of passages to the query ``tokens``; ``None`` if the scheme estimates nothing."""
        return None
