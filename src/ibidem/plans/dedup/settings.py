"""What a deduplication is planned with."""

from typing import Any

import msgspec

from ibidem.corpus.opening import LARGEST_LINE
from ibidem.corpus.rows import Columns
from ibidem.documents.dedup import Choices
from ibidem.plans.workspace import Workspace

__all__ = ["DedupSettings"]


class DedupSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a deduplication is planned with.

    Attributes:
        choices: the fields of ``Choices``, the shingles as a configuration.
        text, id: the columns of the input that hold the texts and the ids.
        max_line: bytes that a line of the input, or a file of plain text, has at most.
        ranges: how many tasks compare documents, each those of some hash values.
    """

    choices: dict[str, Any]
    text: str = "text"
    id: str = "id"
    max_line: int = LARGEST_LINE
    ranges: int = 1

    @property
    def columns(self) -> Columns:
        """How the input is read."""
        return Columns(self.text, self.id, self.max_line)

    @classmethod
    def of(cls, workspace: Workspace) -> "DedupSettings":
        """Those of a plan."""
        return workspace.plan.read_settings(cls)

    def make_choices(self) -> Choices:
        """What is a near-duplicate, and which of them stays."""
        return Choices(**self.choices)
