from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ibidem.errors import DamagedError, LockedError
from ibidem.store import Store, Writer
from ibidem.store.manifest import compute_checksum

from . import samples


def test_what_was_not_committed_leaves_no_trace(store: Store) -> None:
    before = samples.tree(store.path)
    with store.writer() as writer:
        samples.fill(writer.new_segment())
        writer.new_segment().finish()
        writer.remove({"000001": [0]})
        writer.drop("000002")
    assert samples.tree(store.path) == before
    assert store.generation == 2


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError, SystemExit])
def test_an_error_inside_the_block_leaves_the_last_commit_and_passes_through(store: Store, error: type) -> None:
    before = samples.tree(store.path)

    def fail() -> None:
        with store.writer() as writer:
            samples.fill(writer.new_segment())
            raise error

    with pytest.raises(error):
        fail()
    assert samples.tree(store.path) == before
    samples.add(store)


def test_a_writer_commits_more_than_once(store: Store) -> None:
    with store.writer() as writer:
        for first in (10, 20):
            samples.fill(writer.new_segment(), first)
            writer.commit()
            assert store.segments[-1].document_id(0) == f"doc {first}"
        writer.remove({store.segments[-1].name: [0]})
        writer.commit()
        samples.fill(writer.new_segment(), 30)
    assert store.generation == 5
    assert [segment.name for segment in Store.open(store.path).segments] == ["000001", "000002", "000003", "000004"]
    assert not store.segments[-1].alive[0]


def test_a_commit_without_a_change_is_no_generation(store: Store) -> None:
    before = samples.tree(store.path)
    with store.writer() as writer:
        empty = writer.new_segment()
        writer.remove({"000001": [2], "000002": []})
        writer.commit()
        with pytest.raises(ValueError, match="segment 000003 is closed"):
            samples.fill(empty)
    assert samples.tree(store.path) == before


def test_removals_add_up_and_leave_one_file(store: Store) -> None:
    for rows in ([4, 4], np.array([0, 2], np.uint32)):
        with store.writer() as writer:
            writer.remove({"000001": rows})
            writer.remove({"000001": [3]})
            writer.commit()
    assert Store.open(store.path).segments[0].removed.tolist() == [0, 2, 3, 4]
    assert [file.name for file in (store.path / "tombstones").iterdir()] == ["000001-000004.npy"]
    assert store.check().problems == []


def test_a_dropped_segment_takes_its_tombstones_with_it(store: Store) -> None:
    with store.writer() as writer:
        writer.remove({"000001": [0]})
        writer.drop("000001")
        writer.commit()
    assert [segment.name for segment in store.segments] == ["000002"]
    assert list((store.path / "tombstones").iterdir()) == []


@pytest.mark.parametrize(
    ("rows", "message"), [([5], "has rows 0 to 4"), ([-1], "has rows 0 to 4"), ([0.5], "must be integers, not float64")]
)
def test_rows_that_cannot_be_removed_are_refused(store: Store, rows: list[Any], message: str) -> None:
    with store.writer() as writer, pytest.raises(ValueError, match=message):
        writer.remove({"000001": rows})


def test_a_segment_that_the_index_has_not_is_refused(store: Store) -> None:
    with store.writer() as writer:
        name = writer.new_segment().name
        for use in (writer.drop, lambda name: writer.remove({name: [0]})):
            with pytest.raises(ValueError, match="generation 2 has no segment '000003'"):
                use(name)


def test_document_frequencies_are_put_once(store: Store) -> None:
    with store.writer() as writer, pytest.raises(ValueError, match="cannot be replaced"):
        samples.put_some_frequencies(writer)


def test_a_file_that_is_kept_is_named_by_its_checksum_and_kept_once(store: Store) -> None:
    with store.writer() as writer:
        assert writer.attach(samples.ATTACHED) == store.attachments[0]
        other = writer.attach(b"other")
        writer.commit()
    for each in (store, Store.open(store.path)):
        assert each.attachments == [compute_checksum(samples.ATTACHED), other]
        assert each.attachment(other) == b"other"
    assert store.sizes()["attachments"] == len(samples.ATTACHED) + 5
    with pytest.raises(DamagedError, match="is not in the index"):
        store.attachment("0" * 32)


def test_a_file_that_is_too_large_to_be_kept_is_refused(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ibidem.store.writer.MAX_ATTACHMENT_BYTES", 3)
    with store.writer() as writer, pytest.raises(ValueError, match="at most 3 bytes, not 4"):
        writer.attach(b"1234")


@pytest.mark.parametrize(
    ("tokens", "counts", "documents"),
    [
        (np.array([1, 1], np.uint32), np.array([1, 1], np.uint32), 1),
        (np.array([1, 2], np.uint32), np.array([1], np.uint32), 1),
        (np.array([1, 2]), np.array([1, 1], np.uint32), 1),
        (np.array([1, 2], np.uint32), np.array([1, 1], np.uint32), -1),
    ],
)
def test_document_frequencies_that_do_not_fit_are_refused(
    path: Path, tokens: np.ndarray, counts: np.ndarray, documents: int
) -> None:
    with Store.create(path, {}).writer() as writer, pytest.raises(ValueError, match="must"):
        writer.put_frequencies(tokens, counts, documents)


@pytest.mark.parametrize(
    "use",
    [
        Writer.new_segment,
        Writer.commit,
        lambda writer: writer.remove({"000001": [0]}),
        lambda writer: writer.drop("000001"),
        lambda writer: writer.attach(b""),
        samples.put_some_frequencies,
    ],
)
def test_a_writer_is_of_use_inside_its_block_alone(store: Store, use: Any) -> None:
    writer = store.writer()
    with pytest.raises(ValueError, match=r"use `with store\.writer\(\) as writer:`"):
        use(writer)
    with writer:
        pass
    with pytest.raises(ValueError, match="the writer is closed"):
        use(writer)
    with pytest.raises(ValueError, match="one `with` block"), writer:
        pass


def test_a_segment_is_closed_with_its_writer(store: Store) -> None:
    with store.writer() as writer:
        segment = writer.new_segment()
    for use in (lambda: samples.fill(segment), segment.tokens, segment.finish):
        with pytest.raises(ValueError, match="segment 000003 is closed"):
            use()


def test_a_writer_inside_a_writer_is_refused_and_does_no_harm(store: Store) -> None:
    with store.writer() as writer:
        for other in (store, Store.open(store.path)):
            with pytest.raises(LockedError, match="this process is already writing"), other.writer():
                pass
        samples.fill(writer.new_segment())
        writer.commit()
    assert len(Store.open(store.path).segments) == 3
