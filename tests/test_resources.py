"""Sizes of memory are read as people write them."""

import pytest

from ibidem import resources
from ibidem.resources import Resources, give_back_memory, memory_bytes


def test_memory_is_given_back_where_the_c_library_can_and_nothing_is_done_elsewhere(monkeypatch):
    asked = []

    class Library:
        def malloc_trim(self, rest):
            asked.append(rest)

    monkeypatch.setattr(resources.ctypes, "CDLL", lambda name: Library())
    give_back_memory()
    assert asked == [0]
    monkeypatch.setattr(resources.ctypes, "CDLL", lambda name: object())
    give_back_memory()
    assert asked == [0]


@pytest.mark.parametrize(
    ("memory", "size"),
    [
        ("64M", 64 << 20),
        ("65536K", 64 << 20),
        ("512 MiB", 512 << 20),
        ("1G", 1 << 30),
        ("1.5g", 3 << 29),
        ("2gb", 2 << 30),
        ("1T", 1 << 40),
        (1 << 27, 1 << 27),
    ],
)
def test_sizes_of_memory_are_read(memory, size):
    assert memory_bytes(memory) == size


@pytest.mark.parametrize("memory", ["63M", "0", "-1G", 5, "much", "", "nan", "1X", "G", "inf"])
def test_sizes_that_are_too_small_or_none_are_refused(memory):
    with pytest.raises(ValueError, match="memory size"):
        memory_bytes(memory)


def test_batches_have_a_part_of_the_memory_and_never_much():
    assert [Resources.of(size, None, None).batch_bytes >> 20 for size in ("64M", "128M", "512M", "8G")] == [1, 2, 8, 8]
