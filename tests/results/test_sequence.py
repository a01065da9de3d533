"""What every result is: a sequence that indexes like a list, and a table for whatever speaks Arrow."""

import pickle

import pandas
import polars
import pyarrow
import pytest

from ibidem.results import Alignments, DocumentMatch, DocumentMatches, Matches
from ibidem.spans import Alignment, Match


def match(number: int, **changes: object) -> Match:
    fields = {
        "query_name": "letter",
        "query_start": 0,
        "query_end": 9,
        "document": f"d{number}",
        "start": number,
        "end": number + 10,
        "similarity": 0.5,
        "text": "still, sea",
        "metadata": {"year": 1900 + number},
    }
    return Match(**(fields | changes))


MATCHES = Matches([match(number) for number in range(12)], query="still sea")


def test_it_indexes_like_a_list() -> None:
    values = [match(number) for number in range(12)]
    assert len(MATCHES) == 12
    assert (MATCHES[0], MATCHES[-1]) == (values[0], values[-1])
    assert list(reversed(MATCHES)) == values[::-1]
    assert values[3] in MATCHES
    assert (MATCHES.index(values[3]), MATCHES.count(values[3])) == (3, 1)
    with pytest.raises(IndexError):
        MATCHES[12]
    with pytest.raises(ValueError):
        MATCHES.index(match(99))


def test_a_slice_is_of_the_same_type_and_keeps_the_texts() -> None:
    some = MATCHES[2:4]
    assert isinstance(some, Matches)
    assert some.query == "still sea"
    assert some == [match(2), match(3)]
    pair = Alignment(a_start=0, a_end=1, b_start=0, b_end=1, similarity=1.0)
    assert Alignments([pair, pair], a="x", b="y")[1:].passages(0) == ("x", "y")


def test_it_equals_what_has_the_same_values() -> None:
    assert Matches([match(1)]) == Matches([match(1)], query="other") == [match(1)]
    assert Matches() == []
    assert Matches([match(1)]) != [match(2)]
    assert Matches() != "[]"
    assert not Matches()


def test_it_prints_ten_rows_and_says_how_many_more_there_are() -> None:
    lines = repr(MATCHES).splitlines()
    assert lines[:2] == ["Matches: 12", "  0.500  d0, 0 to 10: 'still, sea'"]
    assert len(lines) == 12
    assert lines[-1] == "  ... and 2 more"
    assert repr(Matches()) == "Matches: 0"
    assert (
        repr(DocumentMatches([DocumentMatch(document="a", similarity=0.75, containment=1)]))
        == "DocumentMatches: 1\n  0.750  a"
    )


def test_it_gives_dictionaries_by_the_names_of_the_attributes() -> None:
    (first, *_) = MATCHES.to_dicts()
    assert first["query_name"] == "letter"
    assert first["metadata"] == {"year": 1900}
    assert list(first) == list(Match.__struct_fields__)


def test_it_survives_pickling() -> None:
    again = pickle.loads(pickle.dumps(MATCHES))
    assert again == MATCHES
    assert again.query == "still sea"


def test_it_is_an_arrow_table_to_pyarrow_polars_and_pandas() -> None:
    table = pyarrow.table(MATCHES)
    assert table.column_names == list(Match.__struct_fields__)
    assert table == MATCHES.to_arrow()
    assert table.column("start").to_pylist() == list(range(12))
    assert table.column("metadata").to_pylist()[0] == '{"year":1900}'
    assert polars.DataFrame(MATCHES).select("document").to_series().to_list()[11] == "d11"
    assert pandas.DataFrame.from_arrow(MATCHES)["similarity"].tolist() == [0.5] * 12


def test_an_empty_result_has_the_same_columns() -> None:
    assert Matches().to_arrow().schema == MATCHES.to_arrow().schema
    assert pyarrow.table(Alignments()).column_names[:4] == ["a_start", "a_end", "b_start", "b_end"]
    assert pyarrow.table(DocumentMatches()).column_names == ["document", "similarity", "containment", "metadata"]


def test_ranges_and_what_has_no_utf_8_have_a_place_in_the_table() -> None:
    table = Matches([match(1, starts=(1, 2), ends=(8, 9), text="a\ud800b")]).to_arrow()
    assert table.column("starts").to_pylist() == [[1, 2]]
    assert table.column("text").to_pylist() == ["a\N{REPLACEMENT CHARACTER}b"]
