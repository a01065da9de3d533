"""A folder of an object store, by fsspec: files that are read, written and listed whole; and the files of a URL.

What is under a name changes at one instant. A file that many may want to write is written on a condition: that
there is none of its name, or that it is still what was read. S3 looks at both conditions itself, Google Cloud Storage
and Azure at the first. Where a store cannot, the file is looked at before it is written, and a writer that comes in
between is not noticed.
"""

import glob
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from ibidem.errors import MissingExtraError, StoreError

# Writers of this process that look before they write do so one after another.
_ONE_WRITER = threading.Lock()


# Kinds of URLs that name files alone; a question mark in one of these begins a query.
_WITHOUT_FOLDERS = ("http", "https")

# The packages that fsspec needs for the stores that are asked for most.
_PACKAGES = {"s3": "s3fs", "s3a": "s3fs", "gs": "gcsfs", "gcs": "gcsfs", "abfs": "adlfs", "az": "adlfs"}


def is_remote(path: str) -> bool:
    """Whether the path is a URL, for fsspec to open."""
    return "://" in path


def open_filesystem(url: str, feature: str) -> tuple[Any, str]:
    """The file system of a URL, and its path there.

    Raises:
        MissingExtraError: fsspec, or what it needs for this kind of URL, is not installed.
        StoreError: the URL is of no kind that fsspec knows.
    """
    scheme = url.partition("://")[0]
    try:
        import fsspec
    except ImportError as error:
        raise MissingExtraError(feature, "remote") from error
    # Listings that are kept would hide what others write.
    options = {"auto_mkdir": True} if scheme in ("file", "local") else {"use_listings_cache": False}
    try:
        files, root = fsspec.url_to_fs(url, **options)
    except ImportError as error:
        raise MissingExtraError(f"{feature} ({error})", "remote", _PACKAGES.get(scheme)) from error
    except ValueError as error:
        raise StoreError(f"{url}: cannot be opened: {error}") from error
    return files, str(root)


class ChangedError(Exception):
    """A file is not what it was when it was read, or is where none was."""


class StoredFile(NamedTuple):
    """A file of a folder: its bytes, and when it was written, in seconds since 1970, where that is known."""

    size: int
    modified: float | None


class StoredVersion(NamedTuple):
    """The contents of a file, and the store's name for this state of it, if it has one."""

    data: bytes
    tag: str | None


class Storage:
    """A folder of an object store; names of files are relative to it.

    Attributes:
        url: the folder.
    """

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self._files, root = open_filesystem(self.url, f"a folder at {self.url.partition('://')[0]}://")
        self._root = root.rstrip("/")

    def read(self, name: str) -> bytes:
        """The bytes of a file.

        Raises:
            FileNotFoundError: there is none of this name.
        """
        with self._speaking_of(name):
            return bytes(self._files.cat_file(self._path(name)))

    def read_version(self, name: str) -> StoredVersion:
        """The bytes of a file, for ``replace``.

        Raises:
            FileNotFoundError: there is none of this name.
        """
        tag = self._tag(name)
        while True:
            data, before = self.read(name), tag
            tag = self._tag(name)
            if tag == before:
                return StoredVersion(data, tag)

    def create(self, name: str, data: bytes) -> None:
        """Write a file of a new name.

        Raises:
            ChangedError: one with other bytes is there. Nothing has changed.
        """
        with self._speaking_of(name):
            try:
                self._files.pipe_file(self._path(name), data, mode="create")
            except FileExistsError:
                # The answer to a request that came through may have been lost, and the request sent again.
                if self.read(name) != data:
                    raise ChangedError(f"{self.url}/{name}") from None

    def replace(self, name: str, data: bytes, expected: StoredVersion) -> None:
        """Write a file over what it was when it was read.

        Raises:
            ChangedError: it is not that any more. Nothing has changed.
        """
        with self._speaking_of(name), _ONE_WRITER:
            if self.read(name) not in (expected.data, data):
                raise ChangedError(f"{self.url}/{name}")
            condition = {"IfMatch": expected.tag} if self._is_s3 and expected.tag else {}
            try:
                self._files.pipe_file(self._path(name), data, **condition)
            except OSError:
                if not condition or self.read(name) == expected.data:
                    raise
                if self.read(name) != data:
                    raise ChangedError(f"{self.url}/{name}") from None

    def upload(self, file: Path, name: str) -> None:
        """Write a file of this machine, whatever is there.

        Raises:
            StoreError: the store does not answer, or has no such bucket.
        """
        with self._speaking_of(name):
            try:
                self._files.put_file(str(file), self._path(name))
            except FileNotFoundError as error:
                raise StoreError(f"{self.url}/{name}: cannot be written: {error}") from error

    def download(self, name: str, file: Path) -> None:
        """Write a file to this machine.

        Raises:
            FileNotFoundError: there is none of this name.
        """
        with self._speaking_of(name):
            self._files.get_file(self._path(name), str(file))

    def list(self, folder: str = "") -> dict[str, StoredFile]:
        """All files in a folder and below, by name; none if there is no such folder."""
        with self._speaking_of(folder):
            try:
                facts_by_path = self._files.find(self._path(folder), detail=True)
            except FileNotFoundError:
                return {}
        return {
            path.removeprefix(self._root).lstrip("/"): StoredFile(int(facts["size"]), _time_of(facts))
            for path, facts in facts_by_path.items()
        }

    def remove(self, names: Iterable[str]) -> None:
        """Remove files; that one is gone already is no error."""
        for name in names:
            with self._speaking_of(name):
                try:
                    self._files.rm_file(self._path(name))
                except FileNotFoundError:
                    continue

    def _path(self, name: str) -> str:
        return f"{self._root}/{name}" if name else self._root

    @property
    def _is_s3(self) -> bool:
        protocols = self._files.protocol
        return "s3" in ((protocols,) if isinstance(protocols, str) else protocols)

    def _tag(self, name: str) -> str | None:
        with self._speaking_of(name):
            tag = self._files.info(self._path(name)).get("ETag")
        return None if tag is None else str(tag)

    @contextmanager
    def _speaking_of(self, name: str) -> Iterator[None]:
        """Errors of the store's own libraries, of which there are many kinds, name what was asked for."""
        try:
            yield
        except (FileNotFoundError, ChangedError, StoreError):
            raise
        except Exception as error:
            address = f"{self.url}/{name}".rstrip("/")
            raise StoreError(f"{address}: {error or type(error).__name__}; check the address and the rights") from error


def _time_of(facts: dict[str, Any]) -> float | None:
    """When a file was written; stores name it differently."""
    for key in ("LastModified", "last_modified", "updated", "mtime", "created"):
        value = facts.get(key)
        if isinstance(value, str):
            value = datetime.fromisoformat(value)
        if isinstance(value, datetime):
            return value.timestamp()
        if isinstance(value, int | float):
            return float(value)
    return None


def list_files(url: str, feature: str) -> list[tuple[str, str]] | None:
    """The files of a folder or a glob, sorted: the URL of each, and its name.

    The name is relative to a folder that was given, and the URL where a glob was. Hidden files are left out. ``None``
    if the URL is that of one file, whether there is such a file or not.

    Raises:
        MissingExtraError: fsspec, or what it needs for this kind of URL, is not installed.
        StoreError: the URL is of no kind that fsspec knows.
    """
    scheme, _, location = url.partition("://")
    if scheme in _WITHOUT_FOLDERS:
        return None
    base = "/".join(_before_magic(location.split("/")))
    files, root = open_filesystem(f"{scheme}://{base}", feature)
    if base == location:
        root = root.rstrip("/")
        if not files.isdir(root):
            return None
        paths = sorted(files.find(root))
        return [(f"{url.rstrip('/')}/{name}", name) for name in _names_below(paths, root)]
    _, pattern = open_filesystem(url, feature)
    paths = sorted(path for path, facts in files.glob(pattern, detail=True).items() if facts["type"] == "file")
    urls = [f"{scheme}://{base}/{name}" for name in _names_below(paths, root.rstrip("/"))]
    return [(file_url, file_url) for file_url in urls]


def _before_magic(parts: list[str]) -> list[str]:
    """The parts of a path before the first that is a pattern."""
    for number, part in enumerate(parts):
        if glob.has_magic(part):
            return parts[:number]
    return parts


def _names_below(paths: list[Any], root: str) -> list[str]:
    names = (str(path).removeprefix(root).lstrip("/") for path in paths)
    return [name for name in names if name and not any(part.startswith(".") for part in name.split("/"))]
