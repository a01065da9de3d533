"""Additions one by one do not leave one segment each."""

from ibidem import PassageIndex


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
