"""Shares of a report: rows of the table of pairs of documents, as the page has them."""

from ibidem import find_reuse
from ibidem.web.report.shares import SharedDocuments, describe_shares

VERSE = "the curfew tolls the knell of parting day the lowing herd wind slowly over the lea"


def test_a_row_of_the_table_becomes_numbers_of_the_page() -> None:
    [row] = find_reuse([("gray", VERSE), ("letter", f"he said {VERSE}")]).document_pairs.to_pylist()
    shared = SharedDocuments.of_row(row)
    described = describe_shares(shared, ["letter", "gray"].index)
    assert described == {
        "a": 1,
        "b": 0,
        "passages": 1,
        "counts": [[16, 16, 0, 1.0, 1.0], [18, 16, 0, 16 / 18, 16 / 18]],
    }
