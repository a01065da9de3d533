"""Preparing a search over the segments that a process has open: all of an index, or those that a searcher owns."""

from collections.abc import Sequence
from typing import NamedTuple

from ibidem.passages.configuration import Configuration
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.search.prepared import PreparedSearch
from ibidem.store import Segment
from ibidem.text import Tokenizer
from ibidem.weights import DocumentFrequencies, Weighting

__all__ = ["SearchScope", "prepare_search"]


class SearchScope(NamedTuple):
    """Where queries are answered.

    Attributes:
        configuration: that of the index.
        collection_tokens: tokens of the whole collection, by which the budget of a search is set, if ``segments`` are
            not all of it.
    """

    segments: Sequence[Segment]
    configuration: Configuration
    tokenizer: Tokenizer
    collection_tokens: int | None = None


def prepare_search(
    scope: SearchScope, options: SearchOptions, frequencies: DocumentFrequencies | None
) -> PreparedSearch:
    """What all queries with these ``options`` have in common.

    Args:
        frequencies: those of the whole collection, where the weights of this search depend on them.

    Raises:
        ValueError: an option that the scheme of the index leaves no choice about.
    """
    configuration = scope.configuration.with_options(options)
    return PreparedSearch(
        segments=scope.segments,
        scheme=configuration.make_scheme(frequencies),
        weighting=_weigh(scope, configuration, options, frequencies),
        lengths=configuration.lengths,
        tokenizer=scope.tokenizer,
        options=options,
        collection_tokens=scope.collection_tokens,
    )


def _weigh(
    scope: SearchScope,
    configuration: Configuration,
    options: SearchOptions,
    frequencies: DocumentFrequencies | None,
) -> Weighting:
    own = options.word_weights
    if own is None:
        return configuration.weighting(frequencies)
    if configuration.family != "weighted":
        raise ValueError(f"weights of words are for the family 'weighted', not for {configuration.family!r}")
    return Weighting.of_words(own, tf=configuration.tf, tokenizer=scope.tokenizer)
