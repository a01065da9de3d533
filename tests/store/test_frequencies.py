"""Document frequencies are read as they were written, or not at all."""

import numpy as np
import pytest

from ibidem.errors import DamagedError
from ibidem.store import Store
from ibidem.store.frequencies import read_frequencies
from ibidem.store.manifest import read_manifest

TOKENS, COUNTS = np.array([3, 5, 9], np.uint32), np.array([1, 2, 2], np.uint32)


@pytest.fixture
def index(tmp_path):
    with Store.create(tmp_path / "index", {}) as store, store.writer() as writer:
        writer.put_frequencies(TOKENS, COUNTS, 2)
        writer.commit()
    return tmp_path / "index"


def test_frequencies_are_those_that_were_put(index):
    tokens, counts, documents = read_frequencies(index, read_manifest(index))
    assert (tokens.tolist(), counts.tolist(), documents) == (TOKENS.tolist(), COUNTS.tolist(), 2)


def test_an_index_may_have_none(tmp_path):
    Store.create(tmp_path / "index", {}).close()
    assert read_frequencies(tmp_path / "index", read_manifest(tmp_path / "index")) is None


@pytest.mark.parametrize("name", ["tokens", "counts"])
def test_a_column_that_is_not_what_was_written_is_an_error_that_names_it(index, name):
    file = index / "frequencies" / f"{name}.npy"
    file.write_bytes(file.read_bytes()[:-1] + b"\xff")
    with pytest.raises(DamagedError, match=f"{name}.npy"):
        read_frequencies(index, read_manifest(index))
