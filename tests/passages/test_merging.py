"""Additions one by one do not leave one segment each."""

import errno

import pytest

from ibidem import PassageIndex
from ibidem.store import sizing


def test_many_small_additions_are_merged_tier_by_tier(tmp_path):
    texts = [
        f"number {number} has words of its own that no other text of these has: {number * 7919}" for number in range(40)
    ]
    with PassageIndex.build(tmp_path / "index", texts[:1], min_length=4) as index:
        for number, text in enumerate(texts[1:], start=1):
            index.add([(str(number), text)])
            assert index.info()["segments"] < 16
        assert len(index) == 40
        assert index.info()["segments"] < 10
        assert not index.check()
        (match,) = index.search("number 17 has words of its own that no other text of these has 134623", threshold=0.99)
        assert match.document == "17"


def test_an_addition_stands_also_if_merging_small_segments_fails(tmp_path, monkeypatch):
    texts = [f"number {number} has words that no other text has: {number * 7919}" for number in range(9)]
    with PassageIndex.build(tmp_path / "index", texts[:1], min_length=4) as index:
        for number, text in enumerate(texts[1:8], start=1):
            index.add([(str(number), text)])
        before = index.info()["segments"]

        def fail(*_):
            raise OSError(errno.ENOSPC, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(PassageIndex, "_rewrite", fail)
            patch.setattr(sizing, "crowded_segments", lambda segments, most: segments)
            with pytest.warns(UserWarning, match="were added, but merging .* failed.*do not add them again"):
                report = index.add([("8", texts[8])])
        assert report.documents == 1
        assert len(index) == 9
        assert index.info()["segments"] == before + 1
        assert not index.check()
