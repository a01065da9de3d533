"""A segment that is taken over is the same in its new index, whether files are linked or copied."""

import os
from pathlib import Path

import pytest

from ibidem.store import Store

from .. import samples


@pytest.fixture
def other(tmp_path: Path) -> Store:
    return Store.create(tmp_path / "other", samples.CONFIG)


def whole_segment_of(store: Store) -> dict[str, object]:
    """What the second segment holds, whatever its name."""
    return samples.segment_contents(store.segments[1]) | {"name": ""}


@pytest.mark.parametrize("can_link", [True, False])
def test_a_copied_segment_reads_the_same_and_the_index_is_sound(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch, can_link: bool
) -> None:
    def refuse(source: Path, target: Path) -> None:
        raise OSError(18, "Invalid cross-device link")

    if not can_link:
        monkeypatch.setattr(os, "link", refuse)
    samples.add(other)
    with other.writer() as writer:
        writer.copy_segment(store.segments[1])
        writer.commit()
    assert whole_segment_of(other) == whole_segment_of(store)
    assert other.check().problems == []
    sizes = {file.stat().st_nlink for file in (other.path / "segments" / "000002").iterdir()}
    assert sizes == ({2} if can_link else {1})


def test_a_segment_that_lost_documents_is_not_copied(store: Store, other: Store) -> None:
    with other.writer() as writer, pytest.raises(ValueError, match="000001 has removed documents: merge its index"):
        writer.copy_segment(store.segments[0])
    assert Store.open(other.path).segments == []


def test_a_copy_that_is_not_committed_leaves_no_trace(store: Store, other: Store) -> None:
    before = samples.tree(other.path)
    with other.writer() as writer:
        writer.copy_segment(store.segments[1])
    assert samples.tree(other.path) == before
