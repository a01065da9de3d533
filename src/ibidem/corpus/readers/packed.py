"""Documents that are zip files of XML: bounded before a byte of them is unpacked."""

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from ibidem.corpus.readers.document import Opened, UnreadableError

MOST_RATIO = 200
"""Times the bytes of a packed file that what is in it may have; text takes a tenth at best."""

_SMALL = 64 << 20


def is_bomb(size: int, stored_size: int) -> bool:
    """Whether so many bytes, of which so many are stored, take more memory than such a file needs."""
    return size > _SMALL and size > MOST_RATIO * stored_size


@contextmanager
def open_zip(file: Opened) -> Iterator[zipfile.ZipFile]:
    """A zip file whose members, together, are not more than the largest document, or than its archive may unpack to.

    Raises:
        BombError: those of all files of the archive in which it lies are more than that.
        UnreadableError: it is no zip file or damaged, or its members would take more memory than such a file needs.
    """
    try:
        with zipfile.ZipFile(file.stream) as archive:
            members = archive.infolist()
            size, stored_size = (
                sum(member.file_size for member in members),
                sum(member.compress_size for member in members),
            )
            if size > file.largest or is_bomb(size, stored_size):
                raise UnreadableError(f"{size:,} bytes are packed into {stored_size:,}: refused as a zip bomb")
            if file.allowance is not None:
                file.allowance.take(size)
            yield archive
    except (zipfile.BadZipFile, EOFError, NotImplementedError, ValueError, zlib.error) as error:
        raise UnreadableError(f"damaged zip file ({error})") from error
    except RuntimeError as error:
        raise UnreadableError(f"cannot be unpacked ({error})") from error  # a password


def read_member(archive: zipfile.ZipFile, name: str) -> bytes:
    """The bytes of a member.

    Raises:
        UnreadableError: there is no such member.
    """
    try:
        return archive.read(name)
    except KeyError as error:
        raise UnreadableError(f"{name} is missing from it") from error
