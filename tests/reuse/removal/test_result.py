"""The passages that go, as texts without them and as a table."""

from ibidem.reuse.removal.result import PassageDeduplication, Repeated

RESULT = PassageDeduplication(
    [Repeated("b", 4, 12, 2, "a", 0, 8, 1.0), Repeated("b", 20, 24, 1, "a", 9, 13, 0.9)], 2, 9
)


def test_a_text_is_cut_where_its_passages_go() -> None:
    assert RESULT.cuts() == {"b": [(4, 12), (20, 24)]}
    assert RESULT.edit("b", "one two and three on four") == "one three on r"
    assert RESULT.edit("a", "one two") == "one two"


def test_the_table_has_a_row_for_each_passage() -> None:
    assert RESULT.to_arrow().to_pylist() == [passage._asdict() for passage in RESULT.removed]
    assert PassageDeduplication([], 0, 0).to_arrow().num_rows == 0
    assert repr(RESULT) == "PassageDeduplication: 2 documents of 9 tokens, 2 passages of 3 tokens removed"
