"""From what a user names (files, folders, globs, a pipe, URLs) to the files to be read, in a fixed order.

The name of a file is its id, or is in the ids of its rows. A file that is named has its path as its name, one of a
folder its path from there; where the files of a folder are the pages of one document, it has the path of the folder.
Two folders may hold files of one name: then all files have their paths from the folder that holds all that is given.
"""

import glob
import os
import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import PurePath
from typing import NamedTuple

from ibidem.corpus.failures import Failures, leave_out
from ibidem.corpus.faults import fault, system_cause
from ibidem.corpus.folders import FileChoice, list_folder, list_remote_folder
from ibidem.corpus.formats import FORMATS, format_of
from ibidem.corpus.readers.page_files import page_order
from ibidem.corpus.sources import STANDARD_INPUT, Path, ReadingProgress, Source, stored_size
from ibidem.remote.storage import is_remote


def list_sources(
    paths: Path | Iterable[Path],
    progress: ReadingProgress | None = None,
    failures: Failures | None = None,
    *,
    indexes: bool = False,
    choice: FileChoice | None = None,
) -> list[Source]:
    """Every file that the paths name: paths in the order given, folders and globs in sorted order.

    ``progress`` receives how many bytes there are and how many are read, and which files of folders are skipped;
    ``failures`` what is left out. With ``indexes``, a path may be that of an index.

    Raises:
        CorpusError: a path does not exist, a glob matches nothing, or a folder holds no files.
    """
    path_list = [paths] if isinstance(paths, str | os.PathLike) else paths
    return list_sides([path_list], progress, failures, indexes=indexes, choice=choice)[0]


def list_sides(
    sides: Iterable[Iterable[Path]],
    progress: ReadingProgress | None = None,
    failures: Failures | None = None,
    *,
    indexes: bool = False,
    choice: FileChoice | None = None,
) -> list[list[Source]]:
    """As ``list_sources``, of several collections that are compared, whose ids must differ."""
    places = [[place for path in paths for place in _expand(os.fspath(path), indexes)] for paths in sides]
    passed_over, choice = Counter[str]() if progress is None else progress.passed_over, choice or FileChoice()
    list_files = partial(_list_files, passed_over, failures, choice)
    listed = [[source for place in side for source in list_files(place)] for side in places]
    if choice.pages:
        listed = [_gather_pages(side) for side in listed]
    names = Counter(source.name for side in listed for source in side)
    if max(names.values(), default=0) > 1:
        root = _find_root([place for side in places for place in side])
        listed = [[_name_from(root, source) for source in side] for side in listed]
    found = [list(_keep_named(side, failures)) for side in listed]
    if progress is None:
        return found
    progress.expect([stored_size(source) for side in found for source in side])
    return [[source._replace(progress=progress) for source in side] for side in found]


def _gather_pages(sources: Sequence[Source]) -> list[Source]:
    """The sources, the pages of each folder as one; tables and archives are no pages."""
    files: dict[str | int, list[Source]] = {}
    for number, source in enumerate(sources):
        is_page = not source.is_pipe and not source.is_index and format_of(source) is FORMATS["text"]
        files.setdefault(os.path.dirname(source.path) if is_page else number, []).append(source)
    return [_make_document(folder, found) if isinstance(folder, str) else found[0] for folder, found in files.items()]


def _make_document(folder: str, pages: Sequence[Source]) -> Source:
    name = os.path.dirname(pages[0].name) or os.path.basename(os.path.abspath(folder))
    return Source(folder or ".", name, pages=tuple(sorted(pages, key=lambda page: page_order(page.path))))


class _Place(NamedTuple):
    """A path that was given, or that a glob matches."""

    path: str
    kind: str  # "pipe", "index", "url", "folder" or "file"


def _expand(path: str, indexes: bool) -> Iterator[_Place]:
    from ibidem.store.manifest import is_index

    if path == "-":
        yield _Place(path, "pipe")
    elif indexes and is_index(path):
        yield _Place(path, "index")
    elif is_remote(path):
        yield _Place(path, "url")
    elif glob.has_magic(path) and not os.path.lexists(path):
        for match in _match_glob(path):
            yield _Place(match, "folder" if os.path.isdir(match) else "file")
    else:
        yield _Place(path, "folder" if os.path.isdir(path) else "file")


def _match_glob(pattern: str) -> list[str]:
    """Match the glob; a match inside a folder that matched too (``**``) is reached through the folder alone."""
    matches = sorted(glob.glob(pattern, recursive=True), key=lambda match: PurePath(match).parts)
    if not matches:
        raise fault(pattern, "no file matches; check the pattern and the folder it starts from")
    outermost: dict[PurePath, str] = {}
    for match in matches:
        if outermost.keys().isdisjoint(PurePath(match).parents):
            outermost.setdefault(PurePath(match), match)
    return list(outermost.values())


def _find_root(places: Sequence[_Place]) -> str:
    """The folder that holds all files and folders that were given; empty if none does."""
    paths = {os.path.abspath(place.path): place.kind for place in places if place.kind in ("folder", "file")}
    folders = [path if kind == "folder" else os.path.dirname(path) for path, kind in paths.items()]
    try:
        return os.path.commonpath(folders) if folders else ""
    except ValueError:  # on several drives
        return ""


def _name_from(root: str, source: Source) -> Source:
    """A file with its path from the root, or its whole path or address, as its name."""
    if source.is_index or source.path == STANDARD_INPUT:
        return source
    if is_remote(source.path):
        return source._replace(name=source.path)
    path = os.path.relpath(source.path, root) if root else os.path.abspath(source.path)
    return source._replace(name=PurePath(path).as_posix())


def _keep_named(sources: Iterable[Source], failures: Failures | None) -> Iterator[Source]:
    """The sources but for those whose names cannot be in ids."""
    for source in sources:
        with leave_out(source._replace(path=ascii(source.path), failures=failures)):
            try:
                "".join([source.name, *(page.path for page in source.pages)]).encode()
            except UnicodeEncodeError as error:
                cause = "the name is not UTF-8, so it cannot be part of an id; rename the file"
                raise fault(ascii(source.path), cause) from error
            yield source._replace(failures=failures)


def _list_files(
    passed_over: Counter[str], failures: Failures | None, choice: FileChoice, place: _Place
) -> list[Source]:
    """The files of a place, those of a folder under their paths from there.

    ``passed_over`` receives how many are no documents, by what they are.
    """
    if place.kind == "pipe":
        return [Source(STANDARD_INPUT, "stdin", is_pipe=True)]
    if place.kind == "index":
        return [Source(place.path, place.path, is_index=True)]
    if place.kind == "url":
        return list_remote_folder(place.path, choice, passed_over)
    if place.kind == "folder":
        return list_folder(place.path, failures, choice, passed_over)
    return [Source(place.path, place.path, is_pipe=_is_pipe(place.path))]


def _is_pipe(path: str) -> bool:
    try:
        return stat.S_ISFIFO(os.stat(path).st_mode)
    except OSError as error:
        raise fault(path, f"cannot be read: {system_cause(error)}") from error
