"""The digests of several parts are those of one spool, row by row."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.documents.choices import Choices
from ibidem.documents.digests import Digests
from ibidem.documents.job.reading import ReadDocuments, make_digests, make_spool, open_read, save_read
from ibidem.errors import CorpusError
from ibidem.resources import Resources
from ibidem.text import as_batches

CHOICES = Choices(num_hashes=16, keep="max(year)")

LENGTHS = [2 * (number % 7) for number in range(12)]

DOCUMENTS = [
    {
        "id": f"né-{number}",
        "text": " ".join(f"w{word}" for word in range(number % 3, number % 3 + LENGTHS[number])),
        "year": number,
    }
    for number in range(12)
]


def write_spool(folder, documents):
    folder.mkdir(parents=True)
    spool = make_spool(folder, CHOICES)
    for digest in make_digests(as_batches(documents), CHOICES, Resources.of("64M", 1, None)):
        spool.append(digest)
    save_read(ReadDocuments(spool, dict), folder)
    return folder


def open_spools(folders):
    return Digests([open_read(folder).digests for folder in folders])


@pytest.fixture(scope="module")
def spools(tmp_path_factory):
    """Digests in one part, and in four of which one is empty."""
    folder = tmp_path_factory.mktemp("spools")
    one = open_spools([write_spool(folder / "one", DOCUMENTS)])
    cuts = [0, 5, 5, 9, 12]
    parts = [DOCUMENTS[low:high] for low, high in pairwise(cuts)]
    several = open_spools([write_spool(folder / str(number), part) for number, part in enumerate(parts)])
    return one, several


def test_documents_are_numbered_through_all_parts(spools):
    one, several = spools
    assert several.starts.tolist() == [0, 5, 5, 9, 12]
    assert several.rows == one.rows == 12
    assert several.ids() == one.ids() == [document["id"] for document in DOCUMENTS]
    assert np.array_equal(several.present, one.present)
    assert several.lengths().tolist() == one.lengths().tolist() == LENGTHS


@pytest.mark.parametrize("name", ["contents", "names", "sizes", "tokens_bounds", "ids_bounds", "values_bounds"])
def test_a_short_column_of_all_parts_is_that_of_one(spools, name):
    one, several = spools
    assert np.array_equal(several.column(name), one.column(name))


@given(rows=st.lists(st.integers(0, 11), max_size=15))
def test_gathered_rows_are_those_of_one_spool(spools, rows):
    one, several = spools
    row_numbers = np.array(rows, np.int64)
    for name in ("signatures", "bands"):
        assert np.array_equal(several.gather(name, row_numbers), one.column(name)[row_numbers])
    assert several.ids(row_numbers) == [DOCUMENTS[row]["id"] for row in rows]
    assert several.values(row_numbers) == [[row] for row in rows]
    ascending = np.unique(row_numbers)
    gathered = several.gather_tokens(ascending)
    tokens, bounds = one.column("tokens"), one.column("tokens_bounds")
    for place, row in enumerate(ascending.tolist()):
        expected = tokens[bounds[row] : bounds[row + 1]]
        assert gathered.ids[gathered.bounds[place] : gathered.bounds[place + 1]].tolist() == expected.tolist()


def test_two_documents_of_one_id_are_named(tmp_path):
    parts = [DOCUMENTS[:3], [*DOCUMENTS[3:5], DOCUMENTS[1]]]
    digests = open_spools([write_spool(tmp_path / str(number), part) for number, part in enumerate(parts)])
    with pytest.raises(CorpusError, match="document id 'né-1' occurs twice: documents 2 and 6"):
        digests.require_distinct_ids()
