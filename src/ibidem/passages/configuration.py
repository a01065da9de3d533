"""What an index was made with. It is written into the index, and everything added or asked later obeys it."""

from typing import Any

import msgspec
import numpy as np

from ibidem.errors import ConfigurationError
from ibidem.sketch.families import FAMILIES, Family
from ibidem.sketch.hashing import function_seeds
from ibidem.weights import IDF, DocumentFrequencies, Weighting

__all__ = ["LONGEST", "Configuration"]

LONGEST = 65535
"""The longest passage of any index: the widths of a window are stored in 16 bits."""

_MOST_FUNCTIONS = 65535
"""Collisions are counted in 16 bits."""


class Configuration(msgspec.Struct, frozen=True, kw_only=True):
    """The choices behind a passage index.

    Attributes:
        tokenizer: the tokenizer's own configuration.
        family: ``"set"``, ``"multiset"`` or ``"weighted"``.
        scheme: ``"k-mins"``.
        functions: number of hash functions, ``k``.
        seed: names the hash functions; two indexes with one seed use the same.
        min_length, max_length: tokens of the shortest and the longest passage that is indexed.
        tf, idf: names of the weights of the family ``"weighted"``.
    """

    tokenizer: dict[str, Any]
    family: str = "multiset"
    scheme: str = "k-mins"
    functions: int = 16
    seed: int = 0
    min_length: int = 32
    max_length: int = 1024
    tf: str = "raw"
    idf: str = "unary"

    def __post_init__(self) -> None:
        if self.family not in FAMILIES:
            raise ValueError(f"no family is called {self.family!r}; there are {', '.join(FAMILIES)}")
        if self.scheme != "k-mins":
            raise ValueError(f"no scheme is called {self.scheme!r}; there is k-mins")
        if not 1 <= self.functions <= _MOST_FUNCTIONS:
            raise ValueError(f"k is between 1 and {_MOST_FUNCTIONS}, not {self.functions}")
        if not 1 <= self.min_length <= self.max_length <= LONGEST:
            raise ValueError(
                f"passages have 1 <= min_length <= max_length <= {LONGEST} tokens, "
                f"not {self.min_length} and {self.max_length}"
            )
        if not 0 <= self.seed < 2**63:
            raise ValueError(f"a seed is a number from 0 to 2^63 - 1, not {self.seed}")
        if self.family != "weighted" and (self.tf, self.idf) != ("raw", "unary"):
            raise ValueError(f"tf and idf are weights of the family 'weighted', not of {self.family!r}")
        Weighting.of("weighted", tf=self.tf, idf="unary")  # refuses an unknown tf
        if self.idf not in IDF:  # and this, before a collection is read whose frequencies it would weigh
            raise ValueError(f"no idf is called {self.idf!r}; there are {', '.join(IDF)}")

    @classmethod
    def read(cls, config: dict[str, Any]) -> "Configuration":
        """The configuration that an index holds."""
        try:
            return msgspec.convert(config, cls)
        except (msgspec.ValidationError, ValueError) as error:
            raise ConfigurationError(f"the index has a configuration that is not understood: {error}") from error

    @property
    def needs_frequencies(self) -> bool:
        """Whether the weights depend on the collection's document frequencies."""
        return self.family == "weighted" and self.idf != "unary"

    def weighting(self, frequencies: DocumentFrequencies | None) -> Weighting:
        """The weights of a token in a passage."""
        if self.family == "weighted":
            return Weighting.of("weighted", tf=self.tf, idf=self.idf, frequencies=frequencies)
        return Weighting.of(self.family)

    def make_family(self, frequencies: DocumentFrequencies | None) -> Family:
        """The family of hash values under these weights."""
        family: Family = FAMILIES[self.family](self.weighting(frequencies))
        return family

    def seeds(self) -> "np.typing.NDArray[np.uint64]":
        """The hash functions, uint64 [functions]."""
        return function_seeds(self.seed, self.functions)
