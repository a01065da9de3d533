"""The schemes that keep sketches: k-mins and one permutation.

Such a scheme makes the windows of a collection, the sketch of a query, and the score that a passage must reach to be
looked at. All that comes between, postings, look-up and sweep, is the same for every one.
"""

import math
from abc import abstractmethod
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import numpy.typing as npt

from ibidem.hashing import function_seeds
from ibidem.passages.filters.collision_count import BIN
from ibidem.passages.filters.rare_token_blocks import TokenTable, likely_starts
from ibidem.passages.postings.window_postings import write_postings
from ibidem.passages.query.plan import Plan
from ibidem.passages.query.sketch_query import Asked
from ibidem.passages.schemes.base import Scheme
from ibidem.sketch import kmins, one_permutation
from ibidem.sketch.families import Family
from ibidem.store.segment import Segment
from ibidem.store.segment_writer import SegmentWriter
from ibidem.text.token_stream import TokenStream
from ibidem.windows.one_permutation import bin_windows
from ibidem.windows.scanline import scanlines
from ibidem.windows.windows import Windows

__all__ = ["SCHEMES", "KMins", "OnePermutation", "SketchScheme"]


_SHARE = (1 << 18) // BIN
"""Bins below which a thread of its own is not worth its while."""


class SketchScheme(Scheme):
    """A scheme whose postings are the compact windows of hash values.

    Attributes:
        sampled: functions whose windows tell how many the others have.
    """

    sampled: int

    def __init__(self, family: Family, functions: int, seed: int, lengths: tuple[int, int], units: int = 0) -> None:
        super().__init__(family, functions, seed, lengths, units)
        self._lengths = lengths

    @abstractmethod
    def windows(self, stream: TokenStream, functions: range) -> Iterable[Windows]:
        """The windows of a block of texts under some of the functions."""

    def write_postings(
        self, segment: SegmentWriter, memory: int, pool: ThreadPoolExecutor, progress: Callable[[int], None]
    ) -> int:
        """One list for each key of each function."""
        return write_postings(segment, self, self._lengths[1], memory, pool, progress)

    def starts(self, segment: Segment, plan: Plan, pool: ThreadPoolExecutor, workers: int) -> npt.NDArray[np.int64]:
        """Where enough collisions are possible, and enough of the query's rare tokens stand."""
        bins = plan.bins(segment, thrifty=True)
        share = max(_SHARE, -(-len(bins) // workers))
        with plan.explanation.step("tokens"):
            work = partial(_likely_starts, segment.tokens, bins, plan, plan.table, share)
            return np.concatenate(list(pool.map(work, range(0, len(bins), share))))


def _likely_starts(
    tokens: npt.NDArray[np.uint32], bins: npt.NDArray[np.bool_], plan: Plan, table: TokenTable, share: int, first: int
) -> npt.NDArray[np.int64]:
    """The likely starts in the ``share`` of the bins that begins with bin ``first``."""
    begin, end = first * BIN, (first + share) * BIN + plan.most
    part = likely_starts(
        tokens[begin:end], bins[first : first + share], plan.query, table, plan.threshold, (plan.fewest, plan.most)
    )
    return part + begin


class KMins(SketchScheme):
    """The k-mins scheme (``sketch/kmins.py``): k independent functions, one collision counts 1."""

    sampled = 1

    def __init__(self, family: Family, functions: int, seed: int, lengths: tuple[int, int], units: int = 0) -> None:
        super().__init__(family, functions, seed, lengths, units)
        self._family = family
        self._seeds = function_seeds(seed, functions)

    def windows(self, stream: TokenStream, functions: range) -> Iterable[Windows]:
        """One sweep a function, over the keys that can matter."""
        seeds = self._seeds[functions.start : functions.stop]
        values = [self._family.active(stream.vocabulary, stream.peaks, seed) for seed in seeds]
        return scanlines(stream, values, *self._lengths)

    def sketch(self, tokens: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
        """The smallest key under each function."""
        return kmins.sketch(self._family, tokens, self._seeds)

    def asked(
        self, keys: npt.NDArray[np.int64], tokens: npt.NDArray[np.uint32], threshold: float, recall: float
    ) -> Asked:
        """The quantile of the binomial distribution."""
        needed = kmins.collisions_needed(self.functions, threshold, recall)
        return Asked(keys, np.ones(self.functions, np.int64), needed, self._lengths[1])

    def asked_of_estimates(self, keys: npt.NDArray[np.int64], threshold: float) -> Asked:
        """The threshold's share of the functions."""
        needed = max(1, math.ceil(threshold * self.functions - 1e-9))
        return Asked(keys, np.ones(self.functions, np.int64), needed, self._lengths[1])

    def estimate(self, a: npt.NDArray[np.int64], b: npt.NDArray[np.int64]) -> float:
        """The share of collisions."""
        return float((a == b).mean())


class OnePermutation(SketchScheme):
    """One permutation hashing (``sketch/one_permutation.py``): one function, k bins.

    A bin that agrees counts ``UNIT``, one that is empty in both texts the threshold's share of it: then ``N_mat +
    θ N_emp >= kθ`` says that the estimate ``N_mat / (k - N_emp)`` reaches the threshold ``θ``.
    """

    def __init__(self, family: Family, functions: int, seed: int, lengths: tuple[int, int], units: int = 0) -> None:
        super().__init__(family, functions, seed, lengths, units)
        self.sampled = functions
        self._weighting, self._units = family.weighting, units or 1
        self._rounds = units > 0
        (self._seed,) = function_seeds(seed, 1)

    def windows(self, stream: TokenStream, functions: range) -> Iterable[Windows]:
        """One sweep a bin, over the tokens of the bin."""
        values = one_permutation.bin_values(
            self._weighting, stream.vocabulary, stream.peaks, self._seed, self.functions, self._units
        )
        return bin_windows(stream, values, functions, *self._lengths)

    def sketch(self, tokens: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
        """The smallest key in each bin."""
        return one_permutation.sketch(self._weighting, tokens, self._seed, self.functions, self._units)

    def asked(
        self, keys: npt.NDArray[np.int64], tokens: npt.NDArray[np.uint32], threshold: float, recall: float
    ) -> Asked:
        """The quantile of the score.

        Weights in whole units lose less than a unit for each token of the query, so a passage of similarity θ has at
        least θ less that loss as a share of the query's weight; of this the quantile is asked.
        """
        if self._rounds:
            vocabulary, counts = np.unique(tokens, return_counts=True)
            weights = self._weighting.tf_table(int(counts.max()))[counts] * self._weighting.idf_of(vocabulary)
            threshold -= np.count_nonzero(weights) / (self._units * float(weights.sum()))
            if threshold <= 0:
                return self._asked(keys, 0.0, 0)
        elements = one_permutation.count_elements(self._weighting, tokens, self._units)
        needed = one_permutation.score_needed(self.functions, elements, threshold, recall)
        return self._asked(keys, threshold, needed)

    def asked_of_estimates(self, keys: npt.NDArray[np.int64], threshold: float) -> Asked:
        """The threshold's share of all bins; what no passage reaches, if the text has no element."""
        if (keys == one_permutation.EMPTY_KEY).all():
            return self._asked(keys, threshold, self.functions * one_permutation.UNIT + 1)
        return self._asked(keys, threshold, max(1, math.floor(threshold * one_permutation.UNIT) * self.functions))

    def estimate(self, a: npt.NDArray[np.int64], b: npt.NDArray[np.int64]) -> float:
        """The share of agreeing bins among those that are not empty in both."""
        return one_permutation.estimate(a, b)

    def _asked(self, keys: npt.NDArray[np.int64], threshold: float, least: int) -> Asked:
        empty = math.floor(threshold * one_permutation.UNIT)
        counts = np.where(keys == one_permutation.EMPTY_KEY, empty, one_permutation.UNIT)
        return Asked(keys, counts.astype(np.int64), least, self._lengths[1])


SCHEMES: dict[str, type[SketchScheme]] = {"k-mins": KMins, "one permutation": OnePermutation}
"""The schemes that keep sketches, by name."""
