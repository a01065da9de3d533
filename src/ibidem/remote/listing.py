"""The files that a URL names: one file, all files of a folder, or those that a glob matches."""

import glob
from typing import Any

from ibidem.remote.storage import open_filesystem

__all__ = ["list_files"]

# Kinds of URLs that name files alone; a question mark in one of these begins a query.
_WITHOUT_FOLDERS = ("http", "https")


def list_files(url: str, feature: str) -> list[tuple[str, str]] | None:
    """The files of a folder or a glob, sorted: the URL of each, and its name.

    The name is relative to a folder that was given, and the URL where a glob was. Hidden files are left out. ``None``
    if the URL is that of one file, whether there is such a file or not.

    Raises:
        MissingExtraError: fsspec, or what it needs for this kind of URL, is not installed.
        StoreError: the URL is of no kind that fsspec knows.
    """
    scheme, _, rest = url.partition("://")
    if scheme in _WITHOUT_FOLDERS:
        return None
    base = "/".join(_before_magic(rest.split("/")))
    files, root = open_filesystem(f"{scheme}://{base}", feature)
    if base == rest:
        root = root.rstrip("/")
        if not files.isdir(root):
            return None
        found = sorted(files.find(root))
        return [(f"{url.rstrip('/')}/{name}", name) for name in _names_below(found, root)]
    _, pattern = open_filesystem(url, feature)
    matched = sorted(path for path, facts in files.glob(pattern, detail=True).items() if facts["type"] == "file")
    urls = [f"{scheme}://{base}/{name}" for name in _names_below(matched, root.rstrip("/"))]
    return [(each, each) for each in urls]


def _before_magic(parts: list[str]) -> list[str]:
    """The parts of a path before the first that is a pattern."""
    for number, part in enumerate(parts):
        if glob.has_magic(part):
            return parts[:number]
    return parts


def _names_below(paths: list[Any], root: str) -> list[str]:
    names = (str(path).removeprefix(root).lstrip("/") for path in paths)
    return [name for name in names if name and not any(part.startswith(".") for part in name.split("/"))]
