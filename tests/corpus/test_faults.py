"""The one line in which every fault of an input is told."""

from ibidem.corpus.faults import fault, missing_column, system_cause


def test_a_fault_says_where_before_it_says_what() -> None:
    error = fault("poems.csv", "no\n  good", line=3, column="text")
    assert str(error) == "poems.csv, line 3, column 'text': no good"


def test_a_missing_column_lists_at_most_twenty_that_there_are() -> None:
    message = str(missing_column("poems.csv", "text", "verse", [f"c{number}" for number in range(25)]))
    assert "'c19' and 5 more" in message
    assert "'c20'" not in message
    assert "columns: none" in str(missing_column("poems.csv", "text", "verse", []))


def test_an_error_without_words_of_the_system_says_its_class() -> None:
    assert system_cause(FileNotFoundError(2, "No such file")) == "No such file"
    assert system_cause(OSError("not a gzip file")) == "OSError: not a gzip file"
