"""What a sweep finds is divided into passages of allowed lengths, and is of documents that were not removed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem import SketchIndex
from ibidem.sketches.index.alignments import _divide_at_lengths, find_alignments, find_maximal_passages


@st.composite
def rectangles(draw):
    """First and last start, first and last end."""
    low, high = draw(st.integers(0, 20)), draw(st.integers(0, 6))
    begin, width = draw(st.integers(0, 12)), draw(st.integers(0, 10))
    return low, low + high, low + high + begin, low + high + begin + width


@given(found=st.lists(rectangles(), max_size=5), least=st.integers(1, 6), more=st.integers(0, 12))
def test_what_is_divided_holds_each_passage_of_an_allowed_length_once(found, least, more):
    lengths = least, least + more
    # As a sweep cuts them: from each start some end gives an allowed length.
    found = [(s, t, max(low, s + lengths[0] - 1), min(high, t + lengths[1] - 1)) for s, t, low, high in found]
    found = [each for each in found if all(fits(start, each, lengths) for start in range(each[0], each[1] + 1))]
    divided = _divide_at_lengths(np.array(found, np.int64).reshape(-1, 4), lengths)
    expected = [
        (start, end)
        for s, t, low, high in found
        for start in range(s, t + 1)
        for end in range(low, high + 1)
        if lengths[0] <= end - start + 1 <= lengths[1]
    ]
    given_back = [
        (start, end)
        for s, t, low, high in divided.tolist()
        for start in range(s, t + 1)
        for end in range(low, high + 1)
    ]
    assert sorted(given_back) == sorted(expected)


def fits(start, rectangle, lengths):
    """Whether a passage of an allowed length begins there."""
    low, high = rectangle[2:]
    return max(low, start + lengths[0] - 1) <= min(high, start + lengths[1] - 1)


@pytest.mark.parametrize("find", [find_alignments, find_maximal_passages])
def test_passages_are_of_living_documents(tmp_path, find):
    random = np.random.default_rng(6)
    texts = [" ".join(f"w{number}" for number in random.integers(0, 5, size)) for size in (30, 1, 40, 25)]
    with SketchIndex.build(tmp_path / "i", texts, min_length=2, num_hashes=4) as index:
        index.remove(["2"])
        (segment,) = index.segments
        query = index._scheme.sketch_query(np.asarray(segment.tokens[3:9]), 0.5)
        alignments = find(segment, query, (1, 12))
        assert {0, 3} <= set(segment.document_of(alignments[:, 0]).tolist()) <= {0, 1, 3}
