"""An index that goes to an object store: each segment is uploaded by the rank that made it, the manifest by one.

So no machine ever holds the whole index. The files and the manifest are those of a build.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from ibidem.errors import IndexExistsError
from ibidem.remote.storage import Storage
from ibidem.store import Segment
from ibidem.store.format import segment_name
from ibidem.store.manifest import read_manifest, sign_manifest
from ibidem.store.remote.layout import index_files, segment_files
from ibidem.store.remote.publication import Publication

__all__ = ["commit_remotely", "upload_segments"]


def upload_segments(url: str, segments: Sequence[Segment]) -> None:
    """Upload the files of segments, which nobody sees until the commit."""
    for segment in segments:
        Publication(Storage(url)).upload(segment_files(segment.folder, segment.entry))


def commit_remotely(url: str, place: Path, segments: Sequence[Segment]) -> None:
    """Make the index of segments that were uploaded.

    A rank that was killed may have done so already; then nothing changes.

    Args:
        place: an index without segments, of the same configuration, with what else belongs to the index.

    Raises:
        IndexExistsError: another index stands there.
    """
    manifest = read_manifest(place)
    files = index_files(place, manifest)
    for segment in segments:
        files |= segment_files(segment.folder, segment.entry)
    entries = [
        msgspec.structs.replace(segment.entry, name=segment_name(number))
        for number, segment in enumerate(segments, start=1)
    ]
    if entries:
        manifest = msgspec.structs.replace(manifest, generation=1, next_segment=len(entries) + 1, segments=entries)
    try:
        Publication(Storage(url)).commit(files, sign_manifest(manifest), None)
    except IndexExistsError:
        raise IndexExistsError(f"{url}: another index stands there; remove it, or plan with another output") from None
