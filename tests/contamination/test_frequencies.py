from hypothesis import given
from hypothesis import strategies as st

from ibidem.contamination.detector import Occurrence
from ibidem.contamination.frequencies import MANY, count_frequencies

PIECE = Occurrence(0, 0, 0, 90, 0, 90, 90.0, 0.6, 1.0, 0, 0, "", False, None, False, 0, "text")
ALL = MANY - 1


def spread(counts: dict[str, int], source: str) -> str:
    """Where a piece is a phrase that so many documents of each source have."""
    homes = [each for each, count in counts.items() for _ in range(count)]
    found = [(number, PIECE._replace(copy=number)) for number in range(len(homes))]
    frequencies = count_frequencies(found, dict(enumerate(homes)), 0.5)
    return frequencies.describe_spread(PIECE, source)


def test_a_phrase_of_many_documents_is_one_within_its_source_or_across_sources() -> None:
    assert spread({"a": MANY}, "a") == "within a source"
    assert spread({"a": 5, "b": MANY - 5}, "a") == "across sources"
    assert spread({"a": 5, "b": MANY - 6}, "a") == ""


def test_a_source_that_repeats_a_phrase_counts_once_elsewhere() -> None:
    assert spread({"a": 50, "b": 1}, "a") == "within a source"
    assert spread({"a": 50, "b": 1}, "b") == ""
    assert spread({"a": 50, "b": MANY - 1}, "b") == "across sources"
    assert spread({str(source): 50 for source in range(MANY)} | {"x": 1}, "x") == "across sources"


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 30)), min_size=1, max_size=60))
def test_copies_of_a_document_count_once_in_each_source(homes: list[tuple[str, int]]) -> None:
    found = [(number, PIECE._replace(copy=copy)) for number, (_, copy) in enumerate(homes)]
    frequencies = count_frequencies(found, {number: home for number, (home, _) in enumerate(homes)}, 0.5)
    distinct = {source: len({copy for home, copy in homes if home == source}) for source, _ in homes}
    assert list(frequencies.phrases.values()) == [distinct]


def test_a_part_is_a_template_if_documents_have_two_other_sets_of_numbers() -> None:
    def templates(*fillings: str, **changes: object) -> frozenset[int]:
        other = PIECE._replace(other_numbers=2, **changes)
        return count_frequencies(
            [(n, other._replace(filling=each)) for n, each in enumerate(fillings)], {}, 0.5
        ).templates

    assert templates("3 4", "5 6") == {0}
    assert templates("3 4", "3 4") == frozenset()
    assert templates("3 4", "5 6", same_numbers=2) == frozenset()
    assert templates("3 4", "5 6", rival=True) == frozenset()
    assert templates("3 4", "5 6", containment=0.4) == frozenset()
