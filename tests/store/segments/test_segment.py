import gc
import os
from pathlib import Path

import numpy as np
import pytest

from ibidem.store import Segment, Store
from ibidem.text import Documents, Tokens

from .. import samples


def test_documents_come_back_as_they_were_given(store: Store) -> None:
    documents, tokens = samples.batch()
    segment = Store.open(store.path).segments[0]
    assert segment.document_ids() == documents.ids
    assert [segment.document_id(row) for row in range(5)] == documents.ids
    assert [segment.text(row) for row in range(5)] == samples.TEXTS
    assert [segment.metadata(row) for row in range(5)] == [{"row": row} for row in range(5)]
    assert segment.tokens.tolist() == tokens.ids.tolist()
    assert segment.token_bounds.tolist() == tokens.bounds.tolist()
    assert (segment.num_documents, segment.num_tokens) == (5, len(tokens.ids))


def test_offsets_cut_the_words_out_of_the_texts(store: Store) -> None:
    segment = store.segments[0]
    for row in range(segment.num_documents):
        first, last = segment.token_bounds[row : row + 2].tolist()
        words = [slice(*segment.offsets(row, token, token)) for token in range(first, last)]
        assert [segment.text(row)[word] for word in words] == segment.text(row).split()
        if last > first:
            start, end = segment.offsets(row, first, last - 1)
            assert segment.text(row)[start:end] == segment.text(row).strip()


def test_offsets_of_tokens_of_another_document_are_refused(store: Store) -> None:
    with pytest.raises(ValueError, match="document 0 has the tokens 0 to 3"):
        store.segments[0].offsets(0, 0, 4)


def test_a_token_stands_in_the_document_that_holds_it_and_never_in_an_empty_one(store: Store) -> None:
    segment = store.segments[0]
    bounds = segment.token_bounds.tolist()
    owners = [row for row in range(5) for _ in range(bounds[row], bounds[row + 1])]
    assert segment.document_of(np.arange(segment.num_tokens, dtype=np.uint32)).tolist() == owners
    assert 1 not in owners


@pytest.mark.parametrize("rows", [[], [0], [0, 1, 2], [4, 0, 1], [1], [3, 3]])
def test_documents_are_read_to_be_written_again(store: Store, rows: list[int]) -> None:
    documents, tokens = store.segments[0].read(np.array(rows, np.int64))
    all_documents, all_tokens = samples.batch()
    assert documents.ids == [all_documents.ids[row] for row in rows]
    assert documents.metadata == [all_documents.metadata[row] for row in rows]
    assert list(documents.texts) == [all_documents.texts[row] for row in rows]
    for given, read in (
        (all_tokens.ids, tokens.ids),
        (all_tokens.starts, tokens.starts),
        (all_tokens.ends, tokens.ends),
    ):
        pieces = [given[all_tokens.bounds[row] : all_tokens.bounds[row + 1]].tolist() for row in rows]
        assert np.split(read, tokens.bounds[1:])[-1].size == 0
        assert [part.tolist() for part in np.split(read, tokens.bounds[1:-1])] == (pieces or [[]])


@pytest.mark.parametrize("max_tokens", [1, 7, 10**6])
def test_batches_hold_the_living_documents_in_order(store: Store, max_tokens: int) -> None:
    segment = store.segments[0]
    batches = list(segment.batches(max_tokens))
    assert [one for documents, _ in batches for one in documents.ids] == ["doc 0", "doc 1", "doc 3", "doc 4"]
    assert sum(len(tokens.ids) for _, tokens in batches) == sum(np.diff(segment.token_bounds)[segment.alive])


def test_writing_the_batches_again_gives_the_same_columns(store: Store, tmp_path) -> None:
    copy = Store.create(tmp_path / "copy", samples.CONFIG)
    with copy.writer() as writer:
        segment = writer.new_segment()
        for documents, tokens in store.segments[1].batches(3):
            segment.append_documents(documents, tokens)
        writer.commit()
    old, new = (samples.segment_contents(each.segments[-1]) for each in (store, copy))
    for part in ("ids", "texts", "metadata", "tokens", "bounds", "offsets"):
        assert new[part] == old[part]


def test_a_segment_may_be_without_offsets_vocabulary_and_postings(path) -> None:
    store = Store.create(path, {})
    documents, tokens = samples.batch()
    bare = Tokens(tokens.ids, tokens.bounds)
    with store.writer() as writer:
        segment = writer.new_segment()
        segment.append_documents(documents, bare)
        with pytest.raises(ValueError, match="either all batches"):
            segment.append_documents(documents, tokens)
        segment.append_documents(documents, bare)
        writer.commit()
    segment = Store.open(path).segments[0]
    assert not segment.has_offsets
    assert (segment.num_functions, segment.num_postings, len(segment.vocabulary()[0])) == (0, 0, 0)
    assert segment.read(np.arange(10))[1].starts is None
    assert store.check().problems == []
    assert store.sizes()["offsets"] == 0
    with pytest.raises(ValueError, match="without offsets"):
        segment.offsets(0, 0, 1)


def test_a_batch_may_be_a_part_of_larger_arrays(path) -> None:
    tokens = samples.batch()[1]
    tail = Documents(["tail"], samples.batch(2, 1)[0].texts, [b"{}"])
    with (store := Store.create(path, {})).writer() as writer:
        writer.new_segment().append_documents(tail, tokens._replace(bounds=tokens.bounds[2:4]))
        writer.commit()
    wanted = samples.batch(2, 1)[1]
    assert store.segments[0].tokens.tolist() == wanted.ids.tolist()
    assert store.segments[0].token_offsets(0, len(wanted.ids))[1].tolist() == wanted.ends.tolist()


@pytest.mark.parametrize("row", [-1, 5])
def test_a_row_that_the_segment_has_not_is_refused(store: Store, row: int) -> None:
    segment = store.segments[0]
    for use in (segment.text, segment.metadata, segment.document_id, lambda row: segment.read(np.array([row]))):
        with pytest.raises(IndexError, match=str(row)):
            use(row)


def test_arrays_are_read_only_and_outlive_the_closed_segment(store: Store) -> None:
    segment = store.segments[0]
    arrays = [segment.tokens, segment.token_bounds, segment.alive]
    assert not any(array.flags.writeable for array in arrays)
    copies = [array.copy() for array in arrays]
    store.close()
    assert all(np.array_equal(array, copy) for array, copy in zip(arrays, copies, strict=True))
    uses = [
        Segment.document_ids,
        lambda one: one.text(0),
        lambda one: one.tokens,
        lambda one: one.directory(0),
        lambda one: one.postings(0, 1),
    ]
    for use in uses:
        with pytest.raises(ValueError, match="segment 000001 is closed"):
            use(segment)


def test_closing_one_generation_leaves_the_other_open(store: Store) -> None:
    old = store.segments[0]
    with store.writer() as writer:
        writer.remove({old.name: [0]})
        writer.commit()
    new = store.segments[0]
    old.close()
    assert new.tokens.size == new.num_tokens
    with pytest.raises(ValueError, match="is closed"):
        old.text(0)


def test_files_are_closed_with_the_last_reference(store: Store) -> None:
    folder = Path("/proc/self/fd")
    if not folder.is_dir():
        pytest.skip("this system does not list open files")
    gc.collect()
    before = len(os.listdir(folder))
    for _ in range(20):
        Store.open(store.path).close()
    gc.collect()
    assert len(os.listdir(folder)) <= before
