"""How the work is divided leaves no trace in the postings."""

import numpy as np

from ibidem import PassageIndex
from ibidem.passages import postings


def test_a_long_document_divided_by_functions_has_the_same_postings(tmp_path, monkeypatch):
    rng = np.random.default_rng(5)
    documents = [" ".join(f"w{number}" for number in rng.zipf(1.4, size) % 300) for size in (40, 3000, 0, 500, 20)]
    PassageIndex.build(tmp_path / "whole", documents, min_length=8, max_length=100).close()
    monkeypatch.setattr(postings, "BLOCK_TOKENS", 64)
    PassageIndex.build(tmp_path / "divided", documents, min_length=8, max_length=100).close()
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
