import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.store.compact.offsets import _decode_block, encode_block

byte_rows = st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=1, max_size=50)


@given(rows=byte_rows)
def test_a_block_of_offsets_is_decoded_as_it_was(rows):
    steps, lengths, typical = np.array(rows, np.uint8).T
    block = encode_block(steps, lengths, typical)
    found = _decode_block(block, typical)
    assert [column.tolist() for column in found] == [steps.tolist(), lengths.tolist()]


def test_words_of_their_usual_lengths_behind_one_blank_are_the_same_numbers() -> None:
    lengths = np.array([3, 5, 2, 7], np.uint8)
    steps = np.array([255, 4, 6, 3], np.uint8)
    assert encode_block(steps, lengths, lengths).tolist() == [255, 1, 1, 1, 0, 0, 0, 0]
