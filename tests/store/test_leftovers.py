"""What a writer that died has left is told from what an index needs and from what is not its own."""

from pathlib import Path

import msgspec
import pytest

from ibidem.errors import DamagedError
from ibidem.store import Store
from ibidem.store.leftovers import find_leftovers, require_own_folders, sweep
from ibidem.store.manifest import read_manifest

from . import samples


def test_leftovers_are_reported_and_removed_and_nothing_else_is(store: Store) -> None:
    left = ["frequencies.partial/tokens.npy", "manifest.json.partial", "segments/000007/text.npy"]
    left += ["segments/000008.partial/text.npy", "tombstones/000001-000009.npy", f"attachments/{'0' * 32}"]
    foreign = [
        "README",
        "attachments/notes",
        "segments/notes.txt",
        "tombstones/x.npy",
        "segments/000001/extra",
        "frequencies.old/a",
    ]
    before = samples.tree(store.path)
    for name in left + foreign:
        (store.path / name).parent.mkdir(exist_ok=True)
        (store.path / name).write_bytes(b"?")
    with store.writer() as writer:
        assert writer.recovered == [
            f"attachments/{'0' * 32}",
            "frequencies.partial",
            "manifest.json.partial",
            "segments/000007",
            "segments/000008.partial",
            "tombstones/000001-000009.npy",
        ]
    assert samples.tree(store.path).keys() - before.keys() == set(foreign)
    assert find_leftovers(store.path, read_manifest(store.path)) == []


def test_nothing_that_any_of_several_manifests_needs_is_left_over(store: Store) -> None:
    first = read_manifest(store.path)
    with store.writer() as writer:
        writer.drop("000001")
        samples.fill(writer.new_segment(), first=9, count=1)
        second = msgspec.structs.replace(first, segments=[])
        assert find_leftovers(store.path, first, second) == ["segments/000003.partial"]
    assert find_leftovers(store.path, second) == ["segments/000001", "segments/000002", "tombstones/000001-000002.npy"]
    assert sweep(store.path, second) == ["segments/000001", "segments/000002", "tombstones/000001-000002.npy"]
    assert find_leftovers(store.path, second) == []


@pytest.mark.parametrize("name", ["segments", "tombstones", "frequencies", "attachments"])
def test_folders_of_the_index_are_not_links(store: Store, tmp_path: Path, name: str) -> None:
    (store.path / name).rename(tmp_path / name)
    (store.path / name).symlink_to(tmp_path / name)
    with pytest.raises(DamagedError, match=f"{name}: it is no folder"):
        find_leftovers(store.path, read_manifest(store.path))
    (store.path / name).unlink()
    (store.path / name).touch()
    with pytest.raises(DamagedError, match=f"{name}: it is no folder"):
        require_own_folders(store.path)
