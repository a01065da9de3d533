"""What is shown of the passages that a search of sketches found."""

import msgspec

from ibidem import SketchMatch, SketchMatches

MATCH = SketchMatch(
    query_name="letter", document="psalms", start=3, end=1012, estimate=0.25, similarity=None, text="still sea"
)


def test_the_similarity_is_shown_or_the_estimate_where_it_is_not_known():
    verified = msgspec.structs.replace(MATCH, similarity=0.5)
    assert repr(SketchMatches([MATCH, verified])) == (
        "SketchMatches: 2\n  0.250  psalms, 3 to 1,012: 'still sea'\n  0.500  psalms, 3 to 1,012: 'still sea'"
    )


def test_matches_are_a_table_and_hash_by_their_place():
    table = SketchMatches([MATCH]).to_arrow()
    assert table.column("estimate").to_pylist() == [0.25]
    assert table.column("similarity").to_pylist() == [None]
    assert hash(MATCH) == hash(msgspec.structs.replace(MATCH, metadata={"year": 1903}))
    assert MATCH.locator == ""
