"""A request says what it says: no slip is a default, and what is left out is as in Python."""

import inspect

import msgspec
import pytest

from ibidem import PassageIndex
from ibidem.web import requests
from ibidem.web.problems import ProblemError
from ibidem.web.requests import (
    AlignRequest,
    ContaminationRequest,
    DocumentRequest,
    SearchRequest,
    read_body,
    read_query,
)

REQUESTS = [value for name, value in vars(requests).items() if name.endswith("Request") and name[0] != "_"]


@pytest.mark.parametrize("request_type", REQUESTS, ids=lambda each: each.__name__)
def test_a_field_that_a_request_has_not_is_refused(request_type: type) -> None:
    with pytest.raises(msgspec.ValidationError, match="unknown field `treshold`"):
        msgspec.json.decode(b'{"treshold": 1}', type=request_type)


@pytest.mark.parametrize(
    ("request_type", "function", "length"),
    [
        (SearchRequest, PassageIndex.search, "min_length"),
        (AlignRequest, PassageIndex.align, "min_pair_length"),
    ],
)
def test_what_is_left_out_is_as_in_python(request_type: type, function: object, length: str) -> None:
    """``limit`` is of a page here, and of all that is looked for there."""
    made = msgspec.json.decode(b'{"text": "x"}', type=request_type)
    options = inspect.signature(function).parameters  # type: ignore[arg-type]
    common = set(request_type.__struct_fields__) & options.keys() - {"text", "limit"}  # type: ignore[attr-defined]
    assert {"threshold", length} <= common
    defaults = {name: options[name].default for name in common}
    assert defaults.pop("ignore") == ()
    assert {name: getattr(made, name) for name in common} == defaults | {"ignore": []}


@pytest.mark.parametrize(
    ("body", "cause"),
    [
        (b'{"text": ""}', "length >= 1"),
        (b'{"text": "x", "threshold": 0}', "> 0.0"),
        (b'{"text": "x", "threshold": 1.5}', "<= 1.0"),
        (b'{"text": "x", "select": "all"}', "Invalid enum value 'all'"),
        (b'{"text": "x", "limit": 10001}', "<= 10000"),
        (b'{"text": "x", "min_length": 0}', ">= 1"),
        (b'{"text": "x", "seconds": 0}', "> 0.0"),
        (b'{"text": 7}', "Expected `str`, got `int`"),
        (b"{}", "missing required field `text`"),
    ],
)
def test_a_value_out_of_its_range_is_named(body: bytes, cause: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=cause):
        msgspec.json.decode(body, type=SearchRequest)


@pytest.mark.parametrize("body", [b"[" * 100_000, b'{"documents": [{"id": "x", "text": "y", "metadata": {"a": '])
def test_a_body_that_is_nested_too_deep_is_refused(body: bytes) -> None:
    deep = body + b"[" * 100_000 + b"]" * 100_000 + b"}}]}"
    with pytest.raises(ProblemError) as caught:
        read_body(deep, ContaminationRequest)
    assert caught.value.status == 400


def test_a_document_may_be_called_null() -> None:
    assert read_query({"document": "null"}, DocumentRequest).document == "null"
