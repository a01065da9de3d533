import datetime
import decimal
import io
import math
import re
import warnings

import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus import opening, read
from ibidem.errors import CorpusError

STRINGS = st.text(alphabet=st.characters(codec="utf-8"), max_size=30)


@pytest.fixture
def write(tmp_path):
    def written(columns, name="a.parquet", **options):
        path = tmp_path / name
        pa.parquet.write_table(pa.table(columns), path, **options)
        return path

    return written


@given(
    rows=st.lists(st.tuples(STRINGS.filter(bool), STRINGS, STRINGS), min_size=1, max_size=20), size=st.integers(1, 99)
)
def test_what_arrow_writes_is_read_back(records, tmp_path_factory, rows, size):
    path = tmp_path_factory.mktemp("parquet") / "a.parquet"
    ids, texts, others = zip(*rows, strict=True)
    pa.parquet.write_table(pa.table({"id": ids, "x": others, "text": texts}), path, row_group_size=3)
    assert records(path, batch_bytes=size) == [(id, text, {"x": other}) for id, text, other in rows]


@pytest.mark.parametrize("type", [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())])
def test_every_type_of_string_is_a_text_and_an_id(records, write, type):
    column = pa.array(["b", "é", "𝄞"], pa.string()).cast(type)
    assert records(write({"id": column, "text": column})) == [(one, one, {}) for one in ("b", "é", "𝄞")]


def test_integers_are_ids(records, write):
    path = write({"id": pa.array([2**64 - 1], pa.uint64()), "text": ["a"]})
    assert records(path) == [("18446744073709551615", "a", {})]


def test_rows_without_ids_are_numbered_over_the_whole_file(records, write, tmp_path, monkeypatch):
    write({"text": list("abcdefgh")}, row_group_size=3)
    monkeypatch.chdir(tmp_path)
    assert [id for id, _, _ in records("a.parquet", batch_bytes=1)] == [f"a.parquet:{row}" for row in range(1, 9)]


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pa.array([datetime.date(2020, 1, 2)]), "2020-01-02"),
        (pa.array([datetime.datetime(2020, 1, 2, 3, 4, 5)]), "2020-01-02T03:04:05"),
        (pa.array([1], pa.timestamp("ms", "UTC")), "1970-01-01T00:00:00.001000Z"),
        (pa.array([1], pa.timestamp("ns")), "1970-01-01T00:00:00.000000001"),
        (pa.array([1], pa.timestamp("ns", "Europe/Zurich")), "1970-01-01T00:00:00.000000001Z"),
        (pa.array([1], pa.time64("ns")), "00:00:00.000000001"),
        (pa.array([decimal.Decimal("1.20")]), "1.20"),
        (pa.array([b"\xff"]), "/w=="),
        (pa.array([None], pa.int64()), None),
        (pa.array([[{"a": 1}, None]]), [{"a": 1}, None]),
        (pa.array([True]), True),
    ],
)
def test_other_columns_become_json(records, write, column, expected):
    assert records(write({"id": ["1"], "text": ["a"], "x": column})) == [("1", "a", {"x": expected})]


def test_a_file_without_rows_has_no_documents(records, write):
    assert records(write({"id": pa.array([], pa.string()), "text": pa.array([], pa.string())})) == []


def test_a_large_file_comes_in_several_batches(write):
    path = write({"text": ["word " * 100] * 1000}, use_dictionary=False)
    sizes = [batch.texts.nbytes for batch in read(path, batch_bytes=50_000)]
    assert sum(sizes) == 500_000
    assert max(sizes) <= 100_000


def test_a_row_group_is_not_read_whole(write, monkeypatch):
    path = write(
        {"text": [f"{n:04000}" for n in range(2000)]}, use_dictionary=False, compression="none", write_batch_size=9
    )
    files = []

    def counting(path, *arguments, **options):
        files.append(CountedFile(path))
        return io.BufferedReader(files[-1], 1)

    monkeypatch.setattr(opening, "open", counting, raising=False)
    next(read(path, batch_bytes=1000))
    assert 0 < files[0].bytes_read < path.stat().st_size * 0.5


class CountedFile(io.FileIO):
    bytes_read = 0

    def readinto(self, buffer):
        count = super().readinto(buffer)
        self.bytes_read += count
        return count

    def read(self, size=-1):
        content = super().read(size)
        self.bytes_read += len(content)
        return content


def invalid_utf8():
    good = pa.array([b"a", b"b", b"\xff"])
    return pa.Array.from_buffers(pa.string(), 3, good.buffers())


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        ({"id": ["1"], "body": ["a"]}, {}, r", column 'text': there is no such column \(columns: 'id', 'body'\)"),
        ({"text": ["a"]}, {"id": "key"}, r", column 'key': there is no such column \(columns: 'text'\)"),
        ({"id": [1, 2, 3], "text": ["a", "b", None]}, {"batch_bytes": 1}, ", row 3, column 'text': the text is null"),
        ({"id": [1, None], "text": ["a", "b"]}, {}, ", row 2, column 'id': the id is null"),
        ({"id": ["1", ""], "text": ["a", "b"]}, {}, ", row 2, column 'id': the id is empty"),
        ({"text": [1]}, {}, ", column 'text': the text is of type int64, not a string"),
        ({"id": [1.5], "text": ["a"]}, {}, ", column 'id': the id is of type double, not a string"),
        ({"text": invalid_utf8()}, {}, ", row 3, column 'text': invalid UTF-8 in the text"),
        ({"text": ["", "", ""], "x": invalid_utf8()}, {}, ", column 'x': values that JSON cannot hold"),
        (
            {"text": [""], "x": pa.array([[1]], pa.list_(pa.duration("ns")))},
            {},
            ", column 'x': values that JSON cannot",
        ),
    ],
)
def test_an_error_names_file_row_column_and_cause(records, write, columns, options, message):
    path = write(columns)
    with pytest.raises(CorpusError, match=f"^{re.escape(str(path))}{message}") as caught:
        records(path, **options)
    assert "\n" not in str(caught.value)


def test_two_columns_of_one_name_are_refused(records, tmp_path):
    path = tmp_path / "a.parquet"
    pa.parquet.write_table(pa.Table.from_arrays([pa.array(["a"])] * 2, ["text", "text"]), path)
    with pytest.raises(CorpusError, match="column 'text': two columns have this name"):
        records(path)


@pytest.mark.parametrize("content", [b"", b"no parquet at all", b"PAR1" * 9])
def test_a_file_that_is_not_parquet_is_refused(records, tmp_path, content):
    path = tmp_path / "a.parquet"
    path.write_bytes(content)
    with pytest.raises(CorpusError, match=r"a\.parquet: damaged, or not a Parquet file") as caught:
        records(path)
    assert "\n" not in str(caught.value)


def test_a_damaged_page_is_refused(records, write):
    path = write({"text": [f"word {n}" for n in range(1000)]}, use_dictionary=False, compression="zstd")
    content = bytearray(path.read_bytes())
    content[100:200] = bytes(100)
    path.write_bytes(content)
    with pytest.raises(CorpusError, match="damaged, or not a Parquet file"):
        records(path)


@pytest.mark.parametrize(
    ("kind", "values"),
    [(pa.float64(), [1.0, None, math.nan, math.inf]), (pa.list_(pa.float32()), [[1.0], None, [0.0, math.nan], None])],
)
def test_one_warning_names_the_first_number_that_becomes_null(records, tmp_path, kind, values):
    path = tmp_path / "a.parquet"
    columns = {"text": pa.array(list("abcd")), "score": pa.array(values, kind)}
    pyarrow.parquet.write_table(pa.table(columns), path, row_group_size=1)
    with pytest.warns(UserWarning, match="read as null") as warned:
        found = records(path)
    assert found[2][2]["score"] in (None, [0.0, None])
    (message,) = [str(each.message) for each in warned]
    cause = "nan, which JSON cannot say, is read as null, here and in later rows"
    assert message == f"{path}, row 3, column 'score': {cause}"


def test_nulls_that_are_nulls_are_not_warned_of(records, tmp_path):
    pyarrow.parquet.write_table(
        pa.table({"text": ["a"], "score": pa.array([None], pa.float64())}), tmp_path / "a.parquet"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert records(tmp_path / "a.parquet")[0][2] == {"score": None}
