import os
import resource
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.errors import DamagedError, StoreError
from ibidem.store.files.columns import (
    ColumnWriter,
    OpenColumn,
    compute_file_checksum,
    make_header,
    open_column,
    release_pages,
    write_column,
)
from ibidem.store.format import HEADER_BYTES, Column
from ibidem.system import disk

COLUMN = Column("numbers", "<u4", ("N",), "tokens", "numbers")
# Below this length a column is read, from it on it is mapped.
LENGTHS = [0, 1, 10, 100_000]


@pytest.mark.parametrize("length", LENGTHS)
def test_a_column_is_what_was_appended_and_numpy_reads_it_too(tmp_path: Path, length: int) -> None:
    values = np.arange(length, dtype=np.uint32)
    writer = ColumnWriter(tmp_path, COLUMN)
    for part in np.array_split(values, 3):
        writer.append(part)
    assert writer.view().tolist() == values.tolist()
    record = writer.finish()
    column = OpenColumn(tmp_path / "numbers.npy", COLUMN.dtype, record)
    column.read_ahead()
    column.require_whole()
    read = column.values(verify=True)
    assert not read.flags.writeable
    assert read.flags.aligned
    for array in (read, np.load(tmp_path / "numbers.npy", allow_pickle=False)):
        assert array.dtype == np.uint32
        assert np.array_equal(array, values)
    assert compute_file_checksum(tmp_path / "numbers.npy") == record.checksum


@given(st.sampled_from(["|u1", "<u2", "<u4", "<i8", "<u8"]), st.integers(0, 2**40), st.none() | st.integers(0, 2**16))
def test_a_header_has_one_length_whatever_it_says(dtype: str, rows: int, width: int | None) -> None:
    shape = (rows,) if width is None else (rows, width)
    data = make_header(dtype, shape)
    assert len(data) == HEADER_BYTES
    assert str(shape).encode() in data


def test_a_mapped_column_outlives_its_file(tmp_path: Path) -> None:
    values = np.arange(100_000, dtype=np.uint32)
    write_column(tmp_path, COLUMN, values)
    read = open_column(tmp_path / "numbers.npy", COLUMN.dtype, values.shape)
    (tmp_path / "numbers.npy").unlink()
    assert np.array_equal(read, values)


def count_mapped(file: Path) -> int:
    """Bytes of a file in the memory of this process."""
    lines = iter(Path("/proc/self/smaps").read_text().splitlines())
    return sum(
        next(int(each.split()[1]) for each in lines if each.startswith("Rss:"))
        for line in lines
        if line.endswith(str(file))
    )


@pytest.mark.skipif(sys.platform != "linux", reason="the system tells what is mapped on Linux alone")
def test_pages_that_are_given_back_are_read_again(tmp_path: Path) -> None:
    values = np.arange(1_000_000, dtype=np.uint32)
    write_column(tmp_path, COLUMN, values)
    read = open_column(tmp_path / "numbers.npy", COLUMN.dtype, values.shape)
    assert np.array_equal(read, values)
    assert count_mapped(tmp_path / "numbers.npy") > 0
    release_pages(read[10:])
    assert count_mapped(tmp_path / "numbers.npy") == 0
    assert np.array_equal(read, values)
    release_pages(values)
    assert values[-1] == 999_999


def test_rows_of_another_kind_are_refused(tmp_path: Path) -> None:
    writer = ColumnWriter(tmp_path, COLUMN)
    for wrong in (np.zeros(2, np.uint16), np.zeros((1, 3), np.uint32)):
        with pytest.raises(ValueError, match="column numbers holds uint32"):
            writer.append(wrong)
    writer.append(np.ones(2, np.uint32))
    assert writer.view().tolist() == [1, 1]


@pytest.mark.parametrize("length", [10, 100_000])
@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: data[:-1], "bytes where"),
        (lambda data: data + b"\0", "bytes where"),
        (lambda data: b"", "has 0 bytes where"),
        (lambda data: data.replace(b"<u4", b"<f4", 1), "header is not that of an array of uint32"),
        (lambda data: data.replace(b"False", b"True ", 1), "header is not that"),
        (lambda data: data.replace(b"NUMPY", b"NUMPI", 1), "header is not that"),
        (lambda data: data.replace(b"<u4", b"|O8", 1), "header is not that"),
    ],
)
def test_a_damaged_file_is_named_with_its_fault(tmp_path: Path, length: int, damage, message: str) -> None:
    write_column(tmp_path, COLUMN, np.arange(length, dtype=np.uint32))
    file = tmp_path / "numbers.npy"
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(DamagedError, match=message) as caught:
        open_column(file, COLUMN.dtype, (length,))
    assert str(file) in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DamagedError, match=r"numbers\.npy: the file is missing"):
        open_column(tmp_path / "numbers.npy", COLUMN.dtype, (1,))


def test_nothing_is_appended_behind_a_torn_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = ColumnWriter(tmp_path, COLUMN)

    def half(descriptor: int, data: memoryview) -> None:
        os.write(descriptor, memoryview(data)[: len(data) // 2])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(disk, "write", half)
        with pytest.raises(OSError, match="No space"):
            writer.append(np.arange(9, dtype=np.uint32))
    for use in (lambda: writer.append(np.arange(9, dtype=np.uint32)), writer.view, writer.finish):
        with pytest.raises(StoreError, match="an append failed"):
            use()


@pytest.fixture
def few_files() -> Iterator[int]:
    """This process may have few more files open than it has; how many."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(int(name) for name in os.listdir("/dev/fd"))
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 8, limits[1]))
    yield highest + 8
    resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_more_columns_are_opened_than_a_process_may_at_first(tmp_path: Path, few_files: int) -> None:
    values = np.arange(10_000, dtype=np.uint32)
    write_column(tmp_path, COLUMN, values)
    columns = [open_column(tmp_path / "numbers.npy", COLUMN.dtype, values.shape) for _ in range(few_files)]
    assert all(np.array_equal(column, values) for column in columns)


def test_too_many_open_files_say_what_to_do(tmp_path: Path, few_files: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ibidem.store.files.columns.raise_file_limit", lambda: False)
    values = np.arange(10_000, dtype=np.uint32)
    write_column(tmp_path, COLUMN, values)
    opened = []

    def open_many() -> None:
        for _ in range(few_files):
            opened.append(open_column(tmp_path / "numbers.npy", COLUMN.dtype, values.shape))

    if sys.version_info >= (3, 13):
        open_many()
    else:
        with pytest.raises(StoreError, match="ulimit -n"):
            open_many()
