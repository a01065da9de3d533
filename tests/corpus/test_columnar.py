import datetime
import decimal
import gzip
import io
import json
import lzma
import math
import random
import re
import warnings

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus import opening, read
from ibidem.corpus.columnar import _list_dictionaries, _row_bytes, open_columnar
from ibidem.corpus.failures import Failures
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.changes import Changes, NewColumn, keep_all
from ibidem.corpus.writing.removed import separate_rows
from ibidem.corpus.writing.rewriting import rewrite_file
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
    assert [id for id, _, _ in records("a.parquet", batch_bytes=1)] == [f"a.parquet:{row}" for row in range(8)]


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
        ({"id": [1, 2, 3], "text": ["a", "b", None]}, {"batch_bytes": 1}, ", row 2, column 'text': the text is null"),
        ({"id": [1, None], "text": ["a", "b"]}, {}, ", row 1, column 'id': the id is null"),
        ({"id": ["1", ""], "text": ["a", "b"]}, {}, ", row 1, column 'id': the id is empty"),
        ({"text": [1]}, {}, ", column 'text': the text is of type int64, not a string"),
        ({"id": [1.5], "text": ["a"]}, {}, ", column 'id': the id is of type double, not a string"),
        ({"text": invalid_utf8()}, {}, ", row 2, column 'text': invalid UTF-8 in the text"),
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
    assert message == f"{path}, row 2, column 'score': {cause}"


def test_nulls_that_are_nulls_are_not_warned_of(records, tmp_path):
    pyarrow.parquet.write_table(
        pa.table({"text": ["a"], "score": pa.array([None], pa.float64())}), tmp_path / "a.parquet"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert records(tmp_path / "a.parquet")[0][2] == {"score": None}


VIEWS = {
    "view": pa.array(["a", "b", None], pa.string_view()),
    "bytes": pa.array([b"1", b"2", None], pa.binary_view()),
    "list": pa.array([["a"], [], None], pa.list_(pa.string_view())),
    "struct": pa.array([{"x": "a"}, None, {"x": None}], pa.struct([("x", pa.string_view())])),
    "map": pa.array([[("k", "a")], [], None], pa.map_(pa.string(), pa.string_view())),
    "fixed": pa.array([["a", "b"], None, ["c", None]], pa.list_(pa.string_view(), 2)),
    "list view": pa.array([["a"], [], None], pa.list_view(pa.string_view())),
    "large list view": pa.array([["a"], None, ["b", "c"]], pa.large_list_view(pa.string())),
    "list view in struct": pa.array([{"x": [1]}, None, {"x": []}], pa.struct([("x", pa.list_view(pa.int64()))])),
    "runs": pa.RunEndEncodedArray.from_arrays([2, 3], ["a", None]),
    "deep": pa.array([[{"x": ["a"]}], [], None], pa.list_(pa.struct([("x", pa.large_list(pa.binary_view()))]))),
}


def write_arrow(path, table, codec=None):
    options = pa.ipc.IpcWriteOptions(compression=codec)
    new = pa.ipc.new_stream if path.suffix == ".arrow" else pa.ipc.new_file
    with new(str(path), table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=2)


def write_table(path, table):
    pa.parquet.write_table(table, path) if path.suffix == ".parquet" else write_arrow(path, table)


def read_table(path):
    if path.suffix == ".parquet":
        return pa.parquet.read_table(path)
    return (pa.ipc.open_stream if path.suffix == ".arrow" else pa.ipc.open_file)(str(path)).read_all()


SUFFIXES = pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".feather", ".ipc"])


@SUFFIXES
@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize("flags", [[True, False, True], [False, True, False], [True, True, True]])
def test_views_of_strings_are_read_and_written_again(records, tmp_path, suffix, name, flags):
    strings = pa.array(["a", "b", "c"], pa.string_view())
    table = pa.table({"id": strings, "text": strings, "x": VIEWS[name]})
    path, source = tmp_path / f"a{suffix}", Source(str(tmp_path / f"a{suffix}"), "a")
    try:
        write_table(path, table)
        read_table(path)
    except pa.ArrowException:
        pytest.skip("the format does not hold it, or Arrow before 26 does not read it")
    assert [id for id, _, _ in records(path)] == ["a", "b", "c"]
    separate_rows(
        source, np.array(flags), "text", lambda row: {"n": row}, tmp_path / f"kept{suffix}", tmp_path / "gone"
    )
    kept = read_table(tmp_path / f"kept{suffix}")
    assert kept.schema.types == table.schema.types
    assert kept.to_pylist() == [row for row, flag in zip(table.to_pylist(), flags, strict=True) if flag]
    changes = Changes(keep_all(3))
    rewrite_file(source, changes._replace(edits={1: str.upper}), tmp_path / f"new{suffix}")
    assert read_table(tmp_path / f"new{suffix}")["text"].to_pylist() == ["a", "B", "c"]
    gone = [json.loads(line) for line in (tmp_path / "gone").read_text().splitlines()]
    assert [row["id"] for row in gone] == [id for id, flag in zip("abc", flags, strict=True) if not flag]
    column = NewColumn("new", {"n": "int64"}, {1: [{"n": 7}]})
    rewrite_file(source, changes._replace(column=column), tmp_path / f"more{suffix}")
    assert read_table(tmp_path / f"more{suffix}")["new"].to_pylist() == [[], [{"n": 7}], []]


@SUFFIXES
@pytest.mark.parametrize("compression", ["", ".gz", ".xz"])
def test_a_table_in_columns_may_be_compressed(records, tmp_path, suffix, compression):
    write_table(tmp_path / f"a{suffix}", pa.table({"id": ["1", "2"], "text": ["a", "b"]}))
    path = tmp_path / f"b{suffix}{compression}"
    data = (tmp_path / f"a{suffix}").read_bytes()
    path.write_bytes({"": bytes, ".gz": gzip.compress, ".xz": lzma.compress}[compression](data))
    target = tmp_path / f"kept{suffix}{compression}"
    rewrite_file(Source(str(path), "b"), Changes(np.array([False, True])), target)
    assert records(target) == [("2", "b", {})]


@pytest.mark.parametrize("codec", [None, "lz4", "zstd"])
@pytest.mark.parametrize("suffix", [".arrow", ".feather"])
def test_arrow_files_and_streams_are_read(records, tmp_path, suffix, codec):
    path = tmp_path / f"data-00000-of-00001{suffix}"
    write_arrow(path, pa.table({"text": list("abcde"), "n": range(5)}), codec)
    assert records(path) == [(f"{path}:{row}", "abcde"[row], {"n": row}) for row in range(5)]
    path.write_bytes(path.read_bytes()[:-90])
    with pytest.raises(CorpusError, match="damaged, or not an Arrow file"):
        records(path)


LONG = "word " * 2000


@pytest.mark.parametrize(
    "column",
    [
        pa.array([LONG] * 40),
        pa.array([[LONG, None]] * 40, pa.list_(pa.string())),
        pa.array([{"x": [LONG]}] * 40, pa.struct([("x", pa.list_(pa.string()))])),
        pa.array([[("k", LONG)]] * 40, pa.map_(pa.string(), pa.string())),
        pa.array([LONG] * 40).dictionary_encode(),
        pa.array([LONG.encode()] * 40, pa.binary()),
    ],
    ids=["string", "list", "struct", "map", "dictionary", "binary"],
)
@SUFFIXES
def test_a_long_value_that_a_dictionary_has_once_bounds_a_batch(tmp_path, column, suffix):
    path = tmp_path / f"a{suffix}"
    write_table(path, pa.table({"text": ["a"] * 40, "x": column}))
    with open_columnar(Source(str(path), "a"), "Parquet" if suffix == ".parquet" else "Arrow") as file:
        sizes = [batch.num_rows for batch in file.read(4 * len(LONG) + 999)]
    assert sum(sizes) == 40
    assert max(sizes) <= 4


def test_only_columns_whose_values_are_all_in_a_dictionary_are_read_as_such(records, write):
    """Arrow would make a dictionary of all texts of a row group of which a writer gave up the dictionary."""
    words = random.Random(1)
    texts = [" ".join(f"w{words.randrange(10**6)}" for _ in range(60)) for _ in range(6_000)]
    path = write({"text": texts, "lang": ["english"] * 6_000})
    group = pa.parquet.ParquetFile(path).metadata.row_group(0)
    assert "RLE_DICTIONARY" in group.column(0).encodings
    assert _list_dictionaries(group) == ["lang"]
    assert [text for _, text, _ in records(path)] == texts


@given(st.data())
def test_the_bytes_of_rows_are_those_of_their_values(data):
    values = data.draw(st.lists(st.one_of(st.none(), st.lists(st.one_of(st.none(), STRINGS), max_size=4)), max_size=9))
    begin = data.draw(st.integers(0, len(values)))
    array = pa.array([None, *values], pa.list_(pa.dictionary(pa.int8(), pa.string()))).slice(1).slice(begin)
    sizes = [sum(len((each or "").encode()) for each in row or []) for row in values[begin:]]
    assert _row_bytes(array).tolist() == sizes
    structs = pa.array([{"x": row} for row in values], pa.struct([("x", pa.list_(pa.string()))])).slice(begin)
    assert _row_bytes(structs).tolist() == sizes


IMPOSSIBLE = [
    pa.array([0, 2**60], pa.timestamp("us")),
    pa.array([0, 2**62], pa.timestamp("s", "UTC")),
    pa.array([0, -(2**63)], pa.timestamp("ms")),
    pa.array([0, 2**30], pa.date32()),
    pa.array([0, 2**62], pa.duration("s")),
    pa.array([[0], [2**60]], pa.list_(pa.timestamp("us"))),
    pa.array([{"x": 0}, {"x": 2**60}], pa.struct([("x", pa.timestamp("us"))])),
]


@pytest.mark.parametrize("column", IMPOSSIBLE, ids=lambda column: str(column.type))
@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_a_date_that_no_calendar_has_is_a_fault_of_its_row(records, tmp_path, column, suffix):
    path = tmp_path / f"a{suffix}"
    try:
        write_table(path, pa.table({"text": ["a", "b"], "x": column}))
    except pa.ArrowException:
        pytest.skip("the format does not hold it")
    with pytest.raises(CorpusError, match=r"row 1, column 'x': a date or time that no calendar has"):
        records(path)
    failures = Failures()
    assert [text for _, text, _ in records(path, failures=failures)] == ["a"]
    assert failures.rows == 1


@pytest.mark.parametrize("column", [[0, 0], [[0], []]])
def test_a_time_zone_that_there_is_not_is_named(records, tmp_path, column):
    kind = pa.timestamp("us", "Mars/Phobos")
    values = pa.array(column, pa.list_(kind) if column[1] == [] else kind)
    write_arrow(tmp_path / "a.arrow", pa.table({"text": ["a", "b"], "x": values}))
    with pytest.raises(CorpusError, match=r"column 'x': there is no time zone 'Mars/Phobos'; leave it out"):
        records(tmp_path / "a.arrow")


def test_nested_strings_are_read_across_row_groups(tmp_path):
    rows = [{"id": str(row), "text": f"word {row}", "meta": [{"lang": "en" if row % 2 else "de"}]} for row in range(50)]
    pyarrow.parquet.write_table(pa.Table.from_pylist(rows), tmp_path / "a.parquet", row_group_size=9)
    found = [json.loads(each) for batch in read(tmp_path / "a.parquet") for each in batch.metadata]
    assert found == [{"meta": row["meta"]} for row in rows]
