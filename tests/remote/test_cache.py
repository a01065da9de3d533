"""The cache keeps within its size, and keeps what is in use."""

import os

import pytest

from ibidem.errors import StoreError
from ibidem.remote.cache import Cache


def fill(cache, origin, size, used):
    copy = cache.copy_of(origin)
    copy.content.write_bytes(b"x" * size)
    os.utime(copy.folder / "used.lock", (used, used))
    return copy


def test_what_was_not_used_for_longest_goes_first(tmp_path):
    cache = Cache(tmp_path, 10_000)
    copies = [fill(cache, name, 3_000, used) for name, used in (("b", 2), ("a", 1), ("c", 3))]
    for copy in copies:
        copy.close()
    new = cache.copy_of("new")
    cache.make_room(3_500, new)
    assert [copy.folder.exists() for copy in copies] == [True, False, True]


def test_what_is_in_use_stays_and_then_there_is_no_room(tmp_path):
    cache = Cache(tmp_path, 5_000)
    held = fill(cache, "held", 3_000, 1)
    new = cache.copy_of("new")
    with pytest.raises(StoreError, match=r"new: its copy has 3,000 bytes, .* has room for 1,9\d\d of 5,000"):
        cache.make_room(3_000, new)
    assert held.content.exists()
    held.close()
    cache.make_room(3_000, new)
    assert not held.folder.exists()


def test_a_copy_that_is_larger_than_the_cache_is_an_error(tmp_path):
    cache = Cache(tmp_path, 5_000)
    with pytest.raises(StoreError, match="IBIDEM_CACHE_SIZE"):
        cache.make_room(5_001, cache.copy_of("new"))


def test_a_copy_that_was_removed_is_made_anew(tmp_path):
    cache = Cache(tmp_path, 5_000)
    fill(cache, "a", 4_000, 1).close()
    cache.make_room(4_000, cache.copy_of("b"))
    again = cache.copy_of("a")
    assert again.folder.is_dir()
    assert not again.content.exists()
    assert (again.folder / "origin").read_text() == "a\n"


def test_the_environment_says_where_the_cache_is_and_how_large(tmp_path, monkeypatch):
    monkeypatch.setenv("IBIDEM_CACHE", str(tmp_path))
    monkeypatch.setenv("IBIDEM_CACHE_SIZE", "2G")
    assert Cache.of() == Cache(tmp_path, 2 << 30)
    assert Cache.of(tmp_path / "a", "1M") == Cache(tmp_path / "a", 1 << 20)
    for name in ("IBIDEM_CACHE", "IBIDEM_CACHE_SIZE"):
        monkeypatch.delenv(name)
    assert Cache.of().size == 100 << 30
    assert Cache.of().folder.parts[-2:] == (".cache", "ibidem")
