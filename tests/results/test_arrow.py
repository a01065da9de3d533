"""Results as Arrow tables: a column for each attribute, for whatever speaks Arrow."""

from typing import Literal

import msgspec
import pandas
import polars
import pyarrow

from ibidem.results import Alignments, DocumentMatches, Matches
from ibidem.results.arrow import make_table
from ibidem.spans import Match

from .test_sequence import MATCHES, match


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


class Row(msgspec.Struct):
    whole: int
    share: float | None
    sure: bool
    kind: Literal["similar", "summary"]
    more: dict[str, int] | None = None
    place: tuple[int, int] | None = None


def test_columns_have_the_types_of_the_attributes_and_say_which_may_be_empty() -> None:
    table = make_table(Row, [Row(3, None, True, "summary"), Row(4, 0.5, False, "similar", {"é": 1}, (2, 9))])
    fields = {field.name: (str(field.type), field.nullable) for field in table.schema}
    assert fields == {
        "whole": ("int64", False),
        "share": ("double", True),
        "sure": ("bool", False),
        "kind": ("string", False),
        "more": ("string", True),
        "place": ("fixed_size_list<item: int64>[2]", True),
    }
    assert table.to_pylist()[0] == {
        "whole": 3,
        "share": None,
        "sure": True,
        "kind": "summary",
        "more": None,
        "place": None,
    }
    assert table.to_pylist()[1]["more"] == '{"é":1}'
    assert table.to_pylist()[1]["place"] == [2, 9]


def test_no_rows_have_the_same_columns() -> None:
    assert make_table(Row, []).schema == make_table(Row, [Row(1, None, True, "similar")]).schema
