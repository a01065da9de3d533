"""Answers have the fields of the command line's lines and of the tables of ``ibidem reuse``, by the same names."""

from typing import Any

import msgspec
import pytest

from ibidem import Document, Match
from ibidem.reuse.find import find_reuse
from ibidem.web import answers
from ibidem.web.answers import ClusterInfo, MatchRecord, PairRecord, WitnessRecord

from .samples import REUSED

PLACES = [[0, 40, 1, "page"]]


def fields_of(answer: Any) -> set[str]:
    return {field.encode_name for field in msgspec.structs.fields(answer)}


def test_a_match_has_the_names_of_a_line_of_the_command() -> None:
    # A line has no context, and the command adds its place in the original.
    assert fields_of(MatchRecord) - {"before", "after", "locator"} <= fields_of(Match)
    assert fields_of(Match) - fields_of(MatchRecord) == {"starts", "ends"}


@pytest.mark.parametrize(
    ("record", "table", "added"),
    [
        (PairRecord, "pairs", {"a_text", "b_text", "reason"}),
        (PairRecord, "left_out", {"a_text", "b_text"}),
        (ClusterInfo, "clusters", {"text"}),
        (WitnessRecord, "passages", {"text", "index"}),
    ],
)
def test_findings_have_the_names_of_their_columns(record: Any, table: str, added: set[str]) -> None:
    located = [Document(each.id, each.text, {**each.metadata, "locators": PLACES}) for each in REUSED]
    columns = set(getattr(find_reuse(located, date="year", min_pair_length=8), table).column_names)
    assert fields_of(record) - added <= columns
    assert not added & columns


@pytest.mark.parametrize("name", [name for name, value in vars(answers).items() if hasattr(value, "__struct_fields__")])
def test_an_answer_is_read_back_as_it_was(name: str) -> None:
    """What the client of a typed language decodes is what was encoded, whether or not a field is null."""
    answer_type = getattr(answers, name)
    for absent in (True, False):
        made = msgspec.convert(sample_of(msgspec.inspect.type_info(answer_type), absent=absent), answer_type)
        assert msgspec.json.decode(msgspec.json.encode(made), type=answer_type) == made


def sample_of(kind: msgspec.inspect.Type, *, absent: bool) -> Any:
    """A value of a type; null wherever it may be, if ``absent``."""
    match kind:
        case msgspec.inspect.StructType():
            return {field.encode_name: sample_of(field.type, absent=absent) for field in kind.fields}
        case msgspec.inspect.UnionType():
            chosen = [each for each in kind.types if isinstance(each, msgspec.inspect.NoneType) == absent]
            return sample_of((chosen or kind.types)[0], absent=absent)
        case msgspec.inspect.ListType():
            return [sample_of(kind.item_type, absent=absent)] * 2
        case msgspec.inspect.DictType():
            return {"year": 1903}
        case msgspec.inspect.LiteralType():
            return kind.values[-1]
        case msgspec.inspect.StrType():
            return 'a "ü" \U0001f600'
        case msgspec.inspect.BoolType():
            return True
        case msgspec.inspect.IntType():
            return 1 << 40
        case msgspec.inspect.FloatType():
            return 0.1
    assert isinstance(kind, msgspec.inspect.NoneType), kind
    return None
