"""The files that a job reads and writes again, one for each input: those of one process, and those of a plan."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ibidem.corpus.failures import Failures, count_left_out
from ibidem.corpus.faults import fault
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import ReadingProgress, Source, list_sources
from ibidem.corpus.writing.filtering import CountedDocuments
from ibidem.corpus.writing.output_folder import names_below
from ibidem.corpus.writing.workplace import make_empty, read_state
from ibidem.errors import CorpusError
from ibidem.jobs.reading import InputSettings, join_failures, open_shards, read_failures
from ibidem.jobs.result import append_file, commit_result
from ibidem.jobs.shards import sources_of
from ibidem.jobs.workspace import Workspace
from ibidem.remote.storage import is_remote
from ibidem.resources import Resources
from ibidem.system import disk

_Path = str | os.PathLike[str]


class FileJob:
    """The files of a job. One process reads them in one part; ``PlannedFiles`` are those of a plan.

    Attributes:
        paths: those that name the files.
        output: the new folder.
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
    failures: Failures | None = None
    passed_over: Mapping[str, int]

    def __init__(
        self,
        paths: _Path | Iterable[_Path],
        output: _Path,
        columns: Columns,
        resources: Resources,
        progress: ReadingProgress | None = None,
        failures: Failures | None = None,
    ) -> None:
        """Find the files that the paths name, which are rewritten in UTF-8 if ``columns`` name an encoding."""
        self.paths = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
        progress, self.output = progress or ReadingProgress(), Path(output)
        files = [each._replace(encoding=columns.encoding) for each in list_sources(self.paths, progress, failures)]
        self.reading = CountedDocuments(files, columns, resources.batch_bytes)
        self.failures, self.passed_over = failures, progress.passed_over
        self.sources, self.bounds = files, [(0, len(files))]
        self._states = self._read_states()

    def _read_states(self) -> dict[str, tuple[int, int]]:
        """The states of the files that can be read twice, and compared in the end."""
        files = (source for source in self.sources if not (is_remote(source.path) or source.is_pipe))
        return {source.path: read_state(source) for source in files}

    def read_files(self, part: int, resources: Resources) -> CountedDocuments:
        """The files of a part, to be read first."""
        return self.reading

    def open_files(self, part: int, resources: Resources) -> CountedDocuments:
        """The files of a part, once they were read."""
        return self.reading

    def join_failures(self) -> Failures | None:
        """Return what could not be read, of all parts; ``None`` if that would have been an error."""
        return self.failures

    def make_result(
        self, folder: Path, fill: Callable[[Path], object], prepare: Callable[[], object] = lambda: None
    ) -> None:
        """Make the output of what ``fill`` puts into the folder that it is given.

        Args:
            folder: that of the task, for what goes elsewhere in the end.
            prepare: called when all is written, before the output is there.

        Raises:
            CorpusError: a file was changed while it was read.
        """
        result = make_empty(folder / "result")
        fill(result)
        for path, state in self._read_states().items():
            if state != self._states[path]:
                raise fault(path, "it was changed while it was read: run the command again")
        disk.sync_tree(result)
        prepare()
        disk.rename(result, self.output)
        disk.sync_folder(self.output.absolute().parent)

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
        names = names_below(self.sources)
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
                        disk.link(made, place)

    def join_lists(self, lists: Sequence[Path], target: Path) -> None:
        """Make one file of those that the tasks of all parts have made."""
        if len(lists) == 1:
            disk.link(lists[0], target)
            return
        for each in lists:
            append_file(each, target)


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

    def make_result(
        self, folder: Path, fill: Callable[[Path], object], prepare: Callable[[], object] = lambda: None
    ) -> None:
        """Make the output of the plan of what ``fill`` puts into the folder that it is given."""
        commit_result(self._plan, folder, fill, prepare)
