"""The table of operations: each function declares the request that it takes and the answer that it returns."""

import inspect
import re
from typing import get_type_hints

import msgspec
import pytest

from ibidem.comparison import Comparison
from ibidem.web.indexes.operations import OPERATIONS
from ibidem.web.operations import Operation

each_operation = pytest.mark.parametrize("operation", OPERATIONS, ids=[each.name for each in OPERATIONS])


@each_operation
def test_a_request_and_an_answer_are_declared_as_structs(operation: Operation) -> None:
    assert list(inspect.signature(operation.run).parameters) == ["holdings", "request"]
    assert issubclass(operation.takes, msgspec.Struct)
    assert operation.gives == list[Comparison] or issubclass(operation.gives, msgspec.Struct)


@each_operation
def test_the_rows_of_an_answer_are_a_list_in_it(operation: Operation) -> None:
    if operation.rows is not None:
        assert "list[" in str(get_type_hints(operation.gives)[operation.rows])


@each_operation
def test_each_part_of_the_address_in_braces_is_a_required_field(operation: Operation) -> None:
    names = re.findall(r"{(\w+)}", operation.path)
    assert set(names) <= set(operation.takes.__struct_fields__)  # type: ignore[attr-defined]
    assert operation.method == "GET" or not names


def test_only_who_may_write_changes_anything() -> None:
    assert {each.name for each in OPERATIONS if each.right == "write"} == {"add", "remove", "task", "tasks"}
    assert {each.name for each in OPERATIONS if each.status == 202} == {"add", "remove"}


def test_no_two_operations_have_one_name_or_one_address() -> None:
    assert len({each.name for each in OPERATIONS}) == len({each.path for each in OPERATIONS}) == len(OPERATIONS)
