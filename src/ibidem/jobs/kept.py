"""The files that a job reads and writes again, one for each input: those of one process, and those of a plan."""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from ibidem.corpus.failures import Failures
from ibidem.corpus.writing.filtering import CountedDocuments
from ibidem.corpus.writing.output_folder import names_below
from ibidem.corpus.writing.workplace import make_empty
from ibidem.errors import CorpusError
from ibidem.jobs.plan import Plan
from ibidem.jobs.reading import InputSettings, join_failures, open_shards, read_failures
from ibidem.jobs.result import append_file, link_file
from ibidem.jobs.shards import sources_of
from ibidem.jobs.workspace import Workspace
from ibidem.resources import Resources
from ibidem.system import disk

__all__ = ["FileJob", "LocalFiles", "PlannedFiles", "join_kept", "place_kept"]


class FileJob(ABC):
    """The files of a job, in parts.

    Attributes:
        parts: how many parts the input has.
        reading, failures: the files of the part that was read last, and what could not be read of them; ``None`` if
            that would have been an error.
        passed_over: how many files of folders hold no text, by what they are.
    """

    parts: int = 1
    reading: CountedDocuments
    failures: Failures | None = None
    passed_over: Mapping[str, int] = MappingProxyType({})

    @abstractmethod
    def open_files(self, part: int, resources: Resources) -> CountedDocuments:
        """The files of a part, once they were read."""

    @abstractmethod
    def place_kept(self, part: int, folder: Path) -> list[Path]:
        """The path in ``folder`` to which each file of a part is written."""

    @abstractmethod
    def join_failures(self) -> Failures | None:
        """Return what could not be read, of all parts; ``None`` if that would have been an error."""


class LocalFiles(FileJob):
    """The files that one process reads, in one part."""

    def __init__(self, reading: CountedDocuments, failures: Failures | None, output: Path) -> None:
        self.reading, self.failures, self._output = reading, failures, output

    def open_files(self, part: int, resources: Resources) -> CountedDocuments:
        """All files."""
        return self.reading

    def place_kept(self, part: int, folder: Path) -> list[Path]:
        """The same names as those of the inputs."""
        return [folder / name for name in names_below(self.reading.files)]

    def join_failures(self) -> Failures | None:
        """Return what could not be read."""
        return self.failures

    def gather_result(self, folder: Path, names: Iterable[str], result: Path) -> Path:
        """Move the files and folders of these names, as far as they were made, to a new folder ``result``."""
        make_empty(result)
        for name in names:
            if (folder / name).exists():
                disk.rename(folder / name, result / name)
        return result

    def name_result(self, result: Path) -> None:
        """Give a folder that is whole the name of the output."""
        disk.rename(result, self._output)
        disk.sync_folder(self._output.absolute().parent)


class PlannedFiles(FileJob):
    """The files of a plan."""

    def __init__(self, workspace: Workspace, settings: InputSettings) -> None:
        self._workspace, self._plan, self._input = workspace, workspace.plan, settings
        self.parts, self.passed_over = len(workspace.plan.parts), settings.passed_over

    def read_files(self, part: int, resources: Resources) -> CountedDocuments:
        """The files of a part, as they were when the plan was made."""
        self.failures = self._input.make_failures()
        self.reading = self._open(part, resources, self.failures)
        return self.reading

    def open_files(self, part: int, resources: Resources) -> CountedDocuments:
        """The files of a part, once they were read."""
        return self._open(part, resources, read_failures(self._workspace, part))

    def _open(self, part: int, resources: Resources, failures: Failures | None) -> CountedDocuments:
        sources = open_shards(self._plan.shards_of(part), failures, self._input.encoding)
        return CountedDocuments(sources, self._input.columns, resources.batch_bytes)

    def place_kept(self, part: int, folder: Path) -> list[Path]:
        """A folder for each file: pieces of one file have one name."""
        return place_kept(self._plan, part, folder)

    def join_failures(self) -> Failures | None:
        """Return what could not be read, of all parts."""
        return join_failures(self._workspace)


def place_kept(plan: Plan, part: int, folder: Path) -> list[Path]:
    """The place of each file of a part, in a folder of its own: pieces of one file have one name."""
    first, end = plan.parts[part]
    return [folder / str(number) / os.path.basename(plan.shards[number].path) for number in range(first, end)]


def join_kept(plan: Plan, folders: Sequence[Path], target: Path) -> None:
    """Give each file that was placed in the folder of its part its name below ``target``; pieces are joined.

    A file may be missing, of which nothing is left, or have more in its name, as the text of a PDF has.

    Raises:
        CorpusError: two files have one name.
    """
    names = names_below(sources_of(plan.shards))
    for part, folder in enumerate(folders):
        for number in range(*plan.parts[part]):
            written = folder / str(number)
            for made in sorted(written.iterdir()) if written.exists() else ():
                place = target / Path(names[number]).with_name(made.name)
                place.parent.mkdir(parents=True, exist_ok=True)
                if plan.shards[number].piece is not None:
                    append_file(made, place)
                elif place.exists():
                    raise CorpusError(f"{place.name}: two inputs have this name when they are written: rename one")
                else:
                    link_file(made, place)
