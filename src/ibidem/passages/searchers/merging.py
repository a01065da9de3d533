"""One answer of those that searchers give, each for its own segments: what one process would have answered."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.statistics import SearchStatistics
from ibidem.passages.search.omissions import NOTHING_SIMILAR, describe_limit
from ibidem.rounding import EQUAL
from ibidem.spans import Match

_SUMMED = (
    "lists",
    "lists_read",
    "lists_probed",
    "lists_skipped",
    "postings",
    "postings_read",
    "bins",
    "bins_collided",
    "starts_likely",
    "areas",
    "passages",
)

_LARGEST = ("score", "threshold", "pieces", "pieces_left", "cut")


class PartialAnswer(NamedTuple):
    """The answer of one searcher."""

    matches: list[Match]
    statistics: SearchStatistics


def merge_answers(answers: Sequence[PartialAnswer], options: SearchOptions) -> tuple[list[Match], SearchStatistics]:
    """The answer for all segments of some searchers, which are given in the order of the index.

    ``seconds`` of a step are those of the searcher that took longest.
    """
    statistics = _merge_statistics([answer.statistics for answer in answers])
    matches = sorted((match for answer in answers for match in answer.matches), key=_order(options))
    if options.verify and statistics.threshold > options.threshold:
        # One searcher had to raise the threshold: what others found below it is a part of what is there.
        matches = [match for match in matches if (match.similarity or 0.0) >= statistics.threshold * (1.0 - EQUAL)]
    matches = matches[: options.limit]
    statistics.matches = len(matches)
    limit_note = describe_limit(statistics.passages, options.limit)
    notes = (note for answer in answers for note in answer.statistics.notes)
    statistics.notes = tuple(dict.fromkeys([*_valid_notes(notes, matches), *([limit_note] if limit_note else [])]))
    return matches, statistics


def _order(options: SearchOptions) -> Callable[[Match], tuple[float, int]]:
    """Most similar first; passages that were not chained are in the order of the pieces of the query."""

    def key(match: Match) -> tuple[float, int]:
        return -(match.similarity or match.estimate or 0.0), match.query_start if options.select == "all" else 0

    return key


def _valid_notes(notes: Iterable[str], matches: list[Match]) -> Iterable[str]:
    """The notes without those that hold for one searcher alone."""
    return (note for note in notes if not (note.startswith("more than ") or (matches and note == NOTHING_SIMILAR)))


def _merge_statistics(parts: Sequence[SearchStatistics]) -> SearchStatistics:
    statistics = SearchStatistics()
    for name in _SUMMED:
        setattr(statistics, name, sum(getattr(part, name) for part in parts))
    for name in _LARGEST:
        setattr(statistics, name, max((getattr(part, name) for part in parts), default=getattr(statistics, name)))
    statistics.ignored = parts[0].ignored if parts else ()  # each has left out the same of the query
    for part in parts:
        for step, seconds in part.seconds.items():
            statistics.seconds[step] = max(statistics.seconds.get(step, 0.0), seconds)
    return statistics
