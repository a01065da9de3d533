"""What a result says of itself."""

import pytest

from ibidem import find_reuse
from ibidem.reuse.outputs.result import Reuse, is_later, read_dates

from ..quotations import around, words

PASSAGE = words(100, 60)


@pytest.fixture(scope="module")
def quoted() -> Reuse:
    texts = [around(1, PASSAGE), around(2, PASSAGE), "no word"]
    documents = [{"id": f"d{number}", "text": text, "year": 1900 + number} for number, text in enumerate(texts)]
    return find_reuse(documents, date="year")


def test_dates_say_which_document_is_later(quoted: Reuse) -> None:
    dates = read_dates(quoted)
    assert dates == {"d0": 1900, "d1": 1901}
    assert is_later(dates, "d1", "d0")
    assert not is_later(dates, "d0", "d1")
    assert not is_later(dates, "d1", "d1")
    assert not is_later(dates, "d2", "d0")


def test_a_result_says_how_much_it_holds(quoted: Reuse) -> None:
    assert repr(quoted).startswith("Reuse(1 pair, 2 passages, 1 cluster, 3 documents, 1 document pair, ")
