"""The rules of a deduplication: which documents are near-duplicates, and which of them stay."""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from ibidem.agreement.banding import Banding
from ibidem.agreement.collisions import collisions_needed
from ibidem.arguments import require_choice, require_fraction
from ibidem.documents.signatures import Shingler, normalize_shingle
from ibidem.hashing import require_seed
from ibidem.keep_policy import Keep
from ibidem.options import ClusterMode
from ibidem.text import Normalize, TokenizerSpec

FILTER_SHARE = 0.01
"""Of the pairs that may be missed, the share that the filter by agreeing values costs at most; bands cost the rest."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What ``ibidem.deduplicate`` is asked for, and what follows from it.

    Attributes:
        alone: whether documents are compared with an index alone, and not with each other.
    """

    threshold: float = 0.8
    shingle: TokenizerSpec = "words:5"
    recall: float = 0.99
    num_hashes: int = 128
    seed: int = 0
    keep: str = "first"
    cluster_mode: ClusterMode = "representative"
    alone: bool = False

    def __post_init__(self) -> None:
        require_fraction("threshold", self.threshold)
        require_fraction("recall", self.recall)
        require_choice("cluster_mode", self.cluster_mode, ClusterMode)
        require_seed(self.seed)
        _ = self.policy, self.banding  # refuses what neither can have

    @classmethod
    def of(cls, shingle: TokenizerSpec, normalize: Normalize, **choices: Any) -> "Rules":
        """The rules for shingles that are normalized as asked.

        Raises:
            ValueError: an argument is out of its range.
        """
        return cls(shingle=normalize_shingle(shingle, normalize), **choices)

    def describe(self) -> dict[str, Any]:
        """The rules as values that JSON can hold."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return values | {"shingle": Shingler(self.shingle).config}

    @cached_property
    def policy(self) -> Keep:
        """Which of similar documents stays."""
        return Keep.parse(self.keep)

    @cached_property
    def banding(self) -> Banding:
        """The bands that find a pair at the threshold with the recall asked for, the filter's losses included."""
        return Banding.for_recall(self.threshold, self.num_hashes, 1 - (1 - self.recall) * (1 - FILTER_SHARE))

    @cached_property
    def least_agreeing(self) -> int:
        """The number of values of two signatures that must agree."""
        return collisions_needed(self.num_hashes, self.threshold, 1 - (1 - self.recall) * FILTER_SHARE)
