"""A segment taken over from another index, file by file.

Files of a segment never change, so where both indexes lie on one file system they share them.
"""

from pathlib import Path

from ibidem.store.format import PARTIAL
from ibidem.store.manifest import SegmentEntry
from ibidem.store.segments.segment import Segment
from ibidem.system import disk


class SegmentCopy:
    """A segment on its way into another index; obtained from ``Writer.copy_segment``."""

    def __init__(self, segment: Segment, folder: Path, name: str) -> None:
        if not segment.alive.all():
            raise ValueError(f"segment {segment.name} has removed documents: merge its index first")
        self.name = name
        self.num_documents = segment.num_documents
        self._source = segment
        self._aside = folder / (name + PARTIAL)
        self._final = folder / name

    def finish(self) -> SegmentEntry:
        """Copy and sync all files and give the segment its name."""
        disk.make_folder(self._aside)
        for file in sorted(self._source.folder.iterdir()):
            disk.link(file, self._aside / file.name)
        disk.sync_folder(self._aside)
        disk.rename(self._aside, self._final)
        return SegmentEntry(self.name, self.num_documents, self._source.entry.checksum)

    def close(self) -> None:
        """Nothing is open."""
