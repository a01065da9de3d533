from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ibidem.errors import LockedError
from ibidem.store import Store, Writer, format
from ibidem.store.leftovers import find_leftovers
from ibidem.store.manifest import read_manifest
from ibidem.text.batches import Tokens

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
    ("rows", "message"), [([5], "has 5 documents"), ([-1], "has 5 documents"), ([0.5], "whole numbers, not float64")]
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


def test_leftovers_are_reported_and_removed_and_nothing_else_is(store: Store) -> None:
    left = ["frequencies.partial/tokens.npy", "manifest.json.partial", "segments/000007/text.npy"]
    left += ["segments/000008.partial/text.npy", "tombstones/000001-000009.npy"]
    foreign = ["README", "segments/notes.txt", "tombstones/x.npy", "segments/000001/extra", "frequencies.old/a"]
    before = samples.tree(store.path)
    for name in left + foreign:
        (store.path / name).parent.mkdir(exist_ok=True)
        (store.path / name).write_bytes(b"?")
    with store.writer() as writer:
        assert writer.recovered == [
            "frequencies.partial",
            "manifest.json.partial",
            "segments/000007",
            "segments/000008.partial",
            "tombstones/000001-000009.npy",
        ]
    assert samples.tree(store.path).keys() - before.keys() == set(foreign)
    assert find_leftovers(store.path, read_manifest(store.path)) == []


def test_documents_are_not_appended_behind_postings(store: Store) -> None:
    with store.writer() as writer:
        segment = writer.new_segment()
        samples.fill(segment)
        with pytest.raises(ValueError, match="documents must be appended before postings"):
            segment.append_documents(*samples.batch())


def test_a_vocabulary_is_put_once_and_in_order(store: Store) -> None:
    with store.writer() as writer:
        segment = writer.new_segment()
        falling = np.array([2, 1], np.uint32)
        with pytest.raises(ValueError, match="strictly ascending"):
            segment.put_vocabulary(falling, falling, falling.astype(np.uint64))
        with pytest.raises(ValueError, match="same length"):
            segment.put_vocabulary(falling[::-1], falling[:1], falling.astype(np.uint64))
        samples.fill(segment)
        with pytest.raises(ValueError, match="already"):
            segment.put_vocabulary(falling[::-1], falling, falling.astype(np.uint64))


def test_a_segment_refuses_more_tokens_than_positions_can_count(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    documents, tokens = samples.batch()
    monkeypatch.setattr(format, "MAX_TOKENS", 2 * len(tokens.ids))
    with store.writer() as writer:
        segment = writer.new_segment()
        segment.append_documents(documents, tokens)
        segment.append_documents(documents, tokens)
        with pytest.raises(ValueError, match="begin another segment"):
            segment.append_documents(*samples.batch(0, 1))
        assert segment.num_documents == 10
        writer.commit()
    assert store.check().problems == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bounds": np.array([0, 1, 2])}, "as many documents"),
        ({"bounds": np.array([0, 2, 1, 3, 4, 5])}, "must ascend"),
        ({"bounds": np.array([0, 1, 2, 3, 4, 99])}, "must ascend within"),
        ({"ids": samples.batch()[1].ids.astype(np.int64)}, "token ids must be uint32, not int64"),
        ({"starts": np.zeros(3, np.uint32)}, "same length"),
    ],
)
def test_a_batch_that_does_not_fit_together_is_refused_whole(
    store: Store, change: dict[str, Any], message: str
) -> None:
    documents, tokens = samples.batch()
    with store.writer() as writer:
        segment = writer.new_segment()
        with pytest.raises(ValueError, match=message):
            segment.append_documents(documents, tokens._replace(**change))
        assert (segment.num_documents, segment.num_tokens) == (0, 0)
        samples.fill(segment)
        writer.commit()
    assert samples.segment_contents(store.segments[2])["texts"] == samples.TEXTS
    assert store.check().problems == []


def test_tokens_can_be_read_while_documents_are_appended(store: Store) -> None:
    with store.writer() as writer:
        segment = writer.new_segment()
        assert [len(each) for each in segment.tokens()] == [0, 1]
        for count in (1, 2, 3):
            segment.append_documents(*samples.batch())
            tokens, bounds = segment.tokens()
            assert tokens.tolist() == samples.batch()[1].ids.tolist() * count
            assert bounds.tolist()[-1] == segment.num_tokens == len(tokens)


def test_many_documents_are_appended_at_once(store: Store) -> None:
    documents, tokens = samples.batch(0, 3000)
    with store.writer() as writer:
        writer.new_segment().append_documents(documents, Tokens(*tokens))
        writer.commit()
    segment = store.segments[2]
    assert segment.document_ids() == documents.ids
    assert np.array_equal(segment.tokens, tokens.ids)
    starts, ends = segment.token_offsets(0, segment.num_tokens)
    assert np.array_equal(starts, tokens.starts)
    assert np.array_equal(ends, tokens.ends)
