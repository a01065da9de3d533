"""What a service holds is found by its name; the first without one."""

from pathlib import Path

import pytest

from ibidem.web.indexes.holdings import Holdings, choose_index, find_document
from ibidem.web.indexes.served_index import ServedIndex
from ibidem.web.limits import Limits
from ibidem.web.problems import ProblemError

from ..samples import FERRY


def test_the_first_is_chosen_if_none_is_named(built: Path) -> None:
    named = {name: ServedIndex(built, name) for name in ("b", "a")}
    holdings = Holdings(named, Limits())
    assert choose_index(holdings, None) is named["b"]
    assert choose_index(holdings, "a") is named["a"]
    with pytest.raises(ProblemError, match="no index is called 'c'; there is b, a") as raised:
        choose_index(holdings, "c")
    assert raised.value.status == 404
    for each in named.values():
        each.close()


@pytest.mark.parametrize("name", [None, "a"])
def test_a_service_that_has_none_says_so(name: str | None) -> None:
    holdings = Holdings({}, Limits())
    with pytest.raises(ProblemError, match="this service has no index"):
        choose_index(holdings, name)


def test_a_document_comes_with_its_metadata_or_its_name_is_told(built: Path) -> None:
    served = ServedIndex(built)
    with served.reader() as reader:
        assert find_document(reader, "letters", "ferry") == (FERRY, {"year": 1903})
        with pytest.raises(ProblemError, match="no document 'none' is in the index 'letters'"):
            find_document(reader, "letters", "none")
    served.close()
