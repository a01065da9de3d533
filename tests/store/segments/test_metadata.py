import pytest

from ibidem.store.segments.metadata import parse_metadata


@pytest.mark.parametrize(
    ("data", "values"),
    [
        (b"{}", {}),
        (b'{"a": [1, null]}', {"a": [1, None]}),
        (b'{"a": "\\ud800"}', {"a": "\ud800"}),
        (b'{"a": 1' + b"0" * 400 + b"}", {"a": 10**400}),
    ],
)
def test_an_object_is_read_as_it_was_given(data: bytes, values: dict) -> None:
    assert parse_metadata(data) == values


@pytest.mark.parametrize(
    ("data", "cause"),
    [(b"[1]", "no object"), (b"", "cannot be read"), (b"\xff", "cannot be read"), (b"[" * 100_000, "cannot be read")],
)
def test_what_is_no_object_is_refused_with_its_cause(data: bytes, cause: str) -> None:
    with pytest.raises(ValueError, match=cause):
        parse_metadata(data)
