"""A column that grows has the same values, and the same file, in memory as on the disk."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.store.files import growing
from ibidem.store.files.columns import ColumnWriter
from ibidem.store.files.growing import GrowingColumn
from ibidem.store.format import Column

COLUMN = Column("numbers", "<i8", ("n",), "spool", "")

PIECES = st.lists(st.lists(st.integers(-9, 9), max_size=6), max_size=5)


@given(pieces=PIECES, held=st.sampled_from([0, 24, 1 << 20]))
def test_values_and_file_are_those_of_a_writer(tmp_path_factory, pieces, held) -> None:
    folders = [tmp_path_factory.mktemp("columns") for _ in range(2)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(growing, "_HELD", held)
        column, plain = GrowingColumn(folders[0] / "deeper", COLUMN), ColumnWriter(folders[1], COLUMN)
        for piece in pieces:
            for each in (column, plain):
                each.append(np.array(piece, np.int64))
            assert column.view().tolist() == plain.view().tolist()
        assert column.rows == plain.rows
        assert (folders[0] / "deeper").exists() == (8 * sum(map(len, pieces)) > held)
        assert column.finish() == plain.finish()
    assert (folders[0] / "deeper" / COLUMN.file).read_bytes() == plain.path.read_bytes()


@pytest.mark.parametrize("held", [0, 1 << 20])
def test_rows_of_two_dimensions_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: int) -> None:
    monkeypatch.setattr(growing, "_HELD", held)
    column = GrowingColumn(tmp_path, COLUMN, 2)
    assert column.view().shape == (0, 2)
    column.append(np.arange(6).reshape(3, 2))
    assert column.view().tolist() == [[0, 1], [2, 3], [4, 5]]


def test_what_is_appended_is_copied_and_what_is_seen_cannot_be_changed(tmp_path: Path) -> None:
    column, values = GrowingColumn(tmp_path, COLUMN), np.arange(3)
    column.append(values)
    values[:] = 9
    assert column.view().tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="read-only"):
        column.view()[0] = 1
    with pytest.raises(ValueError, match="numbers holds int64, not float64"):
        column.append(np.zeros(1))
