"""Files of this machine on their way into a project: a path of a file, or of a folder with all that is in it."""

import os
from collections.abc import Iterator
from pathlib import Path

from ibidem.web.problems import ProblemError
from ibidem.web.projects.projects import MOST_BYTES, MOST_FILES, Project, Role

_PART = 1 << 20


def add_path(project: Project, path: str, role: Role | None) -> None:
    """Copy a file, or the files of a folder without hidden ones and links, into a project.

    Raises:
        ProblemError: there is nothing, or too much.
    """
    try:
        place = Path(path).expanduser()
        is_there = place.is_absolute() and place.exists() and not _is_of_system(place.resolve())
    except (OSError, RuntimeError, ValueError):  # no such user, or no name that a file can have
        is_there = False
    if not is_there:
        raise ProblemError(422, f"{path}: there is no such file or folder on this machine; give its whole path")
    try:
        _add_files(project, place, role)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise ProblemError(422, f"{path}: it cannot be read ({error.strerror})") from error


def _add_files(project: Project, place: Path, role: Role | None) -> None:
    path, files = str(place), [(place, place.name)] if place.is_file() else list(_walk(place))
    if not files:
        raise ProblemError(422, f"{path}: there are no files in this folder")
    if len(files) > MOST_FILES:
        raise ProblemError(422, f"{path}: it holds {len(files):,} files, and a project has {MOST_FILES:,} at most")
    for file, _ in files:
        if file.stat().st_size > MOST_BYTES:
            raise ProblemError(413, f"{file}: a file has {MOST_BYTES:,} bytes at most")
    for file, name in files:
        with file.open("rb") as stream:
            project.add(name, iter(lambda: stream.read(_PART), b""), role)


def _is_of_system(place: Path) -> bool:
    """Whether a path is of the kernel, whose files may never end."""
    return any(place.is_relative_to(folder) for folder in ("/proc", "/sys", "/dev"))


def _walk(folder: Path) -> Iterator[tuple[Path, str]]:
    """The files below a folder, and their names with its own before."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            file = Path(place) / name
            if not name.startswith(".") and file.is_file() and not file.is_symlink():
                yield file, str(file.relative_to(folder.parent))
