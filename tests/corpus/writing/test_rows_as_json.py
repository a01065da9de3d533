"""A row with a note on it goes back as it was."""

import io
import json

from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus.writing.rows_as_json import add_note, read_note

NOTE = {"id": "x", "duplicate_of": "y", "similarity": 0.9, "exact": False}


def test_a_row_without_a_note_is_its_own() -> None:
    for row in ({}, {"a": 1}, {"ibidem": 3}, {"ibidem": {"title": "x"}}, {"ibidem": NOTE, "last": 1}):
        assert read_note(row) == row


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.text(st.sampled_from('ibidem_"\\:{} '), max_size=8) | st.sampled_from(["ibidem", "ibidem_", "content"])


@given(st.lists(st.dictionaries(NAMES, VALUES, max_size=4), min_size=1, max_size=4))
def test_any_row_goes_back_as_it_was(rows: list[dict[str, object]]) -> None:
    for row in rows:
        line = json.dumps(row).encode() + b"\n"
        written = add_note(line, NOTE)
        found = json.loads(io.BytesIO(written).read())
        assert read_note(found) == NOTE
        name = list(found)[-1]
        assert {key: value for key, value in found.items() if key != name} == row
