"""Schemes: how an index finds the passages that may be similar to a query.

A scheme makes the windows of a collection, the sketch of a query, and the score that a passage must reach to be looked
at. All that comes between, postings, look-up and sweep, is the same for every one.
"""

import math
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ibidem.passages.asked import Asked
from ibidem.passages.collisions import collided_bins
from ibidem.passages.explanation import Explanation
from ibidem.sketch import kmins, one_permutation
from ibidem.sketch.families import Family
from ibidem.sketch.hashing import function_seeds
from ibidem.store.segment import Segment
from ibidem.windows.one_permutation import bin_windows
from ibidem.windows.scanline import scanlines
from ibidem.windows.stream import TokenStream
from ibidem.windows.windows import Windows

__all__ = ["SCHEMES", "KMins", "OnePermutation", "Scheme"]


class Scheme(Protocol):
    """Windows of a collection, and what a query asks of them.

    Attributes:
        functions: k, how many lists of postings a query has.
        sampled: functions whose windows tell how many the others have.
    """

    functions: int
    sampled: int

    def windows(self, stream: TokenStream, functions: range) -> list[Windows]:
        """The windows of a block of texts under some of the functions."""

    def sketch(self, tokens: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
        """The keys of a text, int64 [k]."""

    def asked(
        self, keys: npt.NDArray[np.int64], tokens: npt.NDArray[np.uint32], threshold: float, recall: float
    ) -> Asked:
        """What a passage of an exact similarity of ``threshold`` to ``tokens`` has with probability ``recall``."""

    def asked_of_estimates(self, keys: npt.NDArray[np.int64], threshold: float) -> Asked:
        """What the passages have whose estimated similarity is ``threshold`` or more, and no others."""

    def estimate(self, a: npt.NDArray[np.int64], b: npt.NDArray[np.int64]) -> float:
        """The similarity that two sketches tell of."""

    def bins(
        self, segment: Segment, asked: Asked, lengths: tuple[int, int], thrifty: bool, explanation: Explanation
    ) -> npt.NDArray[np.bool_]:
        """The bins of start positions of a segment in which such a passage may start; see ``collided_bins``."""
        return collided_bins(segment, asked, lengths, thrifty, explanation)


class KMins(Scheme):
    """The k-mins scheme (``sketch/kmins.py``): k independent functions, one collision counts 1."""

    sampled = 1

    def __init__(self, family: Family, functions: int, seed: int, lengths: tuple[int, int]) -> None:
        self.functions = functions
        self._family, self._lengths = family, lengths
        self._seeds = function_seeds(seed, functions)

    def windows(self, stream: TokenStream, functions: range) -> list[Windows]:
        """One sweep a function, over the keys that can matter."""
        seeds = self._seeds[functions.start : functions.stop]
        values = [self._family.active(stream.vocabulary, stream.peaks, seed) for seed in seeds]
        return list(scanlines(stream, values, *self._lengths))

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


class OnePermutation(Scheme):
    """One permutation hashing (``sketch/one_permutation.py``): one function, k bins.

    A bin that agrees counts ``UNIT``, one that is empty in both texts the threshold's share of it: then ``N_mat +
    θ N_emp >= kθ`` says that the estimate ``N_mat / (k - N_emp)`` reaches the threshold ``θ``.
    """

    def __init__(self, family: Family, functions: int, seed: int, lengths: tuple[int, int], units: int = 0) -> None:
        self.functions = self.sampled = functions
        self._weighting, self._lengths, self._units = family.weighting, lengths, units or 1
        self._rounds = units > 0
        (self._seed,) = function_seeds(seed, 1)

    def windows(self, stream: TokenStream, functions: range) -> list[Windows]:
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


SCHEMES: dict[str, type[KMins] | type[OnePermutation]] = {"k-mins": KMins, "one permutation": OnePermutation}
"""The schemes by name."""
