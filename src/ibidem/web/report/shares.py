"""How many words two documents share, as the page of a report shows it."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Self

from ibidem.comparison.shares import WordCounts


class SharedDocuments(NamedTuple):
    """Two documents that share passages.

    Attributes:
        a, b: their ids.
        passages: how many pairs of passages they share.
        counts: of the words of either.
    """

    a: str
    b: str
    passages: int
    counts: tuple[WordCounts, WordCounts]

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> Self:
        """A row of the table ``document_pairs`` of ``ibidem reuse``."""
        a, b = (WordCounts(*(row.get(f"{side}_{name}", 0) for name in WordCounts._fields)) for side in "ab")
        return cls(row["a"], row["b"], row["passages"], (a, b))


def describe_shares(shared: SharedDocuments, number: Callable[[str], int]) -> dict[str, Any]:
    """The pair as the page has it, with the numbers of its documents."""
    return {
        "a": number(shared.a),
        "b": number(shared.b),
        "passages": shared.passages,
        "counts": [
            [count.words, count.identical + count.moved, count.changed, count.identical_share, count.similar_share]
            for count in shared.counts
        ],
    }
