"""The options of a search: everything that a caller chooses besides the text."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from ibidem.arguments import FamilyName, IDFName, TFName, require_choice, require_fraction
from ibidem.options import Selection

# A kernel takes numbers below 2^63.
_LARGEST_LIMIT = 10**18

# A day.
_LONGEST_TIMEOUT = 86_400


@dataclass(frozen=True)
class SearchOptions:
    """The options of a search. The attributes are arguments of ``PassageIndex.search``, which explains them.

    ``ignore`` has texts with their names. With ``count_all``, of ``explain`` alone, matches beyond the ``limit`` are
    counted in ``SearchStatistics.passages``.

    Raises:
        ValueError: an option is out of range.
    """

    threshold: float = 0.6
    select: Selection = "best"
    family: FamilyName | None = None
    tf: TFName | None = None
    idf: IDFName | Mapping[str, float] | None = None
    min_length: int | None = None
    max_length: int | None = None
    limit: int | None = 1000
    timeout: float | None = None
    bounded: bool = True
    count_all: bool = False
    ignore: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> "SearchOptions":
        """The options that a caller chose: a function's ``arguments`` of their names, with texts to ignore listed."""
        from ibidem.alignment.ignored import list_texts

        values = {field.name: arguments[field.name] for field in fields(cls) if field.name in arguments}
        ignore = values["ignore"]
        return cls(**values | {"ignore": () if isinstance(ignore, tuple) and not ignore else list_texts(ignore)})

    def __post_init__(self) -> None:
        require_fraction("threshold", self.threshold)
        require_choice("select", self.select, Selection)
        if self.limit is not None and not 1 <= self.limit <= _LARGEST_LIMIT:
            raise ValueError(f"limit must be from 1 to {_LARGEST_LIMIT:,}, or None for no limit, not {self.limit}")
        if self.timeout is not None and not 0.0 < self.timeout <= _LONGEST_TIMEOUT:
            raise ValueError(f"timeout must be above 0 and at most {_LONGEST_TIMEOUT} seconds, not {self.timeout}")

    @property
    def word_weights(self) -> Mapping[str, float] | None:
        """The weights of words that the caller gave in the place of an idf.

        Raises:
            ValueError: they are no dictionary.
        """
        if self.idf is None or isinstance(self.idf, str):
            return None
        if not isinstance(self.idf, Mapping):
            raise ValueError("an index keeps no words that a function could weigh: give a dictionary of weights as idf")
        return self.idf

    @property
    def measure(self) -> dict[str, Any]:
        """The measure and the lengths that the caller chose instead of those of the index."""
        names = ("family", "tf", "idf", "min_length", "max_length")
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}
