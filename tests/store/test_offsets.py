import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.store import offsets
from ibidem.store.format import ESCAPE, MARK_EVERY
from ibidem.store.offsets import TokenOffsets, are_in_texts, decode, encode, lookup

# Steps and lengths on both sides of what fits in a byte.
gaps = st.one_of(st.integers(0, 9), st.integers(ESCAPE - 2, ESCAPE + 2), st.integers(0, 2**20))
texts = st.lists(st.tuples(gaps, gaps), max_size=2 * MARK_EVERY + 3)
batches = st.lists(st.lists(texts, max_size=4), max_size=3)

Tokens = list[tuple[int, int]]


def ranges(text: Tokens) -> Tokens:
    """Starts and ends of tokens given by their steps and lengths."""
    starts = np.cumsum([step for step, _ in text]).tolist()
    return [(start, start + length) for start, (_, length) in zip(starts, text, strict=True)]


def encoded(batches: list[list[Tokens]]) -> TokenOffsets:
    columns, first = [], 0
    for batch in batches:
        tokens = np.array([token for text in batch for token in text], np.uint32).reshape(-1, 2)
        bounds = np.cumsum([0, *(len(text) for text in batch)])
        columns.append(encode(tokens[:, 0], tokens[:, 1], bounds, first))
        first += len(tokens)
    return TokenOffsets(*(np.concatenate(column) for column in zip(*columns, strict=True)))


@given(batches.filter(bool), st.data())
def test_offsets_are_those_of_a_plain_list(steps: list[list[Tokens]], data: st.DataObject) -> None:
    lists = [[ranges(text) for text in batch] for batch in steps]
    plain = [token for batch in lists for text in batch for token in text]
    offsets = encoded(lists)
    assert [lookup(offsets, position) for position in range(len(plain))] == plain
    first = data.draw(st.integers(0, len(plain)))
    last = data.draw(st.integers(first, len(plain)))
    starts, ends = decode(offsets, first, last)
    assert list(zip(starts.tolist(), ends.tolist(), strict=True)) == plain[first:last]


@given(batches.filter(bool))
def test_the_columns_are_those_of_the_format(steps: list[list[Tokens]]) -> None:
    columns: list[list[int]] = [[], [], [], [], []]
    for text in [ranges(text) for batch in steps for text in batch]:
        before = None
        for start, end in text:
            step, position = ESCAPE if before is None else start - before, len(columns[0])
            columns[0].append(min(step, ESCAPE))
            columns[1].append(min(end - start, ESCAPE))
            if step >= ESCAPE or end - start >= ESCAPE or position % MARK_EVERY == 0:
                for column, value in zip(columns[2:], (position, start, end - start), strict=True):
                    column.append(value)
            before = start
    offsets = encoded([[ranges(text) for text in batch] for batch in steps])
    assert [column.tolist() for column in offsets] == columns


@given(batches.filter(bool), st.integers(1, 5))
def test_offsets_do_not_depend_on_the_pieces_in_which_they_are_encoded(steps: list[list[Tokens]], piece: int) -> None:
    lists = [[ranges(text) for text in batch] for batch in steps]
    whole = encoded(lists)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ibidem.store.offsets._PIECE", piece)
        for column, expected in zip(encoded(lists), whole, strict=True):
            assert column.dtype == expected.dtype
            assert column.tolist() == expected.tolist()


def test_a_token_takes_two_bytes_and_a_lookup_adds_fewer_steps_than_marks_are_apart() -> None:
    starts = np.arange(0, 6000, 6, dtype=np.uint32)
    offsets = encode(starts, starts + np.uint32(5), np.array([0, 1000]))
    assert offsets.steps.dtype == offsets.lengths.dtype == np.uint8
    assert offsets.mark_positions.tolist() == list(range(0, 1000, MARK_EVERY))


def test_offsets_reach_the_end_of_uint32() -> None:
    starts = np.array([0, 2**32 - 2], np.uint32)
    offsets = encode(starts, np.array([2**32 - 1, 2**32 - 1], np.uint32), np.array([0, 2]))
    assert [lookup(offsets, 0), lookup(offsets, 1)] == [(0, 2**32 - 1), (2**32 - 2, 2**32 - 1)]


@pytest.mark.parametrize(
    ("starts", "ends", "message"),
    [
        ([0, 5, 4], [1, 6, 9], "token 1 of document 1 of the batch starts before the token before it"),
        ([0, 5, 6], [1, 4, 9], "token 0 of document 1 of the batch ends before it starts"),
    ],
)
def test_offsets_that_fall_are_refused(starts: list[int], ends: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        encode(np.array(starts, np.uint32), np.array(ends, np.uint32), np.array([0, 1, 3]))


@given(st.lists(texts, max_size=6), st.integers(1, 9))
def test_the_columns_do_not_depend_on_the_pieces_that_are_encoded_at_a_time(batch: list[Tokens], size: int) -> None:
    tokens = np.array([token for text in batch for token in ranges(text)], np.uint32).reshape(-1, 2)
    bounds = np.cumsum([0, *map(len, batch)])
    whole = encode(tokens[:, 0], tokens[:, 1], bounds, 5)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(offsets, "_PIECE", size)
        by_pieces = encode(tokens[:, 0], tokens[:, 1], bounds, 5)
    assert all(map(np.array_equal, whole, by_pieces))


@given(
    st.lists(
        st.tuples(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=5), st.integers(0, 3)), max_size=4
    )
)
def test_order_and_ends_are_asked_of_each_document_by_itself(given: list[tuple[Tokens, int]]) -> None:
    documents, sizes = [tokens for tokens, _ in given], np.array([size for _, size in given], np.int64)
    starts, ends = np.array([pair for each in documents for pair in each], np.uint32).reshape(-1, 2).T
    bounds = np.cumsum([0, *map(len, documents)])
    expected = all(
        start <= end <= size and (place == 0 or document[place - 1][0] <= start)
        for document, size in given
        for place, (start, end) in enumerate(document)
    )
    assert are_in_texts(starts, ends, bounds, sizes) == expected
