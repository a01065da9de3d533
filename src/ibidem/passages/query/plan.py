"""The plan of a search: what every segment is searched for. It is data alone, and runs nothing."""

import msgspec

from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.query import Query
from ibidem.weights import Weighting

# Passages have at most 65,535 tokens: of texts that share one, hardly any are less similar than this. A threshold near
# 0 would make bounds overflow.
_LEAST_THRESHOLD = 1e-6


class QueryPlan(msgspec.Struct, frozen=True, kw_only=True):
    """The bounds and weights by which every segment is searched.

    Attributes:
        query: the query and its weights.
        weighting: the weights of the search.
        threshold: least similarity.
        lengths: tokens of the shortest and the longest passage of the search.
        similar_lengths: tokens of the shortest and the longest passage that can be similar, within ``lengths``.
    """

    query: Query
    weighting: Weighting
    threshold: float
    lengths: tuple[int, int]
    similar_lengths: tuple[int, int]

    @property
    def is_empty(self) -> bool:
        """Whether no passage can be similar."""
        return not self.query.mass or self.similar_lengths[1] < self.similar_lengths[0]


def plan_search(query: Query, weighting: Weighting, options: SearchOptions, lengths: tuple[int, int]) -> QueryPlan:
    """Plan the search for one query.

    The *length filter* (Arasu, Ganti, Kaushik, VLDB 2006; Bayardo, Ma, Srikant, WWW 2007) is part of the plan: a
    passage of similarity ``θ`` has at least ``θ`` and at most ``1 / θ`` times the weight of the query, which bounds its
    tokens.
    """
    threshold = max(options.threshold, _LEAST_THRESHOLD)
    return QueryPlan(
        query=query,
        weighting=weighting,
        threshold=threshold,
        lengths=lengths,
        similar_lengths=(max(lengths[0], query.fewest_tokens(threshold)), query.most_tokens(threshold, lengths[1])),
    )
