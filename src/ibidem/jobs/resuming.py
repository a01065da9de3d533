"""Outputs that an interrupted call leaves, so that the same call resumes after them."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec

import ibidem
from ibidem.corpus.inputs import read_state
from ibidem.corpus.writing.filtering import CountedDocuments
from ibidem.jobs.reading import recall_failures
from ibidem.jobs.stage import Stage
from ibidem.jobs.workspace import Memory
from ibidem.resources import Resources
from ibidem.system import disk

Output = TypeVar("Output")


class Resumable:
    """Outputs in a folder, each whole or absent, for as long as all that they depend on is the same.

    Attributes:
        resumed: the names of the outputs that an interrupted call left.
    """

    def __init__(self, folder: Path, origin: bytes) -> None:
        self.resumed: list[str] = []
        self._folder, record = folder, folder / "origin.json"
        if not record.exists() or record.read_bytes() != origin:
            disk.write_file(disk.make_empty(folder) / record.name, origin)

    def keep(
        self,
        name: str,
        make: Callable[[Path], Output],
        save: Callable[[Output, Path], None],
        open: Callable[[Path], Output],
    ) -> Output:
        """The output that an interrupted call left, or the one that ``make`` returns, from the disk in either case.

        ``make`` and ``save`` write to the folder that they are given.
        """
        place = self._folder / name
        if place.exists():
            self.resumed.append(name)
        else:
            unfinished = disk.make_empty(self._folder / f"{name}.unfinished")
            save(make(unfinished), unfinished)
            disk.sync_tree(unfinished)
            disk.rename(unfinished, place)
            disk.sync_folder(self._folder)
        return open(place)

    def do_task(self, workspace: Memory, stage: Stage, resources: Resources) -> None:
        """Do the only task of a stage, unless an interrupted call left its output; what it left out is noted again."""
        output = self.keep(stage.name, lambda place: stage.work(workspace, 0, place, resources), stage.save, stage.open)
        workspace.put(stage, 0, output, self._folder / stage.name)
        recall_failures(self._folder / stage.name, workspace.job.failures)


def describe_origin(reading: CountedDocuments, *facts: object) -> bytes:
    """Describe what outputs depend on: the program, the files as they are, how they are read, and more ``facts``."""
    files = [(file.path, file.name, *read_state(file)) for file in reading.files]
    return msgspec.json.encode([ibidem.__version__, reading.columns, files, *facts], order="sorted")
