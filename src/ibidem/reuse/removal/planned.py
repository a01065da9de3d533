"""The removal of repeated passages that ranks do by a plan: what each task reads, and where the output goes."""

from pathlib import Path
from typing import Any

from ibidem.corpus.writing.filtering import CountedDocuments
from ibidem.jobs.kept import PlannedFiles, join_kept
from ibidem.jobs.reading import InputSettings
from ibidem.jobs.result import commit_result, link_file
from ibidem.jobs.workspace import Workspace
from ibidem.resources import Resources
from ibidem.reuse.removal.repeated import PassageChoices
from ibidem.reuse.removal.stages import FIND, KEPT, READ, STAGES, WRITE, PassageFileJob, recall_counts, write_summary
from ibidem.reuse.removal.writing import LEFT_OUT, PASSAGES

__all__ = ["STAGES", "PassageSettings", "PlannedPassages", "open_job"]


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

    def __init__(self, workspace: Workspace) -> None:
        settings = workspace.plan.read_settings(PassageSettings)
        super().__init__(workspace, settings)
        ignore = tuple((name, text) for name, text in settings.choices["ignore"])
        self.choices = PassageChoices(**settings.choices | {"ignore": ignore}).require_valid()
        self.action = settings.action

    def open_part(self, part: int, resources: Resources) -> CountedDocuments:
        """The documents of the files of a part, as they were when the plan was made."""
        return self.read_files(part, resources)

    def open_files(self, part: int, resources: Resources) -> CountedDocuments:
        """The files of a part, once they were read."""
        reading = super().open_files(part, resources)
        recall_counts(reading, self._workspace.output(READ.name, part))
        return reading

    def commit(self, workspace: Workspace, folder: Path, resources: Resources) -> None:
        """Give the output its name."""
        parts = [workspace.load(WRITE, part) for part in range(self.parts)]

        def fill(target: Path) -> None:
            join_kept(self._plan, [part / KEPT for part in parts], target / KEPT)
            for name in (PASSAGES, LEFT_OUT) if self.choices.ignore else (PASSAGES,):
                link_file(workspace.output(FIND.name, 0) / name, target / name)
            write_summary(workspace, target)

        commit_result(self._plan, folder, fill)


def open_job(workspace: Workspace) -> PlannedPassages:
    """The job of a plan, for its stages."""
    return PlannedPassages(workspace)
