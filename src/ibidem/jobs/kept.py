"""The files that a job reads and writes again, one for each input."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ibidem.corpus.failures import Failures, count_left_out
from ibidem.corpus.faults import fault
from ibidem.corpus.id_register import IdRegister
from ibidem.corpus.inputs import InputPart, read_state
from ibidem.corpus.listing import list_sources
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import ReadingProgress, Source
from ibidem.corpus.writing.filtering import CountedDocuments
from ibidem.corpus.writing.kept import join_files, join_lists, place_files
from ibidem.remote.storage import is_remote
from ibidem.resources import Resources
from ibidem.system import disk

_Path = str | os.PathLike[str]


class FileJob:
    """The files of a job.

    Attributes:
        paths: those that name the files.
        output: the new folder.
        parts: how many parts the input has.
        sources: all files, and pieces of files, in order.
        bounds: for each part the first of its sources and the one after its last.
        reading, failures: the files of the part that was read last, and what could not be read of them; ``None`` if
            that would have been an error.
        ids: the register of the ids of documents, if they must differ.
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
        if failures is None and columns.duplicate_ids == "first":
            failures = Failures(skips=False)  # which rows are not written again
        self.ids = IdRegister.of(columns)
        found = list_sources(self.paths, progress, failures, choice=columns.choice, ids=self.ids)
        files = [each._replace(encoding=columns.encoding, delimiter=columns.delimiter) for each in found]
        self.reading = CountedDocuments(files, columns, resources.batch_bytes)
        self.failures, self.passed_over = failures, progress.passed_over
        self.sources, self.bounds = files, [(0, len(files))]
        self._parts = [InputPart(0, files, columns, skips=failures is not None, notes=failures is not None)]
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
        result = disk.make_empty(folder / "result")
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
        return place_files(self._parts[0], folder)

    def join_kept(self, folders: Iterable[Path], target: Path) -> None:
        """Give each file that was placed in the folder of its part its name below ``target``."""
        join_files(self._parts, folders, target)

    def join_lists(self, lists: Sequence[Path], target: Path) -> None:
        """Make one file of those that the tasks of all parts have made."""
        join_lists(lists, target)
