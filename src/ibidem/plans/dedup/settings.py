"""What a deduplication is planned with."""

from typing import Any

import msgspec

from ibidem.documents.dedup import Choices
from ibidem.plans.workspace import Workspace

__all__ = ["DedupSettings"]


class DedupSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a deduplication is planned with.

    Attributes:
        choices: the fields of ``Choices``, the shingles as a configuration.
        text, id: the columns of the input that hold the texts and the ids.
        ranges: how many tasks compare documents, each those of some hash values.
    """

    choices: dict[str, Any]
    text: str = "text"
    id: str = "id"
    ranges: int = 1

    @classmethod
    def of(cls, workspace: Workspace) -> "DedupSettings":
        """Those of a plan."""
        return msgspec.convert(workspace.plan.settings, cls)

    def make_choices(self) -> Choices:
        """What is a near-duplicate, and which of them stays."""
        return Choices(**self.choices)
