"""Many pairs are aligned in threads, and the results come in their order, as each would alone."""

import pytest

from ibidem import align
from ibidem.alignment.batch import align_pairs

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
