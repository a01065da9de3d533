"""The table of operations: each function declares the request that it takes and the answer that it returns."""

import inspect

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
