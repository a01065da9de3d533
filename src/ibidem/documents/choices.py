"""What a deduplication takes for a near-duplicate, and which of them stays."""

from typing import Literal, NamedTuple, TypedDict, get_args

from ibidem.arguments import require_fraction
from ibidem.documents.keep_policy import Keep
from ibidem.documents.representatives import Rules
from ibidem.hashing import require_seed
from ibidem.rounding import ceil_loosely
from ibidem.sketches.banding import Banding
from ibidem.sketches.kmins import collisions_needed
from ibidem.text import TokenizerSpec

__all__ = ["Choices", "ClusterMode", "DedupKeywords"]

ClusterMode = Literal["representative", "connected"]
CLUSTER_MODES = get_args(ClusterMode)

FILTER_SHARE = 0.01
"""Of the pairs that may be missed, the share that the filter by agreeing values costs at most; bands cost the rest."""


class DedupKeywords(TypedDict, total=False):
    """The choices of a deduplication as the keywords of a call."""

    threshold: float
    shingle: TokenizerSpec
    keep: str
    cluster_mode: ClusterMode
    recall: float
    verify: bool
    num_hashes: int
    seed: int


class Choices(NamedTuple):
    """What is a near-duplicate, and which of them stays; see ``deduplicate``."""

    threshold: float = 0.8
    shingle: TokenizerSpec = "words:5"
    keep: str = "first"
    cluster_mode: ClusterMode = "representative"
    recall: float = 0.99
    verify: bool = True
    num_hashes: int = 128
    seed: int = 0

    def require_valid(self) -> "Choices":
        """Itself, if it makes sense."""
        require_fraction("threshold", self.threshold)
        require_fraction("recall", self.recall)
        if self.cluster_mode not in CLUSTER_MODES:
            raise ValueError(f"cluster_mode is one of {', '.join(CLUSTER_MODES)}, not {self.cluster_mode!r}")
        require_seed(self.seed)
        return self

    @property
    def banding(self) -> Banding:
        """The bands that find a pair at the threshold with the recall asked for, the filter's losses included."""
        return Banding.for_recall(self.threshold, self.num_hashes, 1 - (1 - self.recall) * (1 - FILTER_SHARE))

    @property
    def rules(self) -> Rules:
        """Which of similar documents stays."""
        return Rules(self.threshold, Keep.parse(self.keep), self.cluster_mode)

    @property
    def needed(self) -> int:
        """How many values of two signatures must agree."""
        if not self.verify:
            return ceil_loosely(self.threshold * self.num_hashes)
        return collisions_needed(self.num_hashes, self.threshold, 1 - (1 - self.recall) * FILTER_SHARE)
