"""What every result is: a sequence that indexes like a list, and a table for whatever speaks Arrow."""

import pickle

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
