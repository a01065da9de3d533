"""Direction: who had a passage first, by the dates of the documents.

The likely source of a witness is, of the witnesses of its cluster that it is linked to and that are earlier, the most
similar; of equally similar ones the earliest. Witnesses without a date, or without an earlier one, have no source.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ibidem.errors import CorpusError
from ibidem.reuse.pairs import Pairs
from ibidem.reuse.passages import Passages
from ibidem.text.json_values import replace_surrogates

_Ints = npt.NDArray[np.int64]


def parse_dates(values: Sequence[Any], ids: Sequence[str], column: str) -> list[float | str | None]:
    """Dates that can be compared with each other: numbers if all are or read as such, and strings if not.

    ``None`` for an empty value. ISO dates (1851, 1851-10, 1851-10-18) come in their order as strings.

    Raises:
        CorpusError: a value is neither a number nor a string, or there is no value.
    """
    dates = [None if value == "" else value for value in values]
    for name, value in zip(ids, dates, strict=True):
        if value is not None and (isinstance(value, bool) or not isinstance(value, str | int | float)):
            raise CorpusError(f"document {name!r}, column {column!r}: {value!r:.80} is no date: a number or a string")
    if not any(value is not None for value in dates):
        raise CorpusError(f"no document has a value in the column {column!r}; name the column that holds the dates")
    numbers = [_parse_number(value) for value in dates]
    if all(number is not None for number, value in zip(numbers, dates, strict=True) if value is not None):
        return list(numbers)
    return [None if value is None else replace_surrogates(str(value)) for value in dates]


def _parse_number(value: Any) -> float | None:
    try:
        return None if value is None else float(value)
    except ValueError:
        return None


def find_likely_sources(
    pairs: Pairs, passages: Passages, clusters: _Ints, dates: Sequence[float | str | None]
) -> _Ints:
    """The passage that each passage was likely taken from, int64 [P], or -1.

    ``clusters`` [P] are those of the passages, ``dates`` [D] those of the documents.
    """
    best_links: dict[int, tuple[float, Any, int]] = {}
    sources = np.full(len(passages.documents), -1)
    for (a, b), similarity in zip(passages.sides.tolist(), pairs.strength.tolist(), strict=True):
        if a < 0 or a == b or clusters[a] != clusters[b]:
            continue
        date_a, date_b = (dates[passages.documents[passage]] for passage in (a, b))
        if date_a is None or date_b is None or date_a == date_b:
            continue
        later, earlier, date = (b, a, date_a) if date_a < date_b else (a, b, date_b)
        best_link = best_links.get(later)
        if best_link is None or (-similarity, date, earlier) < (-best_link[0], best_link[1], best_link[2]):
            best_links[later] = (similarity, date, earlier)
            sources[later] = earlier
    return sources


def trace_sources(sources: _Ints) -> list[list[int]]:
    """The source of each passage, the source of this, and so on back to one without a source.

    >>> trace_sources(np.array([-1, 0, 1, -1]))
    [[], [0], [1, 0], []]
    """
    chains = []
    for source in sources.tolist():
        chain = []
        while source >= 0:  # a source is earlier than what was taken from it, so this ends
            chain.append(source)
            source = int(sources[source])
        chains.append(chain)
    return chains
