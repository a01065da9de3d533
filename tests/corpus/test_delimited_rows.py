import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus.delimited_rows import split_rows
from ibidem.corpus.sources import Source
from ibidem.errors import CorpusError


@given(st.text(st.sampled_from('ab,"\r\n\té'), max_size=40), st.sampled_from(",\t"), st.booleans())
def test_rows_are_those_of_the_standard_library_with_their_bytes_and_lines(content, delimiter, mark):
    data = b"\xef\xbb\xbf" * mark + content.encode()
    try:
        expected = list(csv.reader(io.StringIO(content, newline="\n"), delimiter=delimiter, strict=True))
    except csv.Error:
        with pytest.raises(CorpusError, match="invalid row"):
            list(split_rows(Source("a.csv", "a.csv"), io.BytesIO(data), delimiter, None))
        return
    rows = list(split_rows(Source("a.csv", "a.csv"), io.BytesIO(data), delimiter, None))
    assert [row.fields for row in rows] == [fields for fields in expected if fields]
    lines = data.splitlines(keepends=True) if b"\r" not in data else io.BytesIO(data).readlines()
    for row in rows:
        assert row.lines == lines[row.line - 1 : row.line - 1 + len(row.lines)]
