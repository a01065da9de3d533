"""The settings of a search for reuse."""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypedDict, Unpack

from ibidem.alignment.align import require_settings
from ibidem.arguments import require_fraction
from ibidem.hashing import require_seed
from ibidem.reuse.windows import WindowJoin
from ibidem.text import TokenizerSpec, make_tokenizer

__all__ = ["Question", "QuestionKeywords"]

_LONGEST_WINDOW = 32
"""The greatest length of a window, in tokens."""

_EXACT = 0.6
"""The part of the threshold by which windows are similar that an exact search joins. An alignment starts from three
quarters of it, and counts the words that a window repeats; the join does not."""


class QuestionKeywords(TypedDict, total=False):
    """The settings of a search for reuse, as the keywords of a call."""

    threshold: float
    min_length: int | None
    recall: float
    tokenizer: TokenizerSpec
    within: bool
    date: str | None
    series: str | None
    phrases: Sequence[str]
    keep_boilerplate: bool
    quotations: int | None
    texts: bool
    columns: Sequence[str]
    seed: int


class Question(NamedTuple):
    """The settings of a search for reuse; :func:`ibidem.find_reuse` explains them."""

    threshold: float = 0.3
    min_length: int | None = None
    recall: float = 0.99
    tokenizer: TokenizerSpec = "words"
    within: bool = False
    date: str | None = None
    series: str | None = None
    phrases: tuple[str, ...] = ()
    keep_boilerplate: bool = False
    quotations: int | None = None
    texts: bool = False
    columns: tuple[str, ...] = ()
    seed: int = 0

    @classmethod
    def of(cls, **options: Unpack[QuestionKeywords]) -> "Question":
        """The settings that are given as the ``options`` of a call.

        Raises:
            ValueError: an argument is out of its range.
        """
        lists = {"phrases": tuple(options.get("phrases", ())), "columns": tuple(options.get("columns", ()))}
        values: dict[str, Any] = {**options, **lists}
        return cls(**values).require_valid()

    def require_valid(self) -> "Question":
        """The same settings, once they have been checked.

        Raises:
            ValueError: an argument is out of its range.
        """
        require_settings(self.threshold, self.min_length)
        require_fraction("recall", self.recall)
        require_seed(self.seed)
        if self.quotations is not None and self.quotations < 1:
            raise ValueError(f"quotations must be 1 word or more, not {self.quotations!r}")
        return self

    @property
    def join(self) -> WindowJoin:
        """Which windows to compare, and with what recall.

        An exact search joins whatever windows ``align`` starts from: a passage is not equally similar everywhere.
        """
        return WindowJoin(
            window=min(self.min_length or _LONGEST_WINDOW, _LONGEST_WINDOW),
            threshold=self.threshold * (_EXACT if self.recall >= 1 else 1),
            promised=(1 + self.threshold) / 2,
            recall=self.recall,
            seed=self.seed,
        )

    def describe(self) -> dict[str, Any]:
        """The settings as values that JSON can hold."""
        tokenizer = make_tokenizer(self.tokenizer).config
        lists = {"phrases": list(self.phrases), "columns": list(self.columns)}
        return self._asdict() | {"tokenizer": tokenizer} | lists
