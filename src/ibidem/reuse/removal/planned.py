"""The removal of repeated passages that ranks do by a plan: what each task reads, and where the output goes."""

from typing import Any

from ibidem.jobs.kept import PlannedFiles
from ibidem.jobs.reading import InputSettings
from ibidem.jobs.workspace import Workspace
from ibidem.reuse.removal.repeated import PassageChoices
from ibidem.reuse.removal.stages import STAGES, PassageFileJob


class PassageSettings(InputSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a plan that removes repeated passages.

    Attributes:
        choices: the fields of ``PassageChoices``, the tokenizer as a configuration.
        action: what is done with repeated passages.
    """

    choices: dict[str, Any]
    action: str = "remove"


class PlannedPassages(PlannedFiles, PassageFileJob):
    """The removal of repeated passages by a plan."""

    stages = STAGES

    def __init__(self, workspace: Workspace) -> None:
        settings = workspace.plan.read_settings(PassageSettings)
        super().__init__(workspace, settings)
        ignore = tuple((name, text) for name, text in settings.choices["ignore"])
        self.choices = PassageChoices(**settings.choices | {"ignore": ignore}).require_valid()
        self.action = settings.action
