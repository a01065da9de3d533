"""Keep policies: of similar documents, which one stays."""

import math
import re
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import CorpusError

_TERM = re.compile(r"\s*(max|min)\s*\(\s*([^()]+?)\s*\)\s*")


class ComparableDocuments(Protocol):
    """As much of a collection as a policy asks of it: columns of the documents ``rows``."""

    def ids(self, rows: NDArray[np.int64]) -> list[str]:
        """Their ids."""
        ...

    def values(self, rows: NDArray[np.int64]) -> list[list[Any]]:
        """Their values in the columns that the policy names."""
        ...

    def gather(self, name: str, rows: NDArray[np.int64]) -> NDArray[Any]:
        """Their ``contents``, a hash of each text, uint64 [n, 2]; or ``sizes``, bytes of each text, int64 [n]."""
        ...


class Keep(NamedTuple):
    """A keep policy: the document that comes first in its order stays.

    Attributes:
        policy: ``"first"`` (as they were read), ``"longest"`` (most bytes of text), or an expression over columns, such
            as ``"max(quality), min(date)"``: by the first term, where that is the same by the second, and so on.
        terms: the sense and the column of each term of an expression.

    A column is compared as numbers if all its values are numbers or read as such, and as strings if not. A document
    whose value is missing, null or an empty string comes after those that have one. Documents that are equal in all
    of this are ordered by the text and the id, not by the order of the input.
    """

    policy: str
    terms: tuple[tuple[str, str], ...] = ()

    @classmethod
    def parse(cls, policy: str) -> "Keep":
        """Read a policy.

        >>> Keep.parse("max(quality), min(date)").terms
        (('max', 'quality'), ('min', 'date'))
        """
        if policy in ("first", "longest"):
            return cls(policy)
        matches = [_TERM.fullmatch(term) for term in policy.split(",")]
        terms = tuple((match[1], match[2]) for match in matches if match)
        if len(terms) < len(matches):
            raise ValueError(f"a keep policy is first, longest, or terms like max(quality), min(date); not {policy!r}")
        return cls(policy, terms)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the terms name."""
        return tuple(column for _, column in self.terms)

    def order(
        self, documents: ComparableDocuments, rows: NDArray[np.int64], is_numeric: Sequence[bool] = ()
    ) -> NDArray[np.int64]:
        """The documents ``rows``, the one to be kept before all others first.

        Args:
            is_numeric: for each column whether it is compared as numbers; see ``ColumnKinds``.
        """
        if self.policy == "first":
            return np.sort(rows)
        ids = np.array(documents.ids(rows))
        contents = documents.gather("contents", rows)
        keys: list[NDArray[Any]] = [np.argsort(np.argsort(ids, kind="stable")), contents[:, 1], contents[:, 0]]
        if self.policy == "longest":
            keys.append(-documents.gather("sizes", rows))
        elif len(rows):
            columns = zip(self.terms, zip(*documents.values(rows), strict=True), is_numeric, strict=True)
            keys += [_rank(sense, column, by_number) for (sense, _), column, by_number in columns][::-1]
        order: NDArray[np.int64] = rows[np.lexsort(keys)]
        return order


class _DocumentValue(NamedTuple):
    """A value that prevents the comparison, and its document."""

    row: int
    document: str
    value: Any


class ColumnKinds:
    """The kinds of columns: compared as numbers if all values are numbers or read as such, otherwise as strings."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = columns
        self._unsupported: list[_DocumentValue | None] = [None] * len(columns)  # neither number nor string
        self._words: list[_DocumentValue | None] = [None] * len(columns)
        self._has_number = [False] * len(columns)

    def look(self, rows: NDArray[np.int64], ids: Sequence[str] | NDArray[Any], values: Sequence[Sequence[Any]]) -> None:
        """Take note of the values of some documents, a value of each for each column."""
        for row, document, row_values in zip(rows.tolist(), ids, values, strict=True):
            for number, value in enumerate(row_values):
                if value is None or value == "":
                    continue
                if not isinstance(value, (str, int, float)):
                    self._unsupported[number] = _take_first(
                        self._unsupported[number], _DocumentValue(row, str(document), value)
                    )
                elif not isinstance(value, str):
                    self._has_number[number] = True
                elif _parse_number(value) is None:
                    self._words[number] = _take_first(self._words[number], _DocumentValue(row, str(document), value))

    def decide(self) -> list[bool]:
        """For each column whether it is compared as numbers.

        Raises:
            CorpusError: its values cannot be compared.
        """
        return [self._decide(number, column) for number, column in enumerate(self._columns)]

    def _decide(self, number: int, column: str) -> bool:
        unsupported, word = self._unsupported[number], self._words[number]
        if unsupported is not None:
            raise CorpusError(
                f"document {unsupported.document!r}, column {column!r}: {unsupported.value!r:.80} cannot be compared: "
                "a keep policy needs numbers or strings"
            )
        if word is not None and self._has_number[number]:
            raise CorpusError(
                f"document {word.document!r}, column {column!r}: a word in a column that has numbers elsewhere"
            )
        return word is None


def _take_first(first: _DocumentValue | None, second: _DocumentValue) -> _DocumentValue:
    return second if first is None or second.row < first.row else first


def rank_values(sense: str, column: str, values: Sequence[Any], ids: NDArray[Any]) -> NDArray[np.int64]:
    """The place of each value in the order of a term, int64 [n]; the same for equal values, and the last for none.

    ``sense`` is ``"max"`` or ``"min"``; ``ids`` [n] are those of the documents, to be named in errors.

    Raises:
        CorpusError: the values cannot be compared.
    """
    kinds = ColumnKinds([column])
    kinds.look(np.arange(len(values)), ids, [[value] for value in values])
    [numeric] = kinds.decide()
    return _rank(sense, values, numeric)


def _rank(sense: str, values: Sequence[Any], numeric: bool) -> NDArray[np.int64]:
    present = {value for value in values if value is not None and value != ""}
    key_of: dict[Any, Any] = {value: _parse_number(value) if numeric else value for value in present}
    sorted_keys = sorted(set(key_of.values()), reverse=sense == "max")
    places = {value: place for place, value in enumerate(sorted_keys)}
    last_place = len(places)
    return np.array([places[key_of[value]] if value in key_of else last_place for value in values], np.int64)


def _parse_number(value: Any) -> float | None:
    """The number that a value is or, as a CSV has it, spells."""
    try:
        number = float(value)
    except ValueError:
        return None
    return None if math.isnan(number) else number
