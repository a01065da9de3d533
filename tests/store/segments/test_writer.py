"""What a segment takes while it is written, and what it refuses."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ibidem.store import Store, format
from ibidem.text.batches import Tokens

from .. import samples


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


def test_postings_of_one_segment_have_one_width(path: Path) -> None:
    one = np.zeros(1, np.uint32)
    with Store.create(path, {}).writer() as writer:
        segment = writer.new_segment()
        segment.append_postings(one, one, np.zeros((1, 3), np.uint16))
        with pytest.raises(ValueError, match="has 3 extents, not 2"):
            segment.append_postings(one, one, np.zeros((1, 2), np.uint16))
        with pytest.raises(ValueError, match="same length"):
            segment.append_postings(one, one, np.zeros((2, 3), np.uint16))
        with pytest.raises(ValueError, match="keys must be uint32, not int64"):
            segment.append_postings(one.astype(np.int64), one, np.zeros((1, 3), np.uint16))


@pytest.mark.parametrize(("first", "end"), [(0, 300), (7, 8), (120, 290), (5, 5)])
def test_rows_of_another_segment_give_the_bytes_of_their_documents(tmp_path: Path, first: int, end: int) -> None:
    with Store.create(tmp_path / "other", {}) as other, other.writer() as writer:
        writer.new_segment().append_documents(*samples.batch(0, 300))
        writer.commit()
        with Store.create(tmp_path / "made", {}) as made, made.writer() as writer:
            segments = [writer.new_segment(), writer.new_segment()]
            for segment in segments:
                segment.append_documents(*samples.batch(500, 7))
            for documents, tokens in other.segments[0].batches(400, np.arange(first, end)):
                segments[0].append_documents(documents, tokens)
            segments[1].append_documents(*samples.batch(first, end - first))
            writer.commit()
            assert made.check().problems == []
            records = [(segment.folder / "segment.json").read_bytes() for segment in made.segments]
    assert records[0] == records[1]
