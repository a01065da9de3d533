"""A result: what it says of itself, and its folder, in each format and read back."""

from functools import partial
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

from ibidem import find_reuse
from ibidem.corpus.writing.tables import FORMATS, holds_result, read_summary
from ibidem.reuse.outputs.result import TABLES, Reuse, is_later, read_dates, read_reuse_table, write_reuse

from ..quotations import around, words

PASSAGE = words(100, 60)


@pytest.fixture(scope="module")
def quoted() -> Reuse:
    texts = [around(1, PASSAGE), around(2, PASSAGE), "no word"]
    documents = [
        {"id": f"0{number}", "text": text, "year": 1900 + number, "tags": ["ode"]} for number, text in enumerate(texts)
    ]
    return find_reuse(documents, date="year", texts=True)


def test_dates_say_which_document_is_later(quoted: Reuse) -> None:
    dates = read_dates(quoted)
    assert dates == {"00": 1900, "01": 1901}
    assert is_later(dates, "01", "00")
    assert not is_later(dates, "00", "01")
    assert not is_later(dates, "01", "01")
    assert not is_later(dates, "02", "00")


def test_a_result_says_how_much_it_holds(quoted: Reuse) -> None:
    assert repr(quoted).startswith("Reuse(1 pair, 2 passages, 1 cluster, 3 documents, 1 document pair, ")


@pytest.mark.filterwarnings("ignore:no document has a token")
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("is_empty", [False, True])
def test_a_folder_is_read_as_it_was_written(tmp_path: Path, format: str, is_empty: bool, quoted: Reuse) -> None:
    reuse = find_reuse([]) if is_empty else quoted
    write_reuse(reuse, tmp_path, format)
    assert holds_result(tmp_path, "pairs")
    assert read_summary(tmp_path, TABLES, "ibidem reuse") == reuse.summary
    for name in TABLES:
        table, expected = read_reuse_table(tmp_path, name), getattr(reuse, name)
        if format == "csv":  # which does not say that these are no texts
            free = [column for column in ("date", "year", "tags") if column in expected.column_names]
            table, expected = table.drop_columns(free if table.num_rows else []), expected.drop_columns(free)
        assert table.to_pylist() == expected.to_pylist(), name


READERS = {
    "parquet": pd.read_parquet,
    "jsonl": partial(pd.read_json, lines=True, precise_float=True, dtype={"a": str, "b": str, "document": str}),
    "csv": partial(pd.read_csv, dtype={"a": str, "b": str, "document": str, "source": str, "central": str}),
}


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", ["pairs", "passages", "clusters", "document_pairs"])
def test_pandas_reads_the_values_of_a_table(name: str, format: str, quoted: Reuse, tmp_path: Path) -> None:
    write_reuse(quoted, tmp_path, format)
    frame, table = READERS[format](tmp_path / f"{name}.{format}"), getattr(quoted, name)
    assert list(frame.columns) == table.column_names
    assert len(frame) == table.num_rows > 0
    for column in [column for column in table.column_names if column not in ("chain", "source", "central")]:
        values = [None if pd.isna(value) else value for value in frame[column].tolist()]
        expected = table.column(column).to_pylist()
        if pa.types.is_floating(table.column(column).type):
            expected = [None if each is None else pytest.approx(each, rel=1e-12) for each in expected]
        assert values == expected, column
