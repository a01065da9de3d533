"""The choices of a deduplication: which documents are near-duplicates, and which of them stay."""

from dataclasses import dataclass, replace
from typing import get_args

from ibidem.arguments import require_fraction
from ibidem.documents.representatives import Rules
from ibidem.documents.signatures import normalize_shingle
from ibidem.hashing import require_seed
from ibidem.keep_policy import Keep
from ibidem.options import ClusterMode, DedupOptions
from ibidem.rounding import ceil_loosely
from ibidem.sketches.banding import Banding
from ibidem.sketches.kmins import collisions_needed

CLUSTER_MODES = get_args(ClusterMode)

FILTER_SHARE = 0.01
"""Of the pairs that may be missed, the share that the filter by agreeing values costs at most; bands cost the rest."""


@dataclass(frozen=True, kw_only=True)
class Choices(DedupOptions):
    """The options of a deduplication, and what follows from them."""

    def require_valid(self) -> "Choices":
        """The same choices, checked, with shingles that are normalized as asked.

        Raises:
            ValueError: an argument is out of its range.
        """
        require_fraction("threshold", self.threshold)
        require_fraction("recall", self.recall)
        if self.cluster_mode not in CLUSTER_MODES:
            raise ValueError(f"cluster_mode is one of {', '.join(CLUSTER_MODES)}, not {self.cluster_mode!r}")
        require_seed(self.seed)
        return replace(self, shingle=normalize_shingle(self.shingle, self.normalize), normalize=())

    @property
    def banding(self) -> Banding:
        """The bands that find a pair at the threshold with the recall asked for, the filter's losses included."""
        return Banding.for_recall(self.threshold, self.num_hashes, 1 - (1 - self.recall) * (1 - FILTER_SHARE))

    @property
    def rules(self) -> Rules:
        """The rules for which of similar documents stays."""
        return Rules(self.threshold, Keep.parse(self.keep), self.cluster_mode)

    @property
    def least_agreeing(self) -> int:
        """The number of values of two signatures that must agree."""
        if not self.verify:
            return ceil_loosely(self.threshold * self.num_hashes)
        return collisions_needed(self.num_hashes, self.threshold, 1 - (1 - self.recall) * FILTER_SHARE)
