"""The digests of several parts are those of one, row by row, whatever has files of its own."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ibidem.engine.sorted_runs import HashRange

from ibidem.documents.candidates import hash_bands
from ibidem.documents.digests import Digests
from ibidem.documents.signatures import ShingleHash
from ibidem.engine import outputs

from .samples import DOCUMENTS, LENGTHS, RULES, digest

CUTS = [0, 5, 5, 9, 12]


@pytest.fixture(scope="module", params=[0, 1 << 20], ids=["in files", "in memory"])
def parts(request, tmp_path_factory):
    """Digests in one part, and in four of which one is empty."""
    folder = tmp_path_factory.mktemp("digests")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outputs, "_HELD_UP_TO", request.param)
        one = digest(folder / "one", [DOCUMENTS])
        several = digest(folder / "several", [DOCUMENTS[low:high] for low, high in pairwise(CUTS)])
    return Digests(one), Digests(several)


def test_documents_are_numbered_through_all_parts(parts):
    one, several = parts
    assert several.starts.tolist() == CUTS
    assert several.rows == one.rows == 12
    rows = np.arange(12)
    assert several.ids(rows) == one.ids(rows) == [document["id"] for document in DOCUMENTS]
    assert np.sum([part.present for part in several.parts], axis=0).tolist() == one.parts[0].present == [12]
    assert several.lengths().tolist() == one.lengths().tolist() == LENGTHS
    assert [part.counts for part in several.parts] == [[]] * 4


@pytest.mark.parametrize("name", ["contents", "names", "sizes"])
def test_a_short_column_of_all_parts_is_that_of_one(parts, name):
    one, several = parts
    assert np.array_equal(several.all_rows(name), one.column(0, name))


@given(rows=st.lists(st.integers(0, 11), max_size=15))
def test_gathered_rows_are_those_of_one_part(parts, rows):
    one, several = parts
    row_numbers = np.array(rows, np.int64)
    assert np.array_equal(several.gather("signatures", row_numbers), one.column(0, "signatures")[row_numbers])
    assert several.ids(row_numbers) == [DOCUMENTS[row]["id"] for row in rows]
    assert several.values(row_numbers) == [[row] for row in rows]
    assert several.lengths_of(row_numbers).tolist() == [LENGTHS[row] for row in rows]
    ascending = np.unique(row_numbers)
    made, expected = (each.make_shingle_sets(ascending, ShingleHash(3)) for each in (several, one))
    assert made.values.tolist() == expected.values.tolist()
    assert made.bounds.tolist() == expected.bounds.tolist()
    for row in rows:
        assert several.tokens(row).tolist() == one.tokens(row).tolist()
        assert len(one.tokens(row)) == LENGTHS[row]


@pytest.mark.parametrize("ranges", [1, 3])
def test_the_hashes_of_bands_are_read_range_by_range(parts, ranges):
    one, _several = parts
    hashes = hash_bands(one.column(0, "signatures"), RULES.banding)
    expected = sorted((value, row) for row, values in enumerate(hashes.tolist()) for value in values)
    for digests in parts:
        read = []
        for wanted in HashRange.cut(ranges):
            values, rows = digests.read_bands(wanted)
            assert all(wanted.low <= value < wanted.high for value in values.tolist())
            read += zip(values.tolist(), rows.tolist(), strict=True)
        assert sorted(read) == expected
