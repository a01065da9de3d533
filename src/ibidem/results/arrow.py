"""An Arrow table of small frozen values: a column for each attribute, of the type that its annotation says."""

from collections.abc import Sequence
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from ibidem.text.json_values import encode_json, replace_surrogates

if TYPE_CHECKING:
    import pyarrow


def make_table(value_type: type[msgspec.Struct], values: Sequence[msgspec.Struct]) -> "pyarrow.Table":
    """The attributes of ``values``, all of the same type, by column.

    Whole numbers, floats and strings keep their type; a range becomes a list of two numbers, and a dictionary JSON
    text. A lone surrogate, which Arrow has no UTF-8 for, becomes a question mark.
    """
    import pyarrow

    columns, fields = [], []
    hints = get_type_hints(value_type)
    for name in value_type.__struct_fields__:
        kind = _arrow_type(hints[name])
        cells = [_cell(getattr(value, name)) for value in values]
        columns.append(pyarrow.array(cells, kind))
        fields.append(pyarrow.field(name, kind, nullable=NoneType in get_args(hints[name])))
    return pyarrow.Table.from_arrays(columns, schema=pyarrow.schema(fields))


def _arrow_type(hint: Any) -> Any:
    import pyarrow

    kinds = [kind for kind in get_args(hint) if kind is not NoneType]
    if NoneType in get_args(hint):
        (hint,) = kinds
    if hint is bool:
        return pyarrow.bool_()
    if hint is int:
        return pyarrow.int64()
    if hint is float:
        return pyarrow.float64()
    if get_origin(hint) is tuple:
        return pyarrow.list_(pyarrow.int64(), 2)
    assert hint is str or get_origin(hint) in (dict, Literal), hint
    return pyarrow.string()


def _cell(value: Any) -> Any:
    if isinstance(value, dict):
        value = encode_json(value).decode()
    if isinstance(value, str):
        return replace_surrogates(value)
    return value
