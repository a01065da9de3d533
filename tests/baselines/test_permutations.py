"""Signatures by given permutations: the examples of Gambosi's course on near-duplicate detection."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from baselines.permutations import permuted_signatures, signature_steps

FIVE_ROWS = [{0, 2, 3}, {0, 2, 4}]
"""The columns of the example with two hash functions."""

SEVEN_ROWS = [{0, 1, 5, 6}, {2, 3, 4}, {0, 5, 6}, {1, 2, 3, 4}]
"""The columns of the example with three permutations."""


def test_three_permutations_give_the_signature_matrix_of_the_course() -> None:
    from_one = [[1, 3, 7, 6, 2, 5, 4], [4, 2, 1, 3, 6, 7, 5], [3, 4, 7, 6, 1, 2, 5]]
    permutations = [[number - 1 for number in permutation] for permutation in from_one]
    matrix = permuted_signatures(SEVEN_ROWS, permutations, 7) + 1
    assert matrix.tolist() == [[1, 2, 1, 2], [2, 1, 4, 1], [2, 1, 2, 1]]


def test_two_hash_functions_fill_the_slots_as_the_course_does_step_by_step() -> None:
    functions = [lambda x: x % 5, lambda x: (2 * x + 1) % 5]
    steps = [slots.tolist() for slots in signature_steps(FIVE_ROWS, functions, 5, by="order")]
    no = -1
    assert steps == [
        [[0, 0], [no, no]],
        [[0, 0], [1, no]],
        [[0, 0], [1, 2]],
        [[0, 0], [1, 2]],
        [[0, 0], [1, 2]],
    ]
    final = permuted_signatures(FIVE_ROWS, functions, 5, by="order")
    assert (final[:, 0] == final[:, 1]).mean() == 0.5  # the estimate
    one, other = FIVE_ROWS
    assert len(one & other) / len(one | other) == 0.5  # the course writes 2 / 5, of all rows
    assert len(one & other) / 5 == 0.4


def test_the_exercise_of_the_course_has_the_estimates_that_its_functions_give() -> None:
    """Rows s1 to s4 as 0 to 3; h(x) = 5x + 5 and g(x) = 3x + 1, modulo 4."""
    documents = [{1, 3}, {0, 2}, {0, 1}]
    functions = [lambda x: (5 * x + 5) % 4, lambda x: (3 * x + 1) % 4]
    signatures = permuted_signatures(documents, [[function(x) for x in range(4)] for function in functions], 4)
    assert signatures.tolist() == [[0, 1, 1], [0, 1, 0]]  # worked by hand
    estimates = {(i, j): (signatures[:, i] == signatures[:, j]).mean() for i in range(3) for j in range(i)}
    assert estimates == {(1, 0): 0.0, (2, 0): 0.5, (2, 1): 0.5}
    exact = [len(a & b) / len(a | b) for a, b in ((documents[1], documents[0]), (documents[2], documents[0]))]
    assert exact == [0.0, 1 / 3]


@given(
    sets=st.lists(st.frozensets(st.integers(0, 8)), max_size=4),
    permutations=st.lists(st.permutations(range(9)), max_size=3),
)
def test_a_signature_has_the_least_number_of_the_rows_of_a_set(sets, permutations) -> None:  # type: ignore[no-untyped-def]
    expected = [[min((p[row] for row in rows), default=-1) for rows in sets] for p in permutations]
    assert permuted_signatures(sets, permutations, 9).tolist() == expected
    inverse = [np.argsort(permutation) for permutation in permutations]
    assert permuted_signatures(sets, inverse, 9, by="order").tolist() == expected


@pytest.mark.parametrize(
    ("sets", "permutation", "message"),
    [
        ([{5}], range(5), "from 0 to 4"),
        ([{1}], [0, 1, 2, 3], "each number from 0 to 4 once"),
        ([{1}], lambda x: 2 * x % 4, "each number from 0 to 4 once"),
    ],
)
def test_what_is_no_row_or_permutation_is_an_error(sets, permutation, message) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=message):
        permuted_signatures(sets, [permutation], 5)
    with pytest.raises(ValueError, match="by number or by order"):
        permuted_signatures([{1}], [range(5)], 5, by="row")  # type: ignore[arg-type]
