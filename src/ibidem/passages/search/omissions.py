"""Notes on the passages that a search has left out, and on the options that would find them."""

import math
from collections.abc import Iterator

from ibidem.passages.query.execution import Execution
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.query import Query
from ibidem.passages.query.statistics import SearchStatistics

NOTHING_SIMILAR = (
    "no passage is similar to this query as a whole. What a part of it shares is found by aligning it with the index: "
    "ibidem align --index, PassageIndex.align, or ibidem search --parts"
)
"""The note on a query of the length of a document that found nothing."""

_DOCUMENT = 100
"""Tokens from which a query may be a document of which a part was borrowed."""


NO_TOKENS = "this index holds no token, so nothing can be found in it"


def describe_omissions(query: Query, options: SearchOptions, min_length: int, execution: Execution) -> Iterator[str]:
    """Describe the passages that a search has left out, and the options that would find them."""
    statistics = execution.statistics
    messages = (
        _describe_short_passages(query, options.threshold, min_length),
        _describe_pieces(statistics.pieces, statistics.pieces_left, execution.is_stopped, options),
        _describe_threshold(statistics, options.threshold),
        _describe_cut(statistics.cut),
        describe_limit(statistics.passages, options.limit),
        _describe_parts(query, statistics),
    )
    return (message for message in messages if message)


def _describe_short_passages(query: Query, threshold: float, min_length: int) -> str | None:
    fewest = query.fewest_tokens(threshold)
    if fewest >= min_length:
        return None
    from_length = (
        f"From about {math.ceil(min_length / threshold)} tokens on, a query" if threshold > 1e-3 else "A long query"
    )
    return (
        f"passages similar to this query may have as few as {fewest} token{'s' if fewest > 1 else ''}, and "
        f"this index holds passages of {min_length} or more: shorter ones are not found. {from_length} misses nothing"
    )


def _describe_pieces(pieces: int, pieces_left: int, is_stopped: bool, options: SearchOptions) -> str | None:
    if not pieces_left:
        return None
    too_many = f"too many passages are similar to {'it' if pieces == 1 else 'them'}"
    why = f"the time of {options.timeout} s was over" if is_stopped else too_many
    subject = "this query was" if pieces == 1 else f"{pieces_left} of {pieces} pieces of this query were"
    return (
        f"{subject} not searched to the end: {why}. A higher threshold takes less; bounded=False and no timeout search "
        "at any cost"
    )


def _describe_threshold(statistics: SearchStatistics, threshold: float) -> str | None:
    if statistics.threshold <= threshold or statistics.pieces_left == statistics.pieces:
        return None
    return (
        f"too many passages are similar to this query at {threshold:g}: it was searched at {statistics.threshold:g}, "
        "and nothing less similar is reported. bounded=False searches at any cost"
    )


def _describe_cut(was_cut: bool) -> str | None:
    if not was_cut:
        return None
    return (
        "even the passages that are equal to this query are too many: they were looked for in a part of the collection "
        "alone. bounded=False looks everywhere"
    )


def _describe_parts(query: Query, statistics: SearchStatistics) -> str | None:
    if statistics.matches or statistics.pieces_left or len(query.tokens) < _DOCUMENT:
        return None
    return NOTHING_SIMILAR


def describe_limit(count: int, limit: int | None) -> str | None:
    """Describe how many of ``count`` passages the limit leaves out."""
    if limit is None or count <= limit:
        return None
    if limit == 1:
        return "more than 1 passage is similar to this query: the most similar is given, by limit"
    return f"more than {limit:,} passages are similar to this query: the {limit:,} most similar are given, by limit"
