"""A question: what a search asks for, besides the text."""

from typing import Any

import msgspec

from ibidem.arguments import require_fraction

__all__ = ["REPORTS", "Question"]

REPORTS = ("best", "longest", "all", "document")
"""What may be reported of similar passages that touch."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What a search asks for; the attributes are arguments of ``PassageIndex.search``, which explains them.

    Raises:
        ValueError: one is out of range.
    """

    threshold: float = 0.6
    recall: float = 0.99
    report: str = "best"
    verify: bool = True
    family: str | None = None
    tf: str | None = None
    idf: str | None = None
    min_length: int | None = None
    max_length: int | None = None

    def __post_init__(self) -> None:
        for name in ("threshold", "recall"):
            require_fraction(name, getattr(self, name))
        if self.report not in REPORTS:
            raise ValueError(f"report is one of {', '.join(REPORTS)}, not {self.report!r}")

    @property
    def of_region(self) -> str:
        """What is reported of each region; of a document, it is the best of the best."""
        return "best" if self.report == "document" else self.report

    @property
    def choices(self) -> dict[str, Any]:
        """The measure and the lengths that are asked for, of those that an index has too."""
        made = {name: getattr(self, name) for name in ("family", "tf", "idf", "min_length", "max_length")}
        return {name: choice for name, choice in made.items() if choice is not None}
