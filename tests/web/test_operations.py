"""Operations of both servers: no two have one name, or one method and address."""

import re

import pytest

from ibidem.web.indexes.operations import OPERATIONS as OF_INDEXES
from ibidem.web.operations import Operation, list_requests
from ibidem.web.page_files import list_page_files, read_page_file
from ibidem.web.projects.operations import OPERATIONS as OF_PROJECTS

BOTH = [pytest.param(OF_INDEXES, id="indexes"), pytest.param(OF_PROJECTS, id="projects")]


@pytest.mark.parametrize("operations", BOTH)
def test_no_two_have_one_name_or_one_address(operations: tuple[Operation, ...]) -> None:
    assert len({each.name for each in operations}) == len(operations)
    assert len({(each.method, each.path) for each in operations}) == len(operations)


def test_the_page_asks_for_what_is_declared() -> None:
    """Every name that a module of the page calls is an operation, with the parts of its address among its fields."""
    declared = {**list_requests(OF_INDEXES), **list_requests(OF_PROJECTS)}
    called = {
        name
        for file, _ in list_page_files().values()
        for name in re.findall(r'\b(?:call|save|send)\("(\w+)"', read_page_file(file).decode())
    }
    assert len(called) > 15
    assert called <= declared.keys()
