"""The manifest: which segments make up an index, under which configuration.

It is the only file of an index that is ever replaced, and it is replaced at one instant: whoever opens an index reads
one manifest and has one generation of it, whole.
"""

from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Any

import msgspec
import xxhash

import ibidem
from ibidem.errors import DamagedError, FormatVersionError, NotAnIndexError, StoreError
from ibidem.remote.storage import Storage, is_remote
from ibidem.store.files.columns import ColumnRecord
from ibidem.store.format import (
    ATTACHMENTS,
    FORMAT_VERSION,
    FREQUENCIES,
    FREQUENCY_COLUMNS,
    MANIFEST,
    MAX_ATTACHMENT_BYTES,
    MAX_RECORD_BYTES,
    PARTIAL,
    SEGMENTS,
    TOMBSTONES,
    tombstone_name,
)
from ibidem.system import disk

Count = Annotated[int, msgspec.Meta(ge=0)]
# The name becomes part of a path: digits alone keep it inside the index.
Name = Annotated[str, msgspec.Meta(pattern=r"^[0-9]{6,20}\Z")]
Checksum = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{32}\Z")]


class RemovedDocuments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The documents removed from a segment: all of them, as of the generation in which the last was removed."""

    generation: Count
    documents: Count
    checksum: str

    @property
    def record(self) -> ColumnRecord:
        """The record of the column of their rows."""
        return ColumnRecord([self.documents], self.checksum)


class SegmentEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One segment; ``checksum`` is that of its ``segment.json``."""

    name: Name
    documents: Count
    checksum: str
    removal: RemovedDocuments | None = None

    @property
    def tombstones(self) -> str | None:
        """Path of the file of removed rows, relative to the index."""
        return f"{TOMBSTONES}/{tombstone_name(self.name, self.removal.generation)}" if self.removal else None


class FrequenciesEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The document frequencies of the index as a whole."""

    num_documents: Count
    columns: dict[str, ColumnRecord]


class Attachment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file that the configuration refers to, as it was when the index was made; its checksum is its name."""

    checksum: Checksum
    bytes: Annotated[int, msgspec.Meta(ge=0, le=MAX_ATTACHMENT_BYTES)]

    @property
    def file(self) -> str:
        """Path of the file, relative to the index."""
        return f"{ATTACHMENTS}/{self.checksum}"


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One generation of an index. ``checksum`` is that of the manifest's own JSON with ``checksum`` empty."""

    format_version: int
    written_by: str
    generation: Count
    next_segment: Count
    fingerprint: str
    config: dict[str, Any]
    segments: list[SegmentEntry]
    frequencies: FrequenciesEntry | None = None
    attachments: list[Attachment] = []
    checksum: str = ""

    def files(self) -> dict[str, str]:
        """Files and folders that this generation needs, relative to the index, and checksums of what they hold."""
        files = {f"{SEGMENTS}/{entry.name}": entry.checksum for entry in self.segments}
        files |= {
            entry.tombstones: entry.removal.checksum for entry in self.segments if entry.tombstones and entry.removal
        }
        files |= {attachment.file: attachment.checksum for attachment in self.attachments}
        if self.frequencies:
            files[FREQUENCIES] = " ".join(record.checksum for record in self.frequencies.columns.values())
        return files


class _Stamp(msgspec.Struct):
    """The part of a manifest that every version of the format can read."""

    format_version: int
    written_by: str = "another program"


class _Mark(msgspec.Struct):
    """The mark that distinguishes the manifest of an index from another program's file of the same name."""

    format_version: int
    fingerprint: str
    segments: list[Any]


def compute_checksum(data: bytes) -> str:
    """The checksum of a small file: xxh3, 128 bits, in hexadecimal."""
    return xxhash.xxh3_128_hexdigest(data)


def encode(value: object) -> bytes:
    """JSON as the store writes it: indented, a line feed at the end, always the same bytes for the same value."""
    return msgspec.json.format(msgspec.json.encode(value, order="deterministic"), indent=2) + b"\n"


def compute_fingerprint(config: dict[str, Any]) -> str:
    """A name for a configuration: the xxh3 of its JSON with keys in order and no white space."""
    return compute_checksum(msgspec.json.encode(config, order="sorted"))


def make_manifest(config: dict[str, Any]) -> Manifest:
    """Generation 0 of an index: a configuration and no documents."""
    config = msgspec.json.decode(msgspec.json.encode(config, order="sorted"), type=dict[str, Any])
    return Manifest(
        format_version=FORMAT_VERSION,
        written_by=_sign(),
        generation=0,
        next_segment=1,
        fingerprint=compute_fingerprint(config),
        config=config,
        segments=[],
    )


def read_manifest(path: Path) -> Manifest:
    """The manifest of the index at ``path``.

    Raises:
        NotAnIndexError: there is no folder at the path, or no manifest in it.
        FormatVersionError: it is of a format version that is not read here.
        DamagedError: it is not what was written.
    """
    try:
        data = disk.read_file(path / MANIFEST, MAX_RECORD_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        raise NotAnIndexError(_describe_absence(path)) from None
    return parse_manifest(data, path)


def parse_manifest(data: bytes, place: Path | str) -> Manifest:
    """The manifest that a file holds; ``place`` is that of the index, for errors.

    Raises:
        FormatVersionError: it is of a format version that is not read here.
        DamagedError: it is not what was written.
    """
    file = f"{place}/{MANIFEST}"
    try:
        _refuse_other_versions(place, msgspec.json.decode(data, type=_Stamp))
        manifest = msgspec.json.decode(data, type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DamagedError(f"{file}: not a manifest: {error}") from None
    if manifest.checksum != _compute_own_checksum(manifest):
        raise DamagedError(f"{file}: the checksum does not match: the file was altered")
    if fault := _find_contradiction(manifest):
        raise DamagedError(f"{file}: {fault}")
    return manifest


def read_attachment(path: Path, attachment: Attachment) -> bytes:
    """A file that is kept in the index at ``path``.

    Raises:
        DamagedError: it is missing, or not what was written.
    """
    file = path / attachment.file
    disk.require_folder(file.parent)
    try:
        data = disk.read_file(file, attachment.bytes)
    except (FileNotFoundError, NotADirectoryError):
        raise DamagedError(f"{file}: the file is missing") from None
    if len(data) != attachment.bytes or compute_checksum(data) != attachment.checksum:
        raise DamagedError(f"{file}: the checksum does not match: the file was altered")
    return data


def select_segments(manifest: Manifest, names: Collection[str], place: Path | str) -> Manifest:
    """The manifest of an index that has some of the segments alone.

    Raises:
        StoreError: there is no segment of one of the names.
    """
    entries = [entry for entry in manifest.segments if entry.name in names]
    if missing := set(names) - {entry.name for entry in entries}:
        raise StoreError(f"{place}: there is no segment {min(missing)}, or not any more: open the index again")
    return sign_manifest(msgspec.structs.replace(manifest, segments=entries))


def is_index(path: str) -> bool:
    """Whether the folder, here or in an object store, holds the manifest of an index, of whatever version."""
    try:
        data = (
            Storage(path).read(MANIFEST) if is_remote(path) else disk.read_file(Path(path) / MANIFEST, MAX_RECORD_BYTES)
        )
        return bool(msgspec.json.decode(data, type=_Mark).fingerprint)
    except (OSError, StoreError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def _find_contradiction(manifest: Manifest) -> str | None:
    """Describe the fault of a manifest whose checksum is right."""
    numbers = [int(entry.name) for entry in manifest.segments]
    if len(set(numbers)) < len(numbers) or max(numbers, default=0) >= manifest.next_segment:
        return "a segment has the number of another, or of one that is yet to come"
    removals = [entry.removal for entry in manifest.segments if entry.removal]
    if any(removal.generation > manifest.generation for removal in removals):
        return "a document was removed in a generation that is yet to come"
    if manifest.fingerprint != compute_fingerprint(manifest.config):
        return "the fingerprint is not that of the configuration"
    checksums = [attachment.checksum for attachment in manifest.attachments]
    if len(set(checksums)) < len(checksums):
        return "a file is attached twice"
    frequencies = manifest.frequencies
    if frequencies and set(frequencies.columns) != {column.name for column in FREQUENCY_COLUMNS}:
        return "the document frequencies have other columns than tokens and counts"
    return None


def write_manifest(path: Path, manifest: Manifest) -> Manifest:
    """Replace the index's manifest, at one instant; return the new one, signed and with its checksum."""
    signed_manifest = sign_manifest(manifest)
    put_manifest(path, signed_manifest)
    return signed_manifest


def sign_manifest(manifest: Manifest) -> Manifest:
    """The manifest as this version of ibidem writes it, with its checksum."""
    signed_manifest = msgspec.structs.replace(manifest, written_by=_sign())
    return msgspec.structs.replace(signed_manifest, checksum=_compute_own_checksum(signed_manifest))


def put_manifest(path: Path, manifest: Manifest) -> None:
    """Replace the index's manifest, at one instant."""
    aside = path / (MANIFEST + PARTIAL)
    disk.write_file(aside, encode(manifest))
    disk.rename(aside, path / MANIFEST)
    disk.sync_folder(path)


def _compute_own_checksum(manifest: Manifest) -> str:
    return compute_checksum(encode(msgspec.structs.replace(manifest, checksum="")))


def _sign() -> str:
    return f"ibidem {ibidem.__version__}"


def _describe_absence(path: Path) -> str:
    if not path.exists():
        return f"{path}: no index there: the path does not exist; ibidem index FILE... -o {path} makes one"
    if not path.is_dir():
        return f"{path}: not an index but a file; ibidem index {path} -o OUT makes an index of it"
    return f"{path}: not an index: the folder has no {MANIFEST}"


def _refuse_other_versions(place: Path | str, stamp: _Stamp) -> None:
    version, writer = stamp.format_version, stamp.written_by
    if version != FORMAT_VERSION:
        advice = (
            "upgrade ibidem (pip install --upgrade ibidem)" if version > FORMAT_VERSION else "build the index again"
        )
        raise FormatVersionError(
            f"{place}: written by {writer} in format version {version}; this is {_sign()}, which reads version "
            f"{FORMAT_VERSION}: {advice}"
        )
