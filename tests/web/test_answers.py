"""An answer is read back as it was written."""

from typing import Any

import msgspec
import pytest

from ibidem.web import answers


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
        case msgspec.inspect.TupleType():
            return [sample_of(each, absent=absent) for each in kind.item_types]
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
