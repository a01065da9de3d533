"""A result that is a folder of files: put together beside its place, and named by one rename."""

import filecmp
import os
import shutil
import tempfile
import uuid
from collections.abc import Callable
from pathlib import Path

from ibidem.errors import CorpusError
from ibidem.plans.plan import Plan
from ibidem.plans.remote_folder import upload_result
from ibidem.remote.storage import is_remote
from ibidem.store.files import disk

__all__ = ["append_file", "commit_folder", "commit_result", "link_file", "link_tree"]


def commit_result(plan: Plan, place: Path, fill: Callable[[Path], object]) -> None:
    """Make the output of a plan of what ``fill`` puts into the folder that it is given.

    Args:
        place: a folder for what goes to an object store, until it is uploaded.

    Raises:
        CorpusError: something else stands at the output.
    """
    if not is_remote(plan.output):
        commit_folder(Path(plan.output), plan.checksum, fill)
        return
    with tempfile.TemporaryDirectory(dir=place) as made:
        fill(Path(made))
        upload_result(plan.output, plan.checksum, Path(made))


def commit_folder(output: Path, checksum: str, fill: Callable[[Path], object]) -> None:
    """Make the folder ``output`` of what ``fill`` puts into the folder that it is given.

    A rank that was killed may have done so already; then nothing changes.

    Args:
        checksum: of the plan, by which what killed ranks left beside ``output`` is told from what others left.

    Raises:
        CorpusError: something else stands there.
    """
    prefix = f".{output.name}.{checksum[:12]}."
    aside = output.with_name(f"{prefix}{uuid.uuid4().hex[:12]}.partial")
    aside.mkdir(parents=True)
    fill(aside)
    disk.sync_tree(aside)
    if output.is_symlink() or output.exists():
        _require_same(aside, output)
    else:
        try:
            disk.rename(aside, output)
        except OSError:  # another rank was faster
            if not output.is_dir():
                raise
            _require_same(aside, output)
    disk.sync_folder(output.parent)
    for entry in list(output.parent.iterdir()):
        if entry.name.startswith(prefix):
            shutil.rmtree(entry, ignore_errors=True)


def link_tree(source: Path, target: Path) -> None:
    """Put every file of one folder into another, under the same name, by a link where the file system can."""
    for folder, _, files in os.walk(source):
        place = target / os.path.relpath(folder, source)
        place.mkdir(parents=True, exist_ok=True)
        for name in files:
            link_file(Path(folder, name), place / name)


def link_file(source: Path, target: Path) -> None:
    """Give a file another name, by a link where the file system can."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def append_file(source: Path, target: Path) -> None:
    """Write what a file holds behind what another one holds, which is made if there is none."""
    with source.open("rb") as piece, target.open("ab") as out:
        shutil.copyfileobj(piece, out)


def _require_same(made: Path, standing: Path) -> None:
    """Refuse to go on if what stands at the output is not what the plan makes."""
    if not _is_same(made, standing):
        raise CorpusError(f"{standing}: something else stands there; remove it, or plan with another output")


def _is_same(one: Path, other: Path) -> bool:
    names = _list_files(one)
    if not other.is_dir() or names != _list_files(other):
        return False
    return not any(filecmp.cmpfiles(one, other, names, shallow=False)[1:])


def _list_files(folder: Path) -> list[str]:
    return sorted(
        os.path.relpath(os.path.join(place, name), folder) for place, _, names in os.walk(folder) for name in names
    )
