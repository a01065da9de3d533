"""The value that every partition gives."""

import numpy as np

from ibidem.sketches.families import SetFamily
from ibidem.sketches.windows.scanline import partition
from ibidem.sketches.windows.windows import Windows


def test_a_text_of_one_token_is_one_window_of_one_passage() -> None:
    values = SetFamily().active(np.array([7], np.uint32), np.array([1], np.int32), np.uint64(1))
    windows = partition(np.zeros(1, np.int32), values)
    assert isinstance(windows, Windows)
    assert [column.tolist() for column in windows] == [[int(values.key[0])], [0], [0], [0], [0]]
    assert [column.dtype for column in windows] == [np.uint32, *[np.int32] * 4]
