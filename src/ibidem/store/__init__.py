"""The segmented inverted file: bytes, documents and postings on disk, and no algorithm.

An index is a folder with a manifest and immutable segments. One writer at a time adds, removes and merges, and each of
its commits is one instant; any number of readers keep the generation that they opened. The bytes are described in
``docs/format.md``.
"""

from ibidem.store.check import FileReport, Report, check_index
from ibidem.store.segments.columns import Checksums
from ibidem.store.segments.segment import Segment
from ibidem.store.segments.writer import SegmentWriter
from ibidem.store.store import Store
from ibidem.store.writer import Writer

__all__ = ["Checksums", "FileReport", "Report", "Segment", "SegmentWriter", "Store", "Writer", "check_index"]
