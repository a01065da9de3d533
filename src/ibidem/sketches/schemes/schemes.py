"""The schemes that keep sketches: k-mins and one permutation hashing.

Such a scheme makes the compact windows of a collection, the sketch of a query, and the score that a candidate must
reach. Postings, lookup and sweep are the same for all of them.
"""

import math
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Self

import numpy as np
import numpy.typing as npt

from ibidem.arguments import FamilyName
from ibidem.hashing import function_seeds
from ibidem.passages.filters.distinct_counts import BITS, NOTHING_COUNTED, count_distinct
from ibidem.passages.filters.overlap import OverlapFilter
from ibidem.passages.query.areas import Areas
from ibidem.passages.query.execution import Execution
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.plan import QueryPlan
from ibidem.passages.query.query import Query
from ibidem.passages.query.statistics import SearchStatistics
from ibidem.passages.schemes.base import Estimator, Scheme
from ibidem.rounding import ceil_loosely
from ibidem.sketches import kmins, one_permutation
from ibidem.sketches.families import FAMILIES, Family
from ibidem.sketches.schemes.collision_count import BIN, find_collided_bins
from ibidem.sketches.schemes.collisions.areas import estimate_areas
from ibidem.sketches.schemes.collisions.bounds import SweepPart
from ibidem.sketches.schemes.rare_tokens import TokenTable, build_token_table, find_rich_ranges
from ibidem.sketches.schemes.sketch_query import SketchPlan, SketchQuery
from ibidem.sketches.schemes.window_postings import write_postings
from ibidem.sketches.windows.one_permutation import bin_windows
from ibidem.sketches.windows.scanline import scanlines
from ibidem.sketches.windows.windows import Windows
from ibidem.store.segments.segment import Segment
from ibidem.store.segments.writer import SegmentWriter
from ibidem.text.token_stream import TokenStream
from ibidem.weights import Weighting

# Work for a token that is weighed, for any bin, and for a start that the overlap filter looks at; as measured by
# ``benchmarks/bounded_search.py``.
_TOKEN_COST, _BIN_COST, _OVERLAP_COST = 0.4, 1, 3

# Fewer bins than this are not worth a thread of their own.
_BINS_PER_TASK = (1 << 18) // BIN


class SketchScheme(Scheme):
    """A scheme whose postings are the compact windows of hash values.

    Its postings serve one measure and one range of lengths, so a search cannot choose others.

    Attributes:
        functions: k, the number of posting lists that a query has.
        sample_functions: functions whose windows say how many the others have.
    """

    sample_functions: int

    def __init__(self, family: Family, functions: int, seed: int, lengths: tuple[int, int], units: int = 0) -> None:
        self.functions = functions
        self._lengths = lengths

    @classmethod
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
        return cls(FAMILIES[family](weighting), num_hashes, seed, lengths, weight_units)

    @abstractmethod
    def windows(self, stream: TokenStream, functions: range) -> Iterable[Windows]:
        """The windows of a block of texts under some of the functions."""

    @abstractmethod
    def sketch(self, tokens: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
        """The keys of a text, int64 [k]."""

    @abstractmethod
    def query_similarity(self, tokens: npt.NDArray[np.uint32], threshold: float, recall: float) -> SketchQuery:
        """The score that a passage of exact similarity ``threshold`` to ``tokens`` reaches with chance ``recall``."""

    @abstractmethod
    def query_estimate(self, tokens: npt.NDArray[np.uint32], threshold: float) -> SketchQuery:
        """The score of exactly the passages whose estimated similarity is ``threshold`` or more."""

    @abstractmethod
    def estimate(self, a: npt.NDArray[np.int64], b: npt.NDArray[np.int64]) -> float:
        """The similarity that two sketches estimate."""

    def write_postings(
        self, segment: SegmentWriter, memory: int, pool: ThreadPoolExecutor, progress: Callable[[int], None]
    ) -> int:
        """Write one list for each key of each function."""
        return write_postings(segment, self, self._lengths[1], memory, pool, progress)

    def plan(
        self,
        query: Query,
        weighting: Weighting,
        options: SearchOptions,
        lengths: tuple[int, int],
        statistics: SearchStatistics,
    ) -> SketchPlan:
        """The plan with the sketch of the query, and the score that candidates must reach."""
        if options.verify:
            sketch = self.query_similarity(query.tokens, options.threshold, options.recall)
        else:
            sketch = self.query_estimate(query.tokens, options.threshold)
        statistics.score = sketch.collisions_needed
        return SketchPlan.of(super().plan(query, weighting, options, lengths, statistics), sketch)

    def candidate_starts(
        self, segments: Sequence[Segment], plan: QueryPlan, execution: Execution
    ) -> Iterator[npt.NDArray[np.int64]]:
        """The starts at which enough collisions are possible and enough of the query's rare tokens occur."""
        assert isinstance(plan, SketchPlan)
        shares = _share_of_tokens(segments, plan.query.vocabulary)
        table = build_token_table(plan.query, shares, plan.threshold, plan.similar_lengths)
        for segment in segments:
            bins = find_collided_bins(segment, plan.sketch, plan.similar_lengths, True, execution)
            execution.spend(_TOKEN_COST * BIN * int(np.count_nonzero(bins)) + _BIN_COST * len(bins))
            with execution.statistics.step("tokens"):
                yield _find_likely_starts(segment, bins, plan, table, execution)

    def require_estimates(self) -> None:
        """Sketches estimate."""

    def estimate_areas(
        self, segments: Sequence[Segment], plan: QueryPlan, options: SearchOptions, execution: Execution
    ) -> Iterator[tuple[Segment, Areas]]:
        """The passages that a sweep of the windows finds."""
        assert isinstance(plan, SketchPlan)
        tokens_before, total = 0, sum(segment.num_tokens for segment in segments)
        for segment in segments:
            part = SweepPart(tokens_before / total, segment.num_tokens / total)
            yield segment, estimate_areas(segment, plan, options, execution, part)
            tokens_before += segment.num_tokens

    def make_estimator(self, tokens: npt.NDArray[np.uint32]) -> Estimator:
        """Estimates by the sketch of ``tokens``, which is made once."""
        sketch = self.sketch(tokens)
        return lambda passage: self.estimate(sketch, self.sketch(passage))


def _share_of_tokens(segments: Sequence[Segment], vocabulary: npt.NDArray[np.uint32]) -> npt.NDArray[np.float64]:
    """How often each token occurs in all segments, as a share of their tokens, float64 [V]."""
    counts, total = np.zeros(len(vocabulary)), 0
    for segment in segments:
        tokens, _, in_all = segment.vocabulary()
        total += segment.num_tokens
        if len(tokens):
            place = np.minimum(np.searchsorted(tokens, vocabulary), len(tokens) - 1)
            counts += np.where(tokens[place] == vocabulary, in_all[place], 0)
    return counts / max(total, 1)


def _count_distinct(segment: Segment, plan: QueryPlan, execution: Execution) -> npt.NDArray[np.uint16]:
    """The fewest distinct tokens of passages, where these bound the length of a similar one and tokens do not."""
    if plan.query.least_first <= plan.query.least_step:
        return NOTHING_COUNTED
    return count_distinct(segment, plan.similar_lengths[1], execution.map).fewest


def _find_likely_starts(
    segment: Segment, bins: npt.NDArray[np.bool_], plan: QueryPlan, table: TokenTable, execution: Execution
) -> npt.NDArray[np.int64]:
    """The starts in ``bins`` that hold enough of the query's tokens, as ranges, int64 [N, 2]."""
    size = max(_BINS_PER_TASK, -(-len(bins) // execution.workers))
    parts = [slice(first, first + size) for first in range(0, len(bins), size)]
    texts = [segment.tokens[part.start * BIN : part.stop * BIN + plan.similar_lengths[1]] for part in parts]
    find_rich = partial(_find_rich_ranges, plan=plan, table=table)
    rich = list(execution.map(find_rich, zip(texts, (bins[part] for part in parts), strict=True)))
    execution.spend(_OVERLAP_COST * sum(int((ranges[:, 1] - ranges[:, 0]).sum()) for ranges in rich))
    fewest = _count_distinct(segment, plan, execution)
    overlap = OverlapFilter.of(plan.query, plan.threshold, plan.similar_lengths[0])
    narrow = partial(_narrow, overlap=overlap, fewest=fewest)
    starts = execution.map(narrow, zip(texts, rich, (part.start * BIN for part in parts), strict=True))
    return np.concatenate(list(starts))


def _find_rich_ranges(
    part: tuple[npt.NDArray[np.uint32], npt.NDArray[np.bool_]], plan: QueryPlan, table: TokenTable
) -> npt.NDArray[np.int64]:
    """The starts that the rare tokens leave in a part of the text, given as tokens and bins."""
    return find_rich_ranges(*part, plan, table)


def _narrow(
    part: tuple[npt.NDArray[np.uint32], npt.NDArray[np.int64], int],
    overlap: OverlapFilter,
    fewest: npt.NDArray[np.uint16],
) -> npt.NDArray[np.int64]:
    """The starts that the overlap filter leaves in a part of the text: its tokens, ranges of starts, and its place."""
    tokens, ranges, begin = part
    return overlap.starts(tokens, ranges, fewest, begin >> BITS) + begin


class KMinsScheme(SketchScheme):
    """The k-mins scheme (``sketches/kmins.py``): k independent functions; a collision is worth 1."""

    sample_functions = 1

    def __init__(self, family: Family, functions: int, seed: int, lengths: tuple[int, int], units: int = 0) -> None:
        super().__init__(family, functions, seed, lengths, units)
        self._family = family
        self._seeds = function_seeds(seed, functions)

    def windows(self, stream: TokenStream, functions: range) -> Iterable[Windows]:
        """One sweep for each function, over the keys that can matter."""
        seeds = self._seeds[functions.start : functions.stop]
        values = [self._family.active(stream.vocabulary, stream.peaks, seed) for seed in seeds]
        return scanlines(stream, values, *self._lengths)

    def sketch(self, tokens: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
        """The smallest key under each function."""
        return kmins.sketch(self._family, tokens, self._seeds)

    def query_similarity(self, tokens: npt.NDArray[np.uint32], threshold: float, recall: float) -> SketchQuery:
        """The score is a quantile of the binomial distribution."""
        return self._query(tokens, kmins.collisions_needed(self.functions, threshold, recall))

    def query_estimate(self, tokens: npt.NDArray[np.uint32], threshold: float) -> SketchQuery:
        """The score is the threshold's share of the functions."""
        return self._query(tokens, max(1, ceil_loosely(threshold * self.functions)))

    def estimate(self, a: npt.NDArray[np.int64], b: npt.NDArray[np.int64]) -> float:
        """The share of functions that collide."""
        return float((a == b).mean())

    def _query(self, tokens: npt.NDArray[np.uint32], least: int) -> SketchQuery:
        worths = np.ones(self.functions, np.int64)
        return SketchQuery(keys=self.sketch(tokens), worths=worths, least=least, reach=self._lengths[1])


class OnePermutationScheme(SketchScheme):
    """One permutation hashing (``sketches/one_permutation.py``): one function, k bins.

    A bin with equal keys is worth ``UNIT``; one that is empty in both texts is worth the threshold's share of it. Then
    ``N_mat + θ N_emp >= kθ`` says that the estimate ``N_mat / (k - N_emp)`` reaches the threshold ``θ``.
    """

    def __init__(self, family: Family, functions: int, seed: int, lengths: tuple[int, int], units: int = 0) -> None:
        super().__init__(family, functions, seed, lengths, units)
        self.sample_functions = functions
        self._weighting, self._units = family.weighting, units or 1
        self._rounds = units > 0
        (self._seed,) = function_seeds(seed, 1)

    def windows(self, stream: TokenStream, functions: range) -> Iterable[Windows]:
        """One sweep for each bin, over the tokens of the bin."""
        values = one_permutation.bin_values(
            self._weighting, stream.vocabulary, stream.peaks, self._seed, self.functions, self._units
        )
        return bin_windows(stream, values, functions, *self._lengths)

    def sketch(self, tokens: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
        """The smallest key in each bin."""
        return one_permutation.sketch(self._weighting, tokens, self._seed, self.functions, self._units)

    def query_similarity(self, tokens: npt.NDArray[np.uint32], threshold: float, recall: float) -> SketchQuery:
        """The score is a quantile of its distribution.

        Weights in whole units lose less than one unit for each token of the query. So a passage of similarity θ has at
        least θ, less that loss as a share of the query's weight, and the quantile is that of the smaller similarity.
        """
        if self._rounds:
            vocabulary, counts = np.unique(tokens, return_counts=True)
            weights = self._weighting.tf_table(int(counts.max()))[counts] * self._weighting.idf_of(vocabulary)
            threshold -= np.count_nonzero(weights) / (self._units * float(weights.sum()))
            if threshold <= 0:
                return self._query(tokens, 0.0, 0)
        elements = one_permutation.count_elements(self._weighting, tokens, self._units)
        least_score = one_permutation.score_needed(self.functions, elements, threshold, recall)
        return self._query(tokens, threshold, least_score)

    def query_estimate(self, tokens: npt.NDArray[np.uint32], threshold: float) -> SketchQuery:
        """The score is the threshold's share of all bins. A text without elements gets one that no passage reaches."""
        query = self._query(tokens, threshold, max(1, math.floor(threshold * one_permutation.UNIT) * self.functions))
        if query.is_empty.all():
            return query._replace(least=self.functions * one_permutation.UNIT + 1)
        return query

    def estimate(self, a: npt.NDArray[np.int64], b: npt.NDArray[np.int64]) -> float:
        """The share of agreeing bins among those that are not empty in both."""
        return one_permutation.estimate(a, b)

    def _query(self, tokens: npt.NDArray[np.uint32], threshold: float, least: int) -> SketchQuery:
        keys, empty = self.sketch(tokens), math.floor(threshold * one_permutation.UNIT)
        worths = np.where(keys == one_permutation.EMPTY_KEY, empty, one_permutation.UNIT).astype(np.int64)
        return SketchQuery(keys=keys, worths=worths, least=least, reach=self._lengths[1])


SCHEMES: dict[str, type[SketchScheme]] = {"minhash": KMinsScheme, "oph": OnePermutationScheme}
"""The schemes that keep sketches, by name."""
