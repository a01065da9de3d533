"""The settings of a deduplication of passages."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ibidem.alignment.ignored import NamedTexts, list_texts
from ibidem.arguments import require_fraction
from ibidem.errors import CorpusError
from ibidem.hashing import require_seed
from ibidem.keep_policy import Keep, rank_values
from ibidem.options import Boundary
from ibidem.reuse.documents import InputRows
from ibidem.reuse.question import take_arguments
from ibidem.reuse.removal.cutting import BOUNDARIES
from ibidem.reuse.windows import WindowJoin
from ibidem.text import Normalize, TokenizerSpec, make_tokenizer

_LONGEST_WINDOW = 32


@dataclass(frozen=True, kw_only=True)
class PassageQuestion:
    """The options that say which passages repeat others, and which of them stay.

    :func:`ibidem.deduplicate_passages` explains them.
    """

    threshold: float = 0.8
    min_length: int = 50
    keep: str = "first"
    boundary: Boundary = "words"
    tokenizer: TokenizerSpec = "words"
    normalize: Normalize = ()
    ignore: NamedTexts = ()
    recall: float = 0.99
    seed: int = 0

    @classmethod
    def of(cls, arguments: Mapping[str, Any], *columns: str) -> "PassageQuestion":
        """The question that a function is asked; see :func:`ibidem.reuse.question.take_arguments`."""
        return cls(**take_arguments(cls, arguments, *columns)).require_valid()

    def require_counting(self, min_documents: int) -> None:
        """Refuse what has no part in a search for what ``min_documents`` documents hold word for word.

        Raises:
            ValueError: they are fewer than 2, or another argument is given that is of no use then.
        """
        if min_documents < 2:
            raise ValueError(f"min_documents is a number from 2 on, not {min_documents}")
        of_no_use = ["threshold", "keep", "ignore", "recall", "seed"]
        if self.boundary == "lines":
            of_no_use += ["min_length", "tokenizer"]
        plain = PassageQuestion().require_valid()
        for name in of_no_use:
            value, default = getattr(self, name), getattr(plain, name)
            if getattr(value, "config", value) != getattr(default, "config", default):
                raise ValueError(f"{name} has no part in min_documents with the boundary {self.boundary!r}")

    def require_valid(self) -> "PassageQuestion":
        """The same settings, validated, with a tokenizer that normalizes as asked.

        Raises:
            ValueError: an argument is out of its range.
        """
        require_fraction("threshold", self.threshold)
        require_fraction("recall", self.recall)
        require_seed(self.seed)
        Keep.parse(self.keep)
        if self.min_length < 1:
            raise ValueError(f"min_length is {self.min_length}; a passage has a token at least")
        if self.boundary not in BOUNDARIES:
            raise ValueError(f"boundary is one of {', '.join(BOUNDARIES)}, not {self.boundary!r}")
        tokenizer = make_tokenizer(self.tokenizer, normalize=self.normalize)
        return replace(self, tokenizer=tokenizer, normalize=(), ignore=list_texts(self.ignore))

    @property
    def join(self) -> WindowJoin:
        """The windows to compare."""
        return WindowJoin(
            window=min(self.min_length, _LONGEST_WINDOW),
            threshold=self.threshold,
            promised=(1 + self.threshold) / 2,
            recall=self.recall,
            seed=self.seed,
        )

    def order_rows(self, ids: list[str], rows: InputRows) -> npt.NDArray[np.int64]:
        """The documents, the one whose passages stay before all others first; equals are in the order of their ids."""
        keep = Keep.parse(self.keep)
        if keep.policy == "first":
            return np.arange(len(ids))
        names = np.array(ids, object)
        by_id = np.argsort(np.argsort(names, kind="stable"))
        if keep.policy == "longest":
            return np.lexsort((by_id, -rows.lengths("texts")))
        metadata = [rows.metadata(row) for row in range(len(ids))]
        for column in keep.columns:
            if metadata and not any(column in fields for fields in metadata):
                raise CorpusError(f"no document has the column {column!r} that keep={self.keep!r} names")
        keys = [
            rank_values(sense, column, [fields.get(column) for fields in metadata], names)
            for sense, column in keep.terms
        ]
        return np.lexsort((by_id, *keys[::-1]))

    def describe(self) -> dict[str, Any]:
        """The settings as values that JSON can hold."""
        tokenizer = make_tokenizer(self.tokenizer, normalize=self.normalize).config
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return values | {"tokenizer": tokenizer, "normalize": ()}

    def summarize(self, *names: str) -> dict[str, Any]:
        """The settings of these names, or all, for the summary of a result; of texts to ignore the names."""
        values = self.describe() | {"ignore": [name for name, _ in self.ignore]}
        return {name: value for name, value in values.items() if name != "normalize" and (not names or name in names)}
