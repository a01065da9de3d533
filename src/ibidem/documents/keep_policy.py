"""Keep policies: of similar documents, which one stays."""

import math
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.documents.column_spool import Digests
from ibidem.errors import CorpusError

__all__ = ["Keep", "rank_values"]

_TERM = re.compile(r"\s*(max|min)\s*\(\s*([^()]+?)\s*\)\s*")


class Keep(NamedTuple):
    """A keep policy: the document that comes first in its order stays.

    Attributes:
        policy: ``"first"`` (as they were read), ``"longest"`` (most bytes of text), or an expression over columns, such
            as ``"max(quality), min(date)"``: by the first term, where that is the same by the second, and so on.
        terms: the sense and the column of each term of an expression.

    A column is compared as numbers if all its values are numbers or read as such, and as strings if not. A document
    whose value is missing, null or an empty string comes after those that have one. What is equal in all
    of this is ordered by the text and the id, not by the order of the input.
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

    def order(self, spool: Digests, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The documents ``rows``, the one to be kept before all others first.

        Raises:
            CorpusError: no document has a column, or its values can't be compared.
        """
        if self.policy == "first":
            return np.sort(rows)
        ids = np.array(spool.ids(rows))
        contents = spool.column("contents")[rows]
        keys: list[NDArray[Any]] = [np.argsort(np.argsort(ids, kind="stable")), contents[:, 1], contents[:, 0]]
        if self.policy == "longest":
            keys.append(-spool.column("sizes")[rows])
        elif len(rows):
            values = list(zip(*spool.values(rows), strict=True))
            keys += [
                rank_values(sense, column, of, ids) for (sense, column), of in zip(self.terms, values, strict=True)
            ][::-1]
        order: NDArray[np.int64] = rows[np.lexsort(keys)]
        return order


def rank_values(sense: str, column: str, values: Sequence[Any], ids: NDArray[Any]) -> NDArray[np.int64]:
    """The place of each value in the order of a term, int64 [n]; the same for equal values, and the last for none.

    ``sense`` is ``"max"`` or ``"min"``; ``ids`` [n] are those of the documents, to be named in errors.

    Raises:
        CorpusError: the values can't be compared.
    """
    values = [None if value == "" else value for value in values]
    present = [value for value in values if value is not None]
    for document, value in zip(ids, values, strict=True):
        if value is not None and not isinstance(value, (str, int, float)):
            raise CorpusError(
                f"document {str(document)!r}, column {column!r}: {value!r:.80} cannot be compared: "
                "a keep policy needs numbers or strings"
            )
    numbers = [_number(value) for value in present]
    if all(number is not None for number in numbers):
        keyed = dict(zip(present, numbers, strict=True))
    elif all(isinstance(value, str) for value in present):
        keyed = {value: value for value in present}
    else:
        mixed = next(str(d) for d, v in zip(ids, values, strict=True) if isinstance(v, str) and _number(v) is None)
        raise CorpusError(f"document {mixed!r}, column {column!r}: a word in a column that has numbers elsewhere")
    ordered = sorted(set(keyed.values()), reverse=sense == "max")
    places = {value: place for place, value in enumerate(ordered)}
    return np.array([len(places) if value is None else places[keyed[value]] for value in values], np.int64)


def _number(value: Any) -> float | None:
    """The number that a value is or, as a CSV has it, spells."""
    try:
        number = float(value)
    except ValueError:
        return None
    return None if math.isnan(number) else number
