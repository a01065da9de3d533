import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.contamination.numbers import ComparedNumbers, compare_numbers


def compare(part: str, text: str, aligned: dict[int, int]) -> ComparedNumbers:
    """Compare two texts of words, of which those of the part are aligned with these of the text."""
    words = part.split()
    places = np.array([aligned.get(at, -1) for at in range(len(words))], np.int64)
    return compare_numbers(words, np.array([word.isdigit() for word in words]), places, text.split(), 0)


@given(st.lists(st.tuples(st.integers(0, 99), st.booleans()), min_size=1, max_size=6))
def test_numbers_between_words_are_the_same_or_others_in_their_places(numbers: list[tuple[int, bool]]) -> None:
    part = " ".join(f"word {number}" for number, _ in numbers) + " end"
    text = " ".join(f"word {number if kept else number + 100}" for number, kept in numbers) + " end"
    words = {at: at for at in range(0, 2 * len(numbers) + 1, 2)}
    kept = sum(each for _, each in numbers)
    aligned = words | {2 * at + 1: 2 * at + 1 for at, (_, each) in enumerate(numbers) if each}
    others = [str(number + 100) for number, each in numbers if not each]
    assert compare(part, text, aligned) == (kept, len(others), " ".join(others))


def test_numbers_behind_the_last_word_have_their_places_as_long_as_they_are_numbers() -> None:
    words = {0: 0, 1: 1}
    assert compare("call search 4 1 2", "call search 28 35 5", words) == (0, 3, "28 35 5")
    assert compare("call search 4 1 2", "call search 4 1 2", words) == (3, 0, "")
    assert compare("call search then 4", "call search there 28", words) == (0, 0, "")
    assert compare("4 1 call search", "28 35 call search", {2: 2, 3: 3}) == (0, 2, "28 35")
    assert compare("call search 4 1", "call search", words) == (0, 0, "")


def test_a_number_that_is_aligned_elsewhere_is_not_the_same() -> None:
    aligned = {0: 0, 1: 3, 5: 5}
    assert compare("call 4 1 2 3 end", "call 28 35 4 14 end", aligned) == (0, 3, "28 35 14")


def test_numbers_that_moved_together_are_no_others() -> None:
    aligned = {0: 0, 2: 1, 3: 2, 4: 3, 5: 4}
    assert compare("call 1 2 3 4 end", "call 2 3 4 end", aligned).other_numbers == 0


def test_a_word_in_the_place_of_a_number_is_no_other_number() -> None:
    assert compare("sells 48 loaves", "sells many loaves", {0: 0, 2: 2}) == (0, 0, "")
    assert compare("sells 48 loaves", "sells some 30 fine loaves", {0: 0, 2: 4}) == (0, 1, "30")
