from hypothesis import given
from hypothesis import strategies as st

from ibidem.contamination.detector import Occurrence, Origin
from ibidem.contamination.frequencies import MANY, count_frequencies

TEXTS = ["x" * 150]
PIECE = Occurrence(Origin(0, 0, ""), 0, 0, 90, 0, 90, 90.0, 0.6, 1.0, 0, 0, "", False, None, False, 1.0, 0, "text")
ALL = MANY - 1


def piece_of(source: str, **changes: object) -> Occurrence:
    return PIECE._replace(document=Origin(0, 0, "", source), **changes)


def spread(counts: dict[str, int], source: str) -> str:
    """Where a piece is a phrase that so many documents of each source have."""
    homes = [each for each, count in counts.items() for _ in range(count)]
    occurrences = [piece_of(home, copy=number) for number, home in enumerate(homes)]
    return count_frequencies(occurrences, TEXTS, 0.5).describe_spread(piece_of(source))


def test_a_phrase_of_many_documents_is_one_within_its_source_or_across_sources() -> None:
    assert spread({"a": MANY}, "a") == "within a source"
    assert spread({"a": 5, "b": MANY - 5}, "a") == "across sources"
    assert spread({"a": 5, "b": MANY - 6}, "a") == ""


def test_a_source_that_repeats_a_phrase_counts_once_elsewhere() -> None:
    assert spread({"a": 50, "b": 1}, "a") == "within a source"
    assert spread({"a": 50, "b": 1}, "b") == ""
    assert spread({"a": 50, "b": MANY - 1}, "b") == "across sources"
    assert spread({str(source): 50 for source in range(MANY)} | {"x": 1}, "x") == "across sources"


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 9), st.integers(0, 70), st.integers(1, 60)), min_size=1)
)
def test_the_pieces_that_cover_a_place_are_counted_once_for_copies(rows: list[tuple[str, int, int, int]]) -> None:
    spans = {copy: (start, start + length) for _, copy, start, length in rows}  # copies have one text
    occurrences = [
        piece_of(source, copy=copy, eval_start=spans[copy][0], eval_end=spans[copy][1]) for source, copy, *_ in rows
    ]
    frequencies = count_frequencies(occurrences, TEXTS, 0.5)
    for source in {row[0] for row in rows}:
        copies = {row[1] for row in rows if row[0] == source}
        expected = [sum(spans[copy][0] <= place < spans[copy][1] for copy in copies) for place in range(150)]
        assert frequencies.pieces[0][source].tolist() == expected


def test_a_whole_part_with_words_changed_is_no_piece() -> None:
    occurrences = [PIECE._replace(copy=number, eval_end=149) for number in range(20)]
    assert count_frequencies(occurrences, TEXTS, 0.5).pieces == {}


def test_a_part_is_a_template_if_documents_have_two_other_sets_of_numbers() -> None:
    def templates(*fillings: str, **changes: object) -> frozenset[int]:
        other = PIECE._replace(other_numbers=2, **changes)
        return count_frequencies([other._replace(filling=each) for each in fillings], TEXTS, 0.5).templates

    assert templates("3 4", "5 6") == {0}
    assert templates("3 4", "3 4") == frozenset()
    assert templates("3 4", "5 6", same_numbers=2) == frozenset()
    assert templates("3 4", "5 6", rival=True) == frozenset()
    assert templates("3 4", "5 6", containment=0.4) == frozenset()
