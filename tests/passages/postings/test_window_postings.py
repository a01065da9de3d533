"""How the work is divided leaves no trace in the postings."""

import numpy as np

from ibidem import PassageIndex
from ibidem.passages.postings import window_postings
from ibidem.store.format import SHARED, STAIRCASE


def test_windows_of_one_key_are_a_staircase_and_are_packed_as_one(tmp_path):
    rng = np.random.default_rng(5)
    documents = [" ".join(f"w{number}" for number in rng.zipf(1.4, size) % 300) for size in (4000, 0, 900, 20)]
    for family in ("set", "multiset", "weighted"):
        with PassageIndex.build(
            tmp_path / family, documents, family=family, min_length=8, max_length=100, num_hashes=16
        ) as index:
            (segment,) = index._store.segments
            blocks = segment._blocks("posting")
            kinds = blocks.packed[blocks.bytes[:-1]].tolist()
            assert set(kinds) == {SHARED, STAIRCASE}


def test_a_long_document_divided_by_functions_has_the_same_postings(tmp_path, monkeypatch):
    rng = np.random.default_rng(5)
    documents = [" ".join(f"w{number}" for number in rng.zipf(1.4, size) % 300) for size in (40, 3000, 0, 500, 20)]
    PassageIndex.build(tmp_path / "whole", documents, min_length=8, max_length=100, num_hashes=16).close()
    monkeypatch.setattr(window_postings, "BLOCK_TOKENS", 64)
    PassageIndex.build(tmp_path / "divided", documents, min_length=8, max_length=100, num_hashes=16).close()
    whole, divided = (
        {
            path.relative_to(tmp_path / name): path.read_bytes()
            for path in (tmp_path / name).rglob("*")
            if path.is_file()
        }
        for name in ("whole", "divided")
    )
    assert whole == divided
    assert any(path.name == "packed_postings.npy" and len(data) > 1000 for path, data in whole.items())
