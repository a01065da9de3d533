"""The choices behind any index of passages: its tokens, what similarity counts, and the lengths of passages."""

from typing import Any, get_args

import msgspec

from ibidem.arguments import FamilyName, IDFName, TFName
from ibidem.weights import IDF, DocumentFrequencies, Weighting

_FAMILIES = get_args(FamilyName)

LONGEST = 65535
"""The longest passage of any index: the widths of a window are stored in 16 bits."""


class PassageConfiguration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The choices that every index of passages is made with.

    Attributes:
        tokenizer: the tokenizer's own configuration.
        family: ``"set"``, ``"multiset"`` or ``"weighted"``.
        min_length, max_length: tokens of the shortest and the longest passage.
        tf, idf: names of the weights of the family ``"weighted"``.
    """

    tokenizer: dict[str, Any]
    family: FamilyName = "multiset"
    min_length: int = 1
    max_length: int = 1024
    tf: TFName = "raw"
    idf: IDFName = "unary"

    def __post_init__(self) -> None:
        if self.family not in _FAMILIES:
            raise ValueError(f"no family is called {self.family!r}; there are {', '.join(_FAMILIES)}")
        if not 1 <= self.min_length <= self.max_length <= LONGEST:
            raise ValueError(
                f"passages have 1 <= min_length <= max_length <= {LONGEST} tokens, "
                f"not {self.min_length} and {self.max_length}"
            )
        if self.family != "weighted" and (self.tf, self.idf) != ("raw", "unary"):
            raise ValueError(f"tf and idf are weights of the family 'weighted', not of {self.family!r}")
        Weighting.of("weighted", tf=self.tf, idf="unary")  # refuses an unknown tf
        if not isinstance(self.idf, str):
            raise ValueError("an index keeps an idf by its name alone; weights of words are given to a search")
        if self.idf not in IDF:  # and this, before a collection is read whose frequencies it would weigh
            raise ValueError(f"no idf is called {self.idf!r}; there are {', '.join(IDF)}")

    @property
    def lengths(self) -> tuple[int, int]:
        """Tokens of the shortest and the longest passage."""
        return self.min_length, self.max_length

    @property
    def needs_frequencies(self) -> bool:
        """Whether the weights depend on the collection's document frequencies."""
        return self.family == "weighted" and self.idf != "unary"

    def weighting(self, frequencies: DocumentFrequencies | None) -> Weighting:
        """The weights of a token in a passage."""
        if self.family == "weighted":
            return Weighting.of("weighted", tf=self.tf, idf=self.idf, frequencies=frequencies)
        return Weighting.of(self.family)


def choose_measure(family: FamilyName | None, tf: TFName | None, idf: IDFName | None) -> dict[str, Any]:
    """The family, tf and idf of a configuration. If not given, the family is ``"weighted"`` with a tf or an idf.

    Raises:
        ValueError: the family has no such tf or idf.
    """
    if family is None:
        family = "multiset" if tf is None and idf is None else "weighted"
    if family != "weighted":
        Weighting.of(family, tf=tf, idf=idf)
        return {"family": family, "tf": "raw", "idf": "unary"}
    given = {name: value for name, value in (("tf", tf), ("idf", idf)) if value is not None}
    return {"family": family, **given}
