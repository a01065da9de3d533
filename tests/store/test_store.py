from pathlib import Path

import numpy as np
import pytest

from ibidem.errors import DamagedError
from ibidem.store import Store
from ibidem.store import store as store_module
from ibidem.store.format import LOCK, PARTS
from ibidem.store.manifest import Manifest

from . import samples


def test_what_was_committed_is_what_is_opened(store: Store) -> None:
    opened = Store.open(str(store.path))
    assert samples.contents(opened) == samples.contents(store)
    assert opened.generation == store.generation == 2
    assert opened.config == samples.CONFIG
    assert opened.segments[0].alive.tolist() == [True, True, False, True, True]
    assert opened.check().problems == []


def test_the_same_calls_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "other"):
        store = Store.create(tmp_path / name, samples.CONFIG)
        samples.add(store)
        with store.writer() as writer:
            writer.remove({"000001": [1, 3]})
            samples.fill(writer.new_segment(), first=7)
            samples.put_some_frequencies(writer)
            writer.commit()
    assert samples.tree(tmp_path / "one") == samples.tree(tmp_path / "other")
    assert (tmp_path / "one" / LOCK).read_bytes() == b""


def test_an_index_may_be_empty(path: Path) -> None:
    Store.create(path, {})
    store = Store.open(path)
    assert (store.generation, store.segments, store.frequencies()) == (0, [], None)
    assert store.check().problems == []


def test_a_reader_keeps_its_generation_when_all_its_files_are_gone(store: Store) -> None:
    reader = Store.open(store.path)
    before = samples.contents(reader)
    with store.writer() as writer:
        for segment in reader.segments:
            writer.drop(segment.name)
        samples.fill(writer.new_segment(), first=20)
        writer.commit()
    assert [entry.name for entry in (store.path / "segments").iterdir()] == ["000003"]
    assert reader.generation == 2
    assert samples.contents(reader) == before
    assert sum(reader.sizes().values()) > 0
    assert [segment.name for segment in Store.open(store.path).segments] == ["000003"]


def test_a_store_that_was_left_behind_catches_up_when_it_writes(store: Store) -> None:
    behind = Store.open(store.path)
    samples.add(store, first=30)
    with behind.writer():
        assert samples.contents(behind) == samples.contents(store)


def test_opening_during_a_commit_gives_the_generation_that_stands(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, calls = store_module.read_manifest, []

    def read_and_be_overtaken(path: Path) -> Manifest:
        manifest = real(path)
        calls.append(manifest.generation)
        if len(calls) == 1:
            with store.writer() as writer:
                writer.drop("000001")
                writer.commit()
        return manifest

    monkeypatch.setattr(store_module, "read_manifest", read_and_be_overtaken)
    opened = Store.open(store.path)
    assert calls == [2, 3]
    assert [segment.name for segment in opened.segments] == ["000002"]


def test_a_segment_is_shared_by_the_generations_that_have_it(store: Store) -> None:
    first, second = store.segments
    with store.writer() as writer:
        writer.remove({"000002": [0]})
        writer.commit()
    assert store.segments[0] is first
    assert store.segments[1] is not second
    assert store.segments[1].tokens is second.tokens
    assert (second.alive.sum(), store.segments[1].alive.sum()) == (4, 3)


def test_a_damaged_index_is_not_opened_again_and_again(store: Store) -> None:
    (store.path / "segments" / "000001" / "text.npy").unlink()
    with pytest.raises(DamagedError, match=r"text\.npy: the file is missing"):
        Store.open(store.path)


def test_sizes_are_those_of_the_files(store: Store) -> None:
    sizes = store.sizes()
    files = [file for file in store.path.rglob("*") if file.is_file()]
    assert sum(sizes.values()) == sum(file.stat().st_size for file in files)
    assert tuple(sizes) == PARTS
    assert all(sizes.values())


def test_frequencies_are_those_that_were_put(store: Store) -> None:
    for each in (store, Store.open(store.path)):
        tokens, counts, num_documents = each.frequencies()
        assert (tokens.tolist(), counts.tolist(), num_documents) == ([3, 9], [1, 4], 5)
        assert tokens.dtype == counts.dtype == np.uint32


def test_a_closed_store_does_not_write(store: Store) -> None:
    with store:
        pass
    with pytest.raises(ValueError, match="the store is closed"):
        store.writer()
