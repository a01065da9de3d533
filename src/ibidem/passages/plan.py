"""What a search asks of every segment."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.passages.asked import Asked
from ibidem.passages.collisions import collided_bins
from ibidem.passages.explanation import Explanation
from ibidem.passages.query import Query
from ibidem.passages.question import Question
from ibidem.store.segment import Segment
from ibidem.weights import Weighting

__all__ = ["Plan"]


class Plan(NamedTuple):
    """What a search asks of every segment.

    Attributes:
        query: the query and its weights.
        weighting: the weights of the search.
        asked: what is asked of the sketch of a passage.
        threshold: least similarity.
        lengths: tokens of the shortest and the longest passage of the search.
        fewest, most: tokens that a passage has at least and at most that can have what is asked.
        explanation: where the search writes down what it did.
    """

    query: Query
    weighting: Weighting
    asked: Asked
    threshold: float
    lengths: tuple[int, int]
    fewest: int
    most: int
    explanation: Explanation

    @classmethod
    def of(
        cls,
        query: Query,
        weighting: Weighting,
        asked: Asked,
        question: Question,
        lengths: tuple[int, int],
        explanation: Explanation,
    ) -> "Plan":
        """Plan the search for one query; estimates bound no lengths."""
        threshold, (fewest, most) = question.threshold, lengths
        if question.verify:
            fewest, most = max(fewest, query.fewest_tokens(threshold)), query.most_tokens(threshold, most)
        return cls(query, weighting, asked, threshold, lengths, fewest, most, explanation)

    def bins(self, segment: Segment, thrifty: bool) -> npt.NDArray[np.bool_]:
        """The bins of starts in which enough collisions are possible; see ``collided_bins``."""
        with self.explanation.step("postings"):
            bins = collided_bins(segment, self.asked, (self.fewest, self.most), thrifty, self.explanation)
        self.explanation.bins += len(bins)
        self.explanation.bins_collided += int(np.count_nonzero(bins))
        return bins
