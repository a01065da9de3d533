"""What finding reuse is planned with."""

from typing import Any

import msgspec

from ibidem.corpus.opening import LARGEST_LINE
from ibidem.corpus.rows import Columns
from ibidem.plans.workspace import Workspace
from ibidem.reuse.find import Question

__all__ = ["ReuseSettings"]


class ReuseSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What finding reuse is planned with.

    Attributes:
        question: the fields of ``Question``, the tokenizer as a configuration.
        others: the first of the shards that the rest are compared with; ``None`` for one collection.
        text, id: the columns of the input that hold the texts and the ids.
        max_line: bytes that a line of the input, or a file of plain text, has at most.
        format, also: of the tables, and the formats beside them.
    """

    question: dict[str, Any]
    others: int | None = None
    text: str = "text"
    id: str = "id"
    max_line: int = LARGEST_LINE
    format: str = "parquet"
    also: tuple[str, ...] = ()

    @property
    def columns(self) -> Columns:
        """How the input is read."""
        return Columns(self.text, self.id, self.max_line)

    @classmethod
    def of(cls, workspace: Workspace) -> "ReuseSettings":
        """Those of a plan."""
        return workspace.plan.read_settings(cls)

    def make_question(self) -> Question:
        """What is asked."""
        return Question.of(**self.question)
