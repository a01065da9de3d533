"""What the result of a deduplication says of itself, and gives as a table."""

import ibidem

VERSE = "tyger tyger burning bright in the forests of the night what immortal hand or eye"


def test_a_result_prints_what_it_kept_and_removed() -> None:
    assert repr(ibidem.deduplicate([VERSE] * 1000 + ["Oh, " + VERSE])) == (
        "Deduplication: 1,001 documents, 1 kept, 1,000 removed (999 exact duplicates, 1 near-duplicate), clusters: 1"
    )


def test_a_table_has_a_row_for_each_document_and_names_others_by_their_ids() -> None:
    found = ibidem.deduplicate([("a", VERSE), ("b", VERSE), ("c", "little lamb who made thee")])
    assert len(found) == 3
    assert found.removed == ["b"]
    assert found.to_arrow().to_pylist()[1] == {
        "id": "b",
        "kept": False,
        "duplicate_of": "a",
        "similarity": 1.0,
        "exact": True,
        "cluster": "a",
        "weakest": 1.0,
    }
