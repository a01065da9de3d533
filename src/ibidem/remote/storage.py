"""A folder of an object store, by fsspec: files that are read, written and listed whole; and the files of a URL."""

import glob
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ibidem.errors import MissingExtraError, StoreError

# Files that are uploaded or downloaded at a time.
_TRANSFERS = 8

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

    def write(self, name: str, data: bytes) -> None:
        """Write a file, whatever is there.

        Raises:
            StoreError: the store does not answer, or has no such bucket.
        """
        with self._writing(name):
            self._files.pipe_file(self._path(name), data)

    def upload(self, file: Path, name: str) -> None:
        """Write a file of this machine, whatever is there.

        Raises:
            StoreError: the store does not answer, or has no such bucket.
        """
        with self._writing(name):
            self._files.put_file(str(file), self._path(name))

    def download(self, name: str, file: Path) -> None:
        """Write a file to this machine.

        Raises:
            FileNotFoundError: there is none of this name.
        """
        with self._speaking_of(name):
            self._files.get_file(self._path(name), str(file))

    def upload_all(self, files: Mapping[str, Path]) -> None:
        """Write files of this machine under their names, several at a time."""
        _run_each(lambda name: self.upload(files[name], name), files)

    def download_all(self, files: Mapping[str, Path]) -> None:
        """Write files to this machine, given by their names, several at a time.

        Raises:
            FileNotFoundError: there is none of one of the names.
        """
        _run_each(lambda name: self.download(name, files[name]), files)

    def list(self, folder: str = "") -> dict[str, int]:
        """The bytes of all files in a folder and below, by name; none if there is no such folder."""
        with self._speaking_of(folder):
            try:
                facts_by_path = self._files.find(self._path(folder), detail=True)
            except FileNotFoundError:
                return {}
        return {path.removeprefix(self._root).lstrip("/"): int(facts["size"]) for path, facts in facts_by_path.items()}

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

    @contextmanager
    def _writing(self, name: str) -> Iterator[None]:
        with self._speaking_of(name):
            try:
                yield
            except FileNotFoundError as error:
                raise StoreError(f"{self.url}/{name}: cannot be written: {error}") from error

    @contextmanager
    def _speaking_of(self, name: str) -> Iterator[None]:
        """Errors of the store's own libraries, of which there are many kinds, name what was asked for."""
        try:
            yield
        except (FileNotFoundError, StoreError):
            raise
        except Exception as error:
            address = f"{self.url}/{name}".rstrip("/")
            raise StoreError(f"{address}: {error or type(error).__name__}; check the address and the rights") from error


def _run_each(transfer: Callable[[str], None], names: Iterable[str]) -> None:
    with ThreadPoolExecutor(_TRANSFERS) as pool:
        for _ in pool.map(transfer, names):
            pass


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
