"""The small values that searches return."""

import pickle

import msgspec
import pytest

from ibidem.spans import Alignment, Match, Passage

MATCH = Match(
    query_name="query",
    query_start=0,
    query_end=11,
    document="MS 12",
    start=30,
    end=42,
    similarity=0.75,
    text="in loco eodem",
    metadata={"year": 1903},
)
ALIGNMENT = Alignment(a_start=0, a_end=5, b_start=7, b_end=12, similarity=1.0)


def test_a_match_knows_its_passage() -> None:
    assert MATCH.passage == Passage("MS 12", 30, 42)


@pytest.mark.parametrize("value", [MATCH, ALIGNMENT, MATCH.passage], ids=lambda value: type(value).__name__)
def test_a_value_survives_json_and_pickle(value: msgspec.Struct) -> None:
    assert msgspec.json.decode(msgspec.json.encode(value), type=type(value)) == value
    assert pickle.loads(pickle.dumps(value)) == value


@pytest.mark.parametrize("value", [MATCH, ALIGNMENT, MATCH.passage], ids=lambda value: type(value).__name__)
def test_a_value_cannot_be_changed(value: msgspec.Struct) -> None:
    for field in value.__struct_fields__:
        with pytest.raises(AttributeError):
            setattr(value, field, None)


def test_two_matches_do_not_share_their_metadata() -> None:
    fields = msgspec.structs.asdict(MATCH)
    del fields["metadata"]
    one, other = Match(**fields), Match(**fields)
    assert one.metadata == {}
    assert one.metadata is not other.metadata


def test_a_match_can_stand_in_a_set() -> None:
    assert len({MATCH, MATCH}) == 1
