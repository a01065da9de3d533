"""The small values that searches return, and the tree of exceptions."""

import inspect
import pickle

import msgspec
import pytest

from ibidem import errors
from ibidem.spans import Alignment, Match, Passage

MATCH = Match(
    query_name="query",
    query_start=0,
    query_end=11,
    document="MS 12",
    start=30,
    end=42,
    similarity=0.75,
    estimate=0.8125,
    text="in loco eodem",
    metadata={"year": 1903},
)
ALIGNMENT = Alignment(a_start=0, a_end=5, b_start=7, b_end=12, similarity=1.0)

CLASSES = [getattr(errors, name) for name in errors.__all__]


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


def test_every_exception_is_exported_and_stands_in_the_tree() -> None:
    defined = {name for name, value in vars(errors).items() if inspect.isclass(value)}
    assert defined == set(errors.__all__)
    assert all(issubclass(each, errors.IbidemError) for each in CLASSES)
    assert errors.__doc__ is not None
    assert {word for word in errors.__doc__.split() if word in defined} == defined


def test_the_drawing_of_the_tree_is_the_tree() -> None:
    assert errors.__doc__ is not None
    drawing = errors.__doc__.split("::\n")[1]
    parents: list[str] = []
    for line in drawing.splitlines():
        name = next((word for word in line.split() if word in errors.__all__), None)
        if name is None:
            continue
        depth = (line.index(name) - 4) // 4
        parents[depth:] = [name]
        assert getattr(errors, name).__bases__[0].__name__ == (parents[depth - 1] if depth else "Exception")


def test_an_error_about_an_extra_gives_the_command_that_installs_it() -> None:
    error = errors.MissingExtraError("the bpe tokenizer", "bpe")
    assert str(error) == "the bpe tokenizer needs an optional dependency: pip install 'ibidem[bpe]'"
    assert isinstance(error, ImportError)


@pytest.mark.parametrize("error", [each for each in CLASSES if each is not errors.MissingExtraError])
def test_an_error_says_what_it_was_given(error: type[errors.IbidemError]) -> None:
    assert str(error("poems.jsonl, line 3: not JSON")) == "poems.jsonl, line 3: not JSON"
