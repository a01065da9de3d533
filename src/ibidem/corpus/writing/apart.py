"""Keeping outputs apart from inputs, and from what ibidem wrote before."""

import glob
import os
import posixpath
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import permutations
from pathlib import Path
from typing import NamedTuple

from ibidem.errors import CorpusError, StoreError
from ibidem.remote.storage import Storage, is_remote
from ibidem.store.manifest import is_index

_Path = str | os.PathLike[str]

_ASIDE = ".partial"
"""Suffix of the name of an output while it is made; a file or folder of that name is overwritten, or removed."""

_SAME_STORE = {"s3a": "s3", "gcs": "gs", "az": "abfs"}

_LOOKED_AT = 1 << 16
"""Bytes of a record that are read."""


def require_apart(outputs: Iterable[_Path], inputs: Iterable[_Path] = ()) -> None:
    """Refuse an output that is an input, or that lies inside another output, an index or a result.

    Files are compared and not names, so links, other spellings and folders mounted twice make no difference. A file
    that exists below a folder of the input, or matches a glob, is an input. ``-`` is no file.

    Raises:
        CorpusError: names the output, and what it would destroy.
    """
    places = [_Place.of(path) for path in outputs if os.fspath(path) != "-"]
    read = [place for path in inputs if os.fspath(path) != "-" for place in _expand(os.fspath(path))]
    for place in places:
        for input_place in read:
            _require_no_input(place, input_place)
        place.require_outside()
        for input_place in read:
            if place.is_visible_file_in(input_place):
                raise CorpusError(
                    f"{place.name}: the output is a file of the input {input_place.name}; give it another name"
                )
    for output, other_place in permutations(places, 2):
        if output.is_same(other_place) or other_place.holds(output):
            raise CorpusError(
                f"{output.name}: it is, or lies in, another output, {other_place.name}: give each its own place"
            )


def _require_no_input(output: "_Place", read: "_Place") -> None:
    if output.is_same(read):
        raise CorpusError(f"{output.name}: the output is an input{_also(output, read)}; give it another name")
    aside = output.aside
    if aside.is_same(read) or aside.holds(read):
        raise CorpusError(f"{output.name}: it is made at {aside.name}, where an input is; give it another name")


def _also(output: "_Place", read: "_Place") -> str:
    return "" if output.name == read.name else f", {read.name}"


def _expand(path: str) -> "Iterator[_Place]":
    """The places that a path of the input names."""
    if not is_remote(path) and glob.has_magic(path) and not os.path.lexists(path):
        yield from map(_Place.of, glob.iglob(path, recursive=True))
    else:
        yield _Place.of(path)


class _Place(NamedTuple):
    """The place of something that exists or will exist.

    Attributes:
        name: as it was given.
        path: without links, or the URL in one spelling.
    """

    name: str
    path: str

    @classmethod
    def of(cls, path: _Path) -> "_Place":
        name = os.fspath(path)
        if not is_remote(name):
            return cls(name, os.path.realpath(name))
        scheme, _, address = name.partition("://")
        if scheme in ("file", "local"):
            return cls(name, os.path.realpath(address))
        return cls(name, f"{_SAME_STORE.get(scheme, scheme)}:/{posixpath.normpath('/' + address.strip('/'))}")

    @property
    def aside(self) -> "_Place":
        """Where it is made."""
        return _Place(self.name.rstrip("/") + _ASIDE, self.path + _ASIDE)

    def is_same(self, other: "_Place") -> bool:
        """Whether both are one file or folder."""
        return self.path == other.path or (self._identity is not None and self._identity == other._identity)

    def holds(self, other: "_Place") -> bool:
        """Whether the other is below this."""
        return any(self.is_same(folder) for folder in other._folders())

    def is_visible_file_in(self, folder: "_Place") -> bool:
        """Whether it is a file that exists and that a reader of the folder would meet."""
        if self._identity is None or not folder.holds(self):
            return False
        below = Path(self.path).parts[len(Path(folder.path).parts) :]
        return not any(part.startswith(".") for part in below)

    def require_outside(self) -> None:
        """Refuse a place inside a folder that ibidem wrote.

        Raises:
            CorpusError: names the folder.
        """
        for folder in self._folders():
            if description := _name_folder(folder.path):
                raise CorpusError(
                    f"{self.name}: this lies inside {description}, {folder.path}; give the output another place"
                )

    def _folders(self) -> "Iterator[_Place]":
        """The folders that hold it, the innermost first."""
        path = self.path
        top = "/" if not is_remote(path) else "/".join(path.split("/", 3)[:3])
        while path != top and (path := posixpath.dirname(path)):
            yield _Place(path, path)

    @property
    def _identity(self) -> tuple[int, int] | None:
        """The system's identity of a file, if there is one."""
        if is_remote(self.path):
            return None
        try:
            status = os.stat(self.path)
        except OSError:
            return None
        return status.st_dev, status.st_ino


def _name_folder(path: str) -> str | None:
    """Name what ibidem wrote into a folder, if it did."""
    if is_index(path):
        return "an index"
    summary = _read(path, "summary.json")
    if b'"documents"' in summary and (b'"clusters"' in summary or b'"passages"' in summary):
        return "a result"
    return None


def _read(folder: str, name: str) -> bytes:
    """The begin of a file, or nothing if there is none."""
    with suppress(OSError, StoreError):
        if is_remote(folder):
            return Storage(folder).read(name)
        with open(os.path.join(folder, name), "rb") as file:
            return file.read(_LOOKED_AT)
    return b""
