"""The two ways to make min-hashes of passages: k-mins and one permutation hashing.

A scheme makes the compact windows of a collection, the sketch of a query, and the score of the passages whose estimated
similarity reaches a threshold. Postings, look-up and sweep are the same for both.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.hashing import function_seeds
from ibidem.rounding import ceil_loosely
from ibidem.sketches import kmins, one_permutation
from ibidem.sketches.families import Family
from ibidem.sketches.windows.one_permutation import bin_windows
from ibidem.sketches.windows.scanline import scanlines
from ibidem.sketches.windows.windows import Windows
from ibidem.text.token_stream import TokenStream


class QuerySketch(NamedTuple):
    """The sketch of a query, and the condition on the sketch of a passage.

    Two sketches *collide* under a function if they have the same key. The score of a passage is the sum of the
    ``worths`` of the functions under which it collides with the query.

    Attributes:
        keys: int64 [k], the query's keys; negative where it has none.
        worths: int64 [k], what a collision under each function adds to the score.
        least: the least score of a passage that is reported.
        reach: the most starts that a window has.
    """

    keys: npt.NDArray[np.int64]
    worths: npt.NDArray[np.int64]
    least: int
    reach: int

    @property
    def is_empty(self) -> npt.NDArray[np.bool_]:
        """The functions, bool [k], whose windows of the query's key are empty: they hold all ends from each start."""
        empty: npt.NDArray[np.bool_] = self.keys == one_permutation.EMPTY_KEY
        return empty


class Scheme(ABC):
    """Makes windows and sketches.

    Attributes:
        functions: k, the number of posting lists that a query has.
        sample_functions: functions whose windows say how many the others have.
    """

    sample_functions: int

    def __init__(self, family: Family, functions: int, seed: int, lengths: tuple[int, int], units: int = 0) -> None:
        self.functions = functions
        self._lengths = lengths

    @abstractmethod
    def windows(self, stream: TokenStream, functions: range) -> Iterable[Windows]:
        """The windows of a block of texts under some of the functions."""

    @abstractmethod
    def sketch(self, tokens: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
        """The keys of a text, int64 [k]."""

    @abstractmethod
    def sketch_query(self, tokens: npt.NDArray[np.uint32], threshold: float) -> QuerySketch:
        """The sketch, and the score of exactly the passages whose estimated similarity is ``threshold`` or more."""

    @abstractmethod
    def estimate(self, a: npt.NDArray[np.int64], b: npt.NDArray[np.int64]) -> float:
        """The similarity that two sketches estimate."""


class KMinsScheme(Scheme):
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

    def sketch_query(self, tokens: npt.NDArray[np.uint32], threshold: float) -> QuerySketch:
        """The score is ``⌈kθ⌉``, the threshold's share of the functions (Zhang et al., section 3.2)."""
        least = max(1, ceil_loosely(threshold * self.functions))
        return QuerySketch(self.sketch(tokens), np.ones(self.functions, np.int64), least, self._lengths[1])

    def estimate(self, a: npt.NDArray[np.int64], b: npt.NDArray[np.int64]) -> float:
        """The share of functions that collide."""
        return float((a == b).mean())


class OnePermutationScheme(Scheme):
    """One permutation hashing (``sketches/one_permutation.py``): one function, k bins.

    A bin with equal keys is worth ``UNIT``; one that is empty in both texts is worth the threshold's share of it. Then
    ``N_mat + θ N_emp >= kθ`` says that the estimate ``N_mat / (k - N_emp)`` reaches the threshold ``θ`` (Peng et al.,
    section 4.1).
    """

    def __init__(self, family: Family, functions: int, seed: int, lengths: tuple[int, int], units: int = 0) -> None:
        super().__init__(family, functions, seed, lengths, units)
        self.sample_functions = functions
        self._weighting, self._units = family.weighting, units or 1
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

    def sketch_query(self, tokens: npt.NDArray[np.uint32], threshold: float) -> QuerySketch:
        """The score is ``kθ``, the threshold's share of all bins. A text without elements gets one out of reach."""
        keys, empty = self.sketch(tokens), math.floor(threshold * one_permutation.UNIT)
        is_empty = keys == one_permutation.EMPTY_KEY
        worths = np.where(is_empty, empty, one_permutation.UNIT).astype(np.int64)
        least = self.functions * one_permutation.UNIT + 1 if is_empty.all() else max(1, empty * self.functions)
        return QuerySketch(keys, worths, least, self._lengths[1])

    def estimate(self, a: npt.NDArray[np.int64], b: npt.NDArray[np.int64]) -> float:
        """The share of agreeing bins among those that are not empty in both."""
        return one_permutation.estimate(a, b)


SCHEMES: dict[str, type[Scheme]] = {"minhash": KMinsScheme, "oph": OnePermutationScheme}
"""The schemes, by the names of the option ``sketch``."""
