"""Text that is shown again where it is shown already is dropped, and no other."""

from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus.readers.printed_twice import drop_repeats

SHOWS = st.lists(
    st.tuples(st.sampled_from("abc"), st.integers(0, 9), st.integers(0, 3), st.sampled_from([0, 0.1, -0.2, 0.3])),
    max_size=12,
)


@given(shows=SHOWS, way=st.sampled_from(["Tm", "Td", "cm"]))
def test_of_equal_texts_within_a_fraction_of_a_letter_the_first_stays(shows, way) -> None:
    operations, x, y = [([b"/F1", 10.0], b"Tf"), ([], b"BT")], 0.0, 0.0
    for text, column, line, shift in shows:
        place = (column * 6 + shift, line * 12)
        if way == "Tm":
            operations.append(([1, 0, 0, 1, *place], b"Tm"))
        elif way == "Td":
            operations.append(([place[0] - x, place[1] - y], b"Td"))
        else:
            operations += [([], b"q"), ([1, 0, 0, 1, *place], b"cm"), ([], b"BT")]
        operations.append(([text], b"Tj"))
        if way == "cm":
            operations.append(([], b"Q"))
        x, y = place
    kept = [operands[0] for operands, operator in drop_repeats(operations) if operator == b"Tj"]
    first = dict.fromkeys((text, column, line) for text, column, line, _ in shows)
    assert kept == [text for text, _, _ in first]


def test_text_that_goes_on_after_a_repeat_is_a_repeat_and_new_text_is_not() -> None:
    def line(x: float, *texts: str) -> list[tuple[list[object], bytes]]:
        return [([], b"BT"), ([1, 0, 0, 1, x, 700], b"Tm"), *(([text], b"Tj") for text in texts), ([], b"ET")]

    operations = [([b"/F1", 12], b"Tf"), *line(40, "B", "old"), *line(40.3, "B", "old"), *line(40.3, "Bold", "er")]
    kept = [operands[0] for operands, operator in drop_repeats(operations) if operator == b"Tj"]
    assert kept == ["B", "old", "Bold", "er"]
