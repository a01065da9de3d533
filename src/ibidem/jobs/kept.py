"""The files that a job reads and writes again, one for each input: those of one process, and those of a plan."""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from ibidem.corpus.failures import Failures, count_left_out
from ibidem.corpus.faults import fault
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import ReadingProgress, Source, list_sources
from ibidem.corpus.writing.filtering import CountedDocuments
from ibidem.corpus.writing.output_folder import names_below
from ibidem.corpus.writing.workplace import make_empty, read_state
from ibidem.errors import CorpusError
from ibidem.jobs.reading import InputSettings, join_failures, open_shards, read_failures
from ibidem.jobs.result import append_file, commit_result, link_file
from ibidem.jobs.shards import sources_of
from ibidem.jobs.workspace import Workspace
from ibidem.remote.storage import is_remote
from ibidem.resources import Resources
from ibidem.system import disk


class FileJob(ABC):
    """The files of a job, in parts.

    Attributes:
        parts: how many parts the input has.
        sources: all files, and pieces of files, in order.
        bounds: for each part the first of its sources and the one after its last.
        reading, failures: the files of the part that was read last, and what could not be read of them; ``None`` if
            that would have been an error.
        passed_over: how many files of folders hold no text, by what they are.
    """

    parts: int = 1
    sources: Sequence[Source]
    bounds: Sequence[tuple[int, int]]
    reading: CountedDocuments
    failures: Failures | None = None
    passed_over: Mapping[str, int] = MappingProxyType({})

    @abstractmethod
    def read_files(self, part: int, resources: Resources) -> CountedDocuments:
        """The files of a part, to be read first."""

    @abstractmethod
    def open_files(self, part: int, resources: Resources) -> CountedDocuments:
        """The files of a part, once they were read."""

    @abstractmethod
    def join_failures(self) -> Failures | None:
        """Return what could not be read, of all parts; ``None`` if that would have been an error."""

    @abstractmethod
    def make_result(
        self, folder: Path, fill: Callable[[Path], object], prepare: Callable[[], object] = lambda: None
    ) -> None:
        """Make the output of what ``fill`` puts into the folder that it is given.

        Args:
            folder: that of the task, for what goes elsewhere in the end.
            prepare: called when all is written, before the output is there.
        """

    @abstractmethod
    def place_file(self, made: Path, target: Path) -> None:
        """Give a file that a task has made its name in the result."""

    def count_left_out(self) -> dict[str, Any]:
        """The counts of what is not in the result, as every ``summary.json`` names them."""
        return count_left_out(self.join_failures()) | {"files_passed_over": dict(sorted(self.passed_over.items()))}

    def place_kept(self, part: int, folder: Path) -> list[Path]:
        """The place of each file of a part, in a folder of its own: pieces of one file have one name."""
        first, end = self.bounds[part]
        return [folder / str(number) / os.path.basename(self.sources[number].path) for number in range(first, end)]

    def join_kept(self, folders: Iterable[Path], target: Path) -> None:
        """Give each file that was placed in the folder of its part its name below ``target``; pieces are joined.

        A file may be missing, of which nothing is left, or have more in its name, as the text of a PDF has.

        Raises:
            CorpusError: two files have one name.
        """
        names = names_below(list(self.sources))
        for folder, bounds in zip(folders, self.bounds, strict=True):
            for number in range(*bounds):
                written = folder / str(number)
                for made in sorted(written.iterdir()) if written.exists() else ():
                    place = target / Path(names[number]).with_name(made.name)
                    place.parent.mkdir(parents=True, exist_ok=True)
                    if self.sources[number].piece is not None:
                        append_file(made, place)
                    elif place.exists():
                        raise CorpusError(f"{place.name}: two inputs have this name when they are written: rename one")
                    else:
                        self.place_file(made, place)

    def join_lists(self, lists: Sequence[Path], target: Path) -> None:
        """Make one file of those that the tasks of all parts have made."""
        if len(lists) == 1:
            self.place_file(lists[0], target)
            return
        for each in lists:
            append_file(each, target)


class InputFiles(NamedTuple):
    """The files that one process reads.

    Attributes:
        paths: those that name them.
        failures: what cannot be read of them; ``None`` if that is an error.
        passed_over: how many files of folders hold no text, by what they are.
    """

    paths: Sequence[str | os.PathLike[str]]
    reading: CountedDocuments
    failures: Failures | None
    passed_over: Mapping[str, int]

    @classmethod
    def find(
        cls,
        paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
        columns: Columns,
        resources: Resources,
        progress: ReadingProgress | None,
        failures: Failures | None,
    ) -> Self:
        """The files that the paths name, which are rewritten in UTF-8 if an encoding is named."""
        given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
        progress = progress or ReadingProgress()
        files = [each._replace(encoding=columns.encoding) for each in list_sources(given, progress, failures)]
        return cls(given, CountedDocuments(files, columns, resources.batch_bytes), failures, progress.passed_over)


class LocalFiles(FileJob):
    """The files that one process reads, in one part, and the folder ``output`` that it makes."""

    def __init__(self, inputs: InputFiles, output: Path) -> None:
        _, self.reading, self.failures, self.passed_over = inputs
        self.sources, self.bounds = self.reading.files, [(0, len(self.reading.files))]
        self._output, self._states = output, self._read_states()

    def _read_states(self) -> list[tuple[int, int]]:
        return [read_state(source) for source in self.sources if not is_remote(source.path)]

    def read_files(self, part: int, resources: Resources) -> CountedDocuments:
        """All files."""
        return self.reading

    def open_files(self, part: int, resources: Resources) -> CountedDocuments:
        """All files."""
        return self.reading

    def join_failures(self) -> Failures | None:
        """Return what could not be read."""
        return self.failures

    def place_file(self, made: Path, target: Path) -> None:
        """Move the file."""
        disk.rename(made, target)

    def make_result(
        self, folder: Path, fill: Callable[[Path], object], prepare: Callable[[], object] = lambda: None
    ) -> None:
        """Make the output of what ``fill`` puts into the folder that it is given.

        Raises:
            CorpusError: a file was changed while it was read.
        """
        result = make_empty(folder / "result")
        fill(result)
        here = (source for source in self.sources if not is_remote(source.path))
        for source, before, now in zip(here, self._states, self._read_states(), strict=True):
            if before != now:
                raise fault(source.path, "it was changed while it was read: run the command again")
        disk.sync_tree(result)
        prepare()
        disk.rename(result, self._output)
        disk.sync_folder(self._output.absolute().parent)


class PlannedFiles(FileJob):
    """The files of a plan."""

    def __init__(self, workspace: Workspace, settings: InputSettings) -> None:
        self._workspace, self._plan, self._input = workspace, workspace.plan, settings
        self.sources, self.bounds, self.parts = sources_of(self._plan.shards), self._plan.parts, len(self._plan.parts)
        self.passed_over = settings.passed_over

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

    def join_failures(self) -> Failures | None:
        """Return what could not be read, of all parts."""
        return join_failures(self._workspace)

    def place_file(self, made: Path, target: Path) -> None:
        """Link the file: a rank that follows a killed one takes it again."""
        link_file(made, target)

    def make_result(
        self, folder: Path, fill: Callable[[Path], object], prepare: Callable[[], object] = lambda: None
    ) -> None:
        """Make the output of the plan of what ``fill`` puts into the folder that it is given."""
        commit_result(self._plan, folder, fill, prepare)
