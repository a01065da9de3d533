"""Checks of arguments: what is in range comes back, everything else is refused by name."""

import os

import pytest

from ibidem.arguments import count_threads, require_fraction


@pytest.mark.parametrize("value", [0.001, 0.5, 1])
def test_a_fraction_comes_back_as_a_float(value: float) -> None:
    assert require_fraction("recall", value) == value
    assert isinstance(require_fraction("recall", value), float)


@pytest.mark.parametrize("value", [0, -0.1, 1.01, float("nan"), float("inf")])
def test_what_is_no_fraction_is_refused_with_its_name(value: float) -> None:
    with pytest.raises(ValueError, match=rf"^recall must be above 0 and at most 1, not {value}$"):
        require_fraction("recall", value)


def test_zero_is_a_fraction_only_where_it_is_allowed() -> None:
    assert require_fraction("probability", 0, zero=True) == 0
    with pytest.raises(ValueError, match="probability must be at least 0 and at most 1, not -1"):
        require_fraction("probability", -1, zero=True)


def test_threads_are_as_many_as_cores_if_nobody_says() -> None:
    assert count_threads(None) == os.cpu_count()
    assert count_threads(3) == 3


@pytest.mark.parametrize("threads", [0, -1, 4097, 10**30])
def test_a_number_of_threads_that_no_machine_has_is_refused(threads: int) -> None:
    with pytest.raises(ValueError, match=f"threads must be from 1 to 4,096, not {threads}"):
        count_threads(threads)
