"""Many pairs are aligned in threads, and the results come in their order, as each would alone."""

import threading

import pytest

from ibidem import align
from ibidem.alignment.batch import align_pairs, in_threads

TEXTS = {
    "a": "When the ferry came in at last, the whole street ran down to the harbour with lanterns and blankets.",
    "b": "When the ferry came in, the whole street ran down to the harbour with torches and blankets.",
    "c": "A beekeeper needs patience more than courage. In spring the hives are opened on the first warm day.",
}
PAIRS = [(x, y) for x in TEXTS for y in TEXTS]


@pytest.mark.parametrize("threads", [1, 3, None])
def test_each_pair_has_what_it_has_alone_in_the_order_of_the_pairs(threads: int | None) -> None:
    settings = {"min_length": 6, "threshold": 0.4}
    found = list(align_pairs(TEXTS, PAIRS, threads=threads, **settings))
    assert found == [align(TEXTS[x], TEXTS[y], **settings) for x, y in PAIRS]
    assert [bool(each) for each in found] == [(x == y or {x, y} == {"a", "b"}) for x, y in PAIRS]


def test_an_id_without_a_text_is_an_error() -> None:
    with pytest.raises(KeyError, match="nobody"):
        list(align_pairs(TEXTS, [("a", "b"), ("a", "nobody")]))


def test_items_are_taken_as_results_are_wanted() -> None:
    taken = []

    def items():
        for number in range(10_000):
            taken.append(number)
            yield number

    results = in_threads(lambda number: -number, items(), 2)
    assert [next(results) for _ in range(3)] == [0, -1, -2]
    assert len(taken) < 1000
    results.close()


def test_results_wait_for_those_before_them() -> None:
    late = threading.Event()

    def work(number: int) -> int:
        if number:
            late.set()
        else:
            assert late.wait(60)
        return number

    assert list(in_threads(work, range(4), 2)) == [0, 1, 2, 3]
