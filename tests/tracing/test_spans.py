"""Which matches of an output are sources of one span."""

from ibidem import Match
from ibidem.tracing.spans import best_sources, group_matches


def match(start: int, end: int, document: str, similarity: float = 0.8) -> Match:
    return Match(
        query_name="o",
        query_start=start,
        query_end=end,
        document=document,
        start=0,
        end=end - start,
        similarity=similarity,
        text="",
    )


def test_a_match_of_which_half_lies_in_a_longer_one_is_a_source_of_the_same_span() -> None:
    long, inside, half, apart = match(0, 100, "a"), match(20, 60, "b", 1.0), match(80, 120, "c"), match(90, 170, "d")
    assert group_matches([apart, half, inside, long]) == [[long, inside, half], [apart]]


def test_the_most_similar_source_comes_first() -> None:
    group = [match(0, 100, "a", 0.6), match(0, 90, "b", 0.9), match(0, 95, "c", 0.9)]
    assert [each.document for each in best_sources(group)] == ["c", "b", "a"]
