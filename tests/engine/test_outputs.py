"""Outputs are opened as they were left, whatever arrays they hold."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from ibidem.engine import outputs
from ibidem.engine.outputs import append_output, open_all_as, open_as, save_output


class Rows(NamedTuple):
    places: npt.NDArray[np.int64]
    shares: npt.NDArray[np.float64]


class Output(NamedTuple):
    rows: Rows
    runs: list[tuple[int, npt.NDArray[np.int32]]]
    reasons: list[str | None]
    count: int
    share: float


@pytest.mark.parametrize("mapped_from", [0, 1 << 20])
def test_an_output_is_opened_as_it_was_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mapped_from: int) -> None:
    monkeypatch.setattr(outputs, "_MAPPED_FROM", mapped_from)
    rows = Rows(np.arange(6).reshape(3, 2), np.empty(0))
    runs = [(number, np.arange(number, dtype=np.int32)) for number in range(3)]
    counts = np.arange(5), np.linspace(0, 1, 4)
    save_output(Output(rows, runs, ["phrase", None], counts[0][4], counts[1][1]), tmp_path)
    opened = open_as(Output)(tmp_path)
    assert (opened.reasons, opened.count, opened.share) == (["phrase", None], 4, 1 / 3)
    arrays = [*opened.rows, *(each for _, each in opened.runs)]
    for array, expected in zip(arrays, [*rows, *(each for _, each in runs)], strict=True):
        assert type(array) is np.ndarray
        assert array.flags.writeable  # as kernels know it
        assert array.dtype == expected.dtype
        assert array.tolist() == expected.tolist()
    assert [number for number, _ in opened.runs] == [0, 1, 2]


def test_what_no_file_can_hold_is_refused(tmp_path: Path) -> None:
    with pytest.raises((AttributeError, TypeError)):
        save_output([object()], tmp_path)


@pytest.mark.parametrize("mapped_from", [0, 1 << 20])
@pytest.mark.parametrize("sizes", [[3], [0, 5, 0], [1, 70, 2, 9]])
def test_outputs_that_are_appended_are_all_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mapped_from: int, sizes: list[int]
) -> None:
    monkeypatch.setattr(outputs, "_MAPPED_FROM", mapped_from)
    for size in sizes:
        append_output(Rows(np.arange(size), np.full(size, 0.5)), tmp_path / "rows")
    opened = open_all_as(Rows)(tmp_path / "rows")
    assert [rows.places.tolist() for rows in opened] == [list(range(size)) for size in sizes]
    assert [rows.shares.tolist() for rows in opened] == [[0.5] * size for size in sizes]
    assert all(rows.places.flags.aligned and rows.places.flags.writeable for rows in opened)
