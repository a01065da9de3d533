"""The digests of several parts are those of one, row by row, and so are those of several blocks."""

from itertools import pairwise

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.documents.candidates import hash_bands
from ibidem.documents.digests import Digests
from ibidem.documents.index import Nearest
from ibidem.engine.hash_ranges import HashRange
from ibidem.text import Document, Documents

from .samples import DOCUMENTS, LENGTHS, RULES, digest

CUTS = [0, 5, 5, 9, 12]


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """Digests in one part, and in four of which one is empty and the last has blocks of a document."""
    folder = tmp_path_factory.mktemp("digests")
    several = [DOCUMENTS[low:high] for low, high in pairwise(CUTS)]
    several[-1] = [Documents.of([Document(**each)]) for each in name_metadata(several[-1])]
    return Digests(digest(folder / "one", [DOCUMENTS])), Digests(digest(folder / "several", several))


def name_metadata(documents):
    return [{"id": each["id"], "text": each["text"], "metadata": {"year": each["year"]}} for each in documents]


def test_documents_are_numbered_through_all_parts(parts):
    one, several = parts
    assert several.part_starts.tolist() == CUTS
    assert several.rows == one.rows == 12
    rows = np.arange(12)
    assert several.ids(rows) == one.ids(rows) == [document["id"] for document in DOCUMENTS]
    assert np.sum([part.present for part in several.facts], axis=0).tolist() == one.facts[0].present == [12]
    assert several.lengths().tolist() == one.lengths().tolist() == LENGTHS
    assert [part.counts for part in several.facts] == [[]] * 4


def test_hashes_of_all_parts_are_those_of_one(parts):
    one, several = parts
    assert several.contents().tolist() == one.contents().tolist()
    assert several.names().tolist() == one.names().tolist()


def test_documents_that_resemble_one_of_an_index_are_marked(tmp_path):
    folders = digest(tmp_path, [DOCUMENTS[:2], DOCUMENTS[2:3], DOCUMENTS[3:5]])
    known = {0: Nearest("x", 1.0, exact=True)}
    for part in (0, 2):
        (folders[part] / "known.json").write_bytes(msgspec.json.encode(list(known.items())))
    digests = Digests(folders)
    assert [digests.read_known(part) for part in range(3)] == [known, {}, known]
    assert digests.find_known().tolist() == [True, False, False, True, False]


@given(rows=st.lists(st.integers(0, 11), max_size=15))
def test_gathered_rows_are_those_of_one_part(parts, rows):
    one, several = parts
    row_numbers = np.array(rows, np.int64)
    for name in ("contents", "sizes"):
        assert several.gather(name, row_numbers).tolist() == one.gather(name, row_numbers).tolist()
    assert one.gather("contents", row_numbers).tolist() == one.contents()[row_numbers].tolist()
    signatures = one.gather_signatures(np.arange(12), 16)[row_numbers]
    assert several.gather_signatures(row_numbers, 16).tolist() == signatures.tolist()
    assert several.ids(row_numbers) == [DOCUMENTS[row]["id"] for row in rows]
    assert several.values(row_numbers) == [[row] for row in rows]
    assert several.lengths_of(row_numbers).tolist() == [LENGTHS[row] for row in rows]
    ascending = np.unique(row_numbers)
    made, expected = (each.make_shingle_sets(ascending, 3) for each in (several, one))
    assert made.values.tolist() == expected.values.tolist()
    assert made.bounds.tolist() == expected.bounds.tolist()
    for row in rows:
        assert several.tokens(row).tolist() == one.tokens(row).tolist()
        assert len(one.tokens(row)) == LENGTHS[row]


@pytest.mark.parametrize("ranges", [1, 3])
def test_the_hashes_of_bands_are_read_range_by_range(parts, ranges):
    one, _several = parts
    hashes = hash_bands(one.gather_signatures(np.arange(12), 16), RULES.banding)
    expected = sorted((value, row) for row, values in enumerate(hashes.tolist()) for value in values)
    for digests in parts:
        read = []
        for wanted in HashRange().cut(ranges):
            values, rows = digests.read_bands(wanted)
            assert all(wanted.low <= value < wanted.high for value in values.tolist())
            read += zip(values.tolist(), rows.tolist(), strict=True)
        assert sorted(read) == expected
