"""Where the files of an index are in an object store: each under a name that its content gives.

So two writers never write different bytes to one name, an interrupted upload resumes, and a file that exists there is
the right one. Only the manifest is ever replaced.
"""

from pathlib import Path

from ibidem.store.format import FREQUENCIES, FREQUENCY_COLUMNS, SEGMENTS, TOMBSTONES
from ibidem.store.manifest import FrequenciesEntry, Manifest, SegmentEntry


def segment_folder(entry: SegmentEntry) -> str:
    """The folder of a segment: the checksum of its record, which holds the checksums of all its columns."""
    return f"{SEGMENTS}/{entry.checksum}"


def tombstone_file(entry: SegmentEntry) -> str | None:
    """The file of the rows that were removed from a segment."""
    return f"{TOMBSTONES}/{entry.removal.checksum}.npy" if entry.removal else None


def frequency_folder(entry: FrequenciesEntry) -> str:
    """The folder of the document frequencies."""
    return f"{FREQUENCIES}/{'-'.join(entry.columns[column.name].checksum for column in FREQUENCY_COLUMNS)}"


def segment_files(folder: Path, entry: SegmentEntry) -> dict[str, Path]:
    """The files of a segment in a folder of this machine, by their names in the store."""
    return {f"{segment_folder(entry)}/{file.name}": file for file in sorted(folder.iterdir())}


def index_files(index: Path, manifest: Manifest) -> dict[str, Path]:
    """All files of an index on this machine but the manifest, by their names in the store."""
    files: dict[str, Path] = {}
    for entry in manifest.segments:
        files |= segment_files(index / SEGMENTS / entry.name, entry)
        tombstones = tombstone_file(entry)
        if tombstones is not None and entry.tombstones is not None:
            files[tombstones] = index / entry.tombstones
    if manifest.frequencies is not None:
        folder = frequency_folder(manifest.frequencies)
        files |= {f"{folder}/{column.file}": index / FREQUENCIES / column.file for column in FREQUENCY_COLUMNS}
    return files | {attachment.file: index / attachment.file for attachment in manifest.attachments}
