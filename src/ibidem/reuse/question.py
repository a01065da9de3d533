"""The settings of a search for reuse."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from ibidem.alignment.ignored import NamedTexts, list_texts
from ibidem.alignment.lengths import EXPECT, require_settings
from ibidem.arguments import require_fraction
from ibidem.hashing import require_seed
from ibidem.reuse.pairs import PairRule
from ibidem.reuse.windows import WindowJoin
from ibidem.text import Normalize, TokenizerSpec, make_tokenizer
from ibidem.text.units import AUTO, WORDS, suit_texts

_LONGEST_WINDOW = 32
"""The greatest length of a window, in tokens."""

_EXACT, _IN_BANDS = 0.6, 0.75
"""The share of the threshold at which two windows are joined, in an exact search and in one by bands. An alignment
starts from three quarters of the threshold, and counts the words that a window repeats; the join does not."""


def take_arguments(declaration: type, arguments: Mapping[str, Any], *columns: str) -> dict[str, Any]:
    """The values for the fields of a dataclass: a function's ``arguments`` of their names, with texts to ignore listed.

    Args:
        columns: those that hold the text and the id of the texts to ignore, if they are not files.
    """
    values = {field.name: arguments[field.name] for field in fields(declaration)}
    return values | {"ignore": list_texts(values["ignore"], *columns)}


@dataclass(frozen=True, kw_only=True)
class Question:
    """The options of a search for reuse, and what follows from them; :func:`ibidem.find_reuse` explains them."""

    threshold: float = 0.3
    min_pair_length: int | None = None
    expect: float = EXPECT
    recall: float = 0.99
    tokenizer: TokenizerSpec = WORDS
    normalize: Normalize = ()
    within: bool = False
    date: str | None = None
    series: str | None = None
    phrases: Sequence[str] = ()
    ignore: NamedTexts = ()
    keep_boilerplate: bool = False
    quotations: int | None = None
    texts: bool = False
    columns: Sequence[str] = ()
    seed: int = 0

    @classmethod
    def of(cls, arguments: Mapping[str, Any], *columns: str) -> "Question":
        """The question that a function is asked; see :func:`take_arguments`."""
        return cls(**take_arguments(cls, arguments, *columns)).require_valid()

    def require_valid(self) -> "Question":
        """The same settings, validated, with tuples for lists and a tokenizer that normalizes as asked.

        Raises:
            ValueError: an argument is out of its range.
        """
        for name, values in (("phrases", self.phrases), ("columns", self.columns)):
            if isinstance(values, str):
                raise ValueError(f"{name} are given as a list of strings, not as one string")
        require_settings(self.threshold, self.min_pair_length, self.expect)
        require_fraction("recall", self.recall)
        require_seed(self.seed)
        if self.quotations is not None and self.quotations < 1:
            raise ValueError(f"quotations must be 1 word or more, not {self.quotations!r}")
        phrases, columns = tuple(self.phrases), tuple(self.columns)
        lists: dict[str, Any] = {"phrases": phrases, "columns": columns, "ignore": list_texts(self.ignore)}
        valid = replace(self, **lists)
        settled = valid.settle(WORDS if self.is_open else self.tokenizer)
        return valid if self.is_open else settled

    @property
    def is_open(self) -> bool:
        """Whether the texts are to say which tokenizer suits them."""
        return self.tokenizer == AUTO

    def settle(self, tokenizer: TokenizerSpec) -> "Question":
        """The same with this tokenizer, which is to normalize as asked."""
        return replace(self, tokenizer=make_tokenizer(tokenizer, normalize=self.normalize), normalize=())

    def suit(self, sample: Sequence[str]) -> "Question":
        """The same with the tokenizer that suits a sample of the texts.

        All of them are compared with each other, so every run of characters would cost too much.
        """
        return self.settle(suit_texts(sample, self.normalize, math.inf))

    @property
    def rule(self) -> PairRule:
        """Which passages are a pair."""
        return PairRule(self.threshold, self.min_pair_length, self.expect)

    @property
    def join(self) -> WindowJoin:
        """The windows to compare, and the recall.

        These are the windows that ``align`` starts from: a passage is not equally similar everywhere. An exact search
        joins all of them.
        """
        return WindowJoin(
            window=min(self.min_pair_length or _LONGEST_WINDOW, _LONGEST_WINDOW),
            threshold=self.threshold * (_EXACT if self.recall >= 1 else _IN_BANDS),
            promised=(1 + self.threshold) / 2,
            recall=self.recall,
            seed=self.seed,
        )

    def describe(self) -> dict[str, Any]:
        """The settings as values that JSON can hold."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        del values["normalize"]
        tokenizer = make_tokenizer(self.tokenizer, normalize=self.normalize).config
        lists: dict[str, Any] = {"phrases": list(self.phrases), "columns": list(self.columns)}
        lists["ignore"] = [{"id": name, "text": text} for name, text in self.ignore]
        return values | {"tokenizer": tokenizer} | lists
