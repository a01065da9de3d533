"""The sequence behind every result: it indexes like a list, prints as a table, and is an Arrow table.

It does not derive from ``collections.abc.Sequence``: polars and pandas take whatever does for a list of rows, and would
not ask it for its Arrow table.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, SupportsIndex, TypeVar, get_type_hints, overload

import msgspec

from ibidem.comparison.markup import render_rows
from ibidem.corpus.writing.tables import make_table

if TYPE_CHECKING:
    import pyarrow

_Value = TypeVar("_Value", bound=msgspec.Struct)

_PRINTED = 10
"""Rows of a result that is printed; how many more there are is said below them."""


class Results(Generic[_Value]):
    """Values of one kind, in their order; nothing changes them.

    Two are equal if their values are; a list with the same values is equal too. A slice is of the same type.
    """

    value_type: ClassVar[type[msgspec.Struct]]
    """The class of the values."""

    def __init__(self, values: Iterable[_Value] = ()) -> None:
        self._values = tuple(values)

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[_Value]:
        return iter(self._values)

    def __reversed__(self) -> Iterator[_Value]:
        return reversed(self._values)

    def __contains__(self, value: object) -> bool:
        return value in self._values

    @overload
    def __getitem__(self, at: SupportsIndex) -> _Value: ...

    @overload
    def __getitem__(self, at: slice) -> Self: ...

    def __getitem__(self, at: SupportsIndex | slice) -> _Value | Self:
        if isinstance(at, slice):
            return self._with(self._values[at])
        return self._values[at]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (Results, list, tuple)):
            return self._values == tuple(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self._values)

    def index(self, value: _Value) -> int:
        """The place of the first value that is equal to this one.

        Raises:
            ValueError: there is none.
        """
        return self._values.index(value)

    def count(self, value: _Value) -> int:
        """How many values are equal to this one."""
        return self._values.count(value)

    def to_dicts(self) -> list[dict[str, Any]]:
        """A dictionary of each value, by the names of its attributes."""
        return [msgspec.structs.asdict(value) for value in self._values]

    def to_arrow(self) -> "pyarrow.Table":
        """A table with a column for each attribute; metadata is JSON text, since documents need not agree in it."""
        kinds = get_type_hints(self.value_type)
        kinds = {name: kinds[name] for name in self.value_type.__struct_fields__}
        return make_table(kinds, {name: [getattr(value, name) for value in self._values] for name in kinds})

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The table for libraries that read Arrow: ``polars.DataFrame(results)``, ``pyarrow.table(results)``."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__}: {len(self)}"]
        lines += [f"  {self._line(value)}" for value in self._values[:_PRINTED]]
        if len(self) > _PRINTED:
            lines.append(f"  ... and {len(self) - _PRINTED:,} more")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """A table of the values; the first twenty."""
        return render_rows(f"{type(self).__name__}: {len(self):,}", self.to_arrow())

    def _line(self, value: _Value) -> str:
        """A value in a line of the printed result."""
        return repr(value)

    def _with(self, values: Iterable[_Value]) -> Self:
        """A result of the same kind with other values."""
        return type(self)(values)
