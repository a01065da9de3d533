"""What a search asks of every segment."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ibidem.passages.filters.collision_count import collided_bins
from ibidem.passages.filters.rare_token_blocks import TokenTable, token_table
from ibidem.passages.query.options import Question
from ibidem.passages.query.query import Query
from ibidem.passages.query.sketch_query import Asked
from ibidem.passages.query.statistics import Explanation
from ibidem.store.segment import Segment
from ibidem.weights import Weighting

__all__ = ["Plan"]


@dataclass(frozen=True)
class Plan:
    """What a search asks of every segment.

    Attributes:
        segments: all of them.
        query: the query and its weights.
        weighting: the weights of the search.
        asked: what is asked of the sketch of a passage.
        threshold: least similarity.
        lengths: tokens of the shortest and the longest passage of the search.
        fewest, most: tokens that a passage has at least and at most that can have what is asked.
        explanation: where the search writes down what it did.
    """

    segments: Sequence[Segment]
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
        segments: Sequence[Segment],
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
        return cls(segments, query, weighting, asked, threshold, lengths, fewest, most, explanation)

    @cached_property
    def table(self) -> TokenTable:
        """The query's rare tokens, by how often they stand in all segments."""
        counts, total = np.zeros(len(self.query.vocabulary)), 0
        for segment in self.segments:
            tokens, _, in_all = segment.vocabulary()
            total += segment.num_tokens
            if len(tokens):
                place = np.minimum(np.searchsorted(tokens, self.query.vocabulary), len(tokens) - 1)
                counts += np.where(tokens[place] == self.query.vocabulary, in_all[place], 0)
        return token_table(self.query, counts / max(total, 1), self.threshold, (self.fewest, self.most))

    def bins(self, segment: Segment, thrifty: bool) -> npt.NDArray[np.bool_]:
        """The bins of starts in which enough collisions are possible; see ``collided_bins``."""
        with self.explanation.step("postings"):
            bins = collided_bins(segment, self.asked, (self.fewest, self.most), thrifty, self.explanation)
        self.explanation.bins += len(bins)
        self.explanation.bins_collided += int(np.count_nonzero(bins))
        return bins
