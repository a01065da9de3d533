import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem import Match
from ibidem.corpus import read
from ibidem.locators import Places, describe_place, without_locators
from ibidem.text.json_values import decode_json
from tests.corpus.readers import samples

ROWS = [
    [0, 90, "Morning", "section"],
    [40, 90, "Noon", "section"],
    [0, 40, "12r", "folio"],
    [40, 90, "12v", "folio", "#f2"],
    [0, 20, 1, "line"],
    [20, 40, 2, "line"],
    [0, 90, "p1", "id"],
]


@pytest.mark.parametrize(
    ("start", "end", "place"),
    [
        (0, 20, "section Morning, folio 12r, line 1"),
        (5, 21, "section Morning, folio 12r, lines 1 to 2"),
        (50, 60, "section Noon, folio 12v"),
        (39, 41, "sections Morning to Noon"),
        (90, 95, ""),
    ],
)
def test_a_place_is_described_from_coarse_to_fine(start, end, place):
    assert describe_place({"locators": ROWS}, start, end) == place


@pytest.mark.parametrize(
    ("locators", "place"),
    [([[0, 9, "Ps 1"], [9, 20, "Ps 2"]], "Ps 1 to Ps 2"), ("a text", ""), ([["x"], 3, [0, 9, ""]], ""), (None, "")],
)
def test_columns_of_ones_own_are_read_as_far_as_they_are_places(locators, place):
    assert describe_place({"locators": locators}, 5, 12) == place


def test_only_places_are_left_out_of_metadata():
    assert without_locators({"locators": ROWS, "year": 1}) == {"year": 1}
    assert without_locators({"locators": "a text"}) == {"locators": "a text"}


@pytest.mark.parametrize(
    ("name", "make", "library", "place"),
    [("a.pdf", samples.pdf, "pypdf", "page 2"), ("a.xml", samples.alto, "lxml", "page 8, line 2")],
)
def test_a_match_says_where_it_is_in_a_file(tmp_path, name, make, library, place):
    pytest.importorskip(library)
    (tmp_path / name).write_bytes(make())
    (batch,) = read(tmp_path / name)
    text = batch.texts[0]
    start = text.index("stayed shut")
    match = Match(
        query_name="q", query_start=0, query_end=1, document="d", start=start, end=start + 11, similarity=1.0,
        text=text[start : start + 11], metadata=decode_json(batch.metadata[0]),
    )  # fmt: skip
    assert match.locator == place


@pytest.mark.parametrize(
    ("place", "found"),
    [
        ("folio 12r", (0, 40)),
        ("folio 12r, line 2", (20, 40)),
        ("lines 1 to 2", (0, 40)),
        ("folios 12r to 12v", (0, 90)),
        ("section Noon", (40, 90)),
        ("folio 12v, line 2", None),
        ("folio", None),
    ],
)
def test_a_place_is_found_by_its_description(place, found):
    places = Places({"locators": ROWS})
    if found is None:
        with pytest.raises(ValueError, match="no '"):
            places.find(place)
    else:
        assert places.find(place) == found


def test_a_place_that_stands_twice_is_not_chosen():
    places = Places({"locators": [*ROWS, [40, 60, 1, "line"], [0, 40, "Ps 1"]]})
    with pytest.raises(ValueError, match="'line 1' occurs 2 times"):
        places.find("line 1")
    assert places.find("folio 12v, line 1") == (40, 60)
    assert places.find("Ps 1") == (0, 40)


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9)), max_size=12), st.integers(0, 30), st.integers(1, 9))
def test_the_places_that_a_passage_meets_are_those_that_share_a_code_point(ranges, start, length):
    rows = [[at, at + size, str(number), "", f"#{number}"] for number, (at, size) in enumerate(ranges)]
    places = Places({"locators": rows})
    meeting = {row[4] for row in rows if row[0] < start + length and start < row[1]}
    pointers = places.pointers(start, start + length)
    assert set(pointers) <= meeting
    assert bool(pointers) == bool(meeting)
    assert bool(places.describe(start, start + length)) == bool(meeting)
