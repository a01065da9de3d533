"""Where a plan and its result go: the result to a folder of a file system, or of an object store.

On a file system it is put together beside its place, and named by one rename. In an object store ``summary.json`` is
written last, and says that all is there. Ranks of one plan write the same bytes, so a killed one is followed by any
other. A file of its own keeps two plans from writing to one folder of a store.
"""

import filecmp
import os
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ibidem.corpus.writing.apart import require_apart
from ibidem.errors import CorpusError
from ibidem.jobs.plan import Plan, require_new_folder
from ibidem.remote.storage import ChangedError, Storage, is_remote
from ibidem.system import disk

SUMMARY, MARK = "summary.json", "unfinished"

_TRANSFERS = 8


def name_output(output: str | os.PathLike[str]) -> str:
    """The output as a plan says it: a URL, or an absolute path."""
    location = os.fspath(output)
    return location.rstrip("/") if is_remote(location) else str(Path(location).absolute())


def list_apart(
    inputs: Iterable[str], folder: str | os.PathLike[str], output: str | os.PathLike[str], others: Iterable[str] = ()
) -> tuple[list[str], list[str]]:
    """The inputs, and the others, with which neither the folder of a plan nor its output collides.

    Raises:
        PlanError: ``folder`` exists, or it is a URL.
        CorpusError: one is an input, or lies in the other, an index, a plan or a result.
    """
    require_new_folder(folder)
    read, against = ([paths] if isinstance(paths, str) else list(paths) for paths in (inputs, others))
    require_apart([folder, output], [*read, *against])
    return read, against


def require_empty(url: str) -> None:
    """Refuse a folder of an object store that is not empty.

    Raises:
        CorpusError: something does.
        MissingExtraError: what this kind of URL needs is not installed.
        StoreError: the store does not answer.
    """
    if Storage(url).list():
        raise CorpusError(f"{url}: this folder is not empty; remove its objects first, or name another folder")


def is_gone(output: str) -> bool:
    """Whether nothing exists at the output of a plan; a store is not asked."""
    return not is_remote(output) and not Path(output).exists()


def commit_result(
    plan: Plan, place: Path, fill: Callable[[Path], object], prepare: Callable[[], object] = lambda: None
) -> None:
    """Make the output of a plan of what ``fill`` puts into the folder that it is given.

    Args:
        place: a folder for what goes to an object store, until it is uploaded.
        prepare: called when all is written, before the output is there; again by a rank that follows a killed one.

    Raises:
        CorpusError: the output is taken by something else.
    """
    if not is_remote(plan.output):
        commit_folder(Path(plan.output), plan.checksum, fill, prepare)
        return
    with tempfile.TemporaryDirectory(dir=place) as result_folder:
        fill(Path(result_folder))
        upload_result(plan.output, plan.checksum, Path(result_folder), prepare)


def commit_folder(
    output: Path, checksum: str, fill: Callable[[Path], object], prepare: Callable[[], object] = lambda: None
) -> None:
    """Make the folder ``output`` of what ``fill`` puts into the folder that it is given.

    A rank that was killed may have done so already; then nothing changes.

    Args:
        checksum: of the plan, which marks what its ranks left beside ``output`` when they were killed.

    Raises:
        CorpusError: the output is taken by something else.
    """
    prefix = f".{output.name}.{checksum[:12]}."
    aside = output.with_name(f"{prefix}{uuid.uuid4().hex[:12]}.partial")
    aside.mkdir(parents=True)
    fill(aside)
    disk.sync_tree(aside)
    if output.is_symlink() or output.exists():
        _require_same(aside, output)
    else:
        prepare()
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
            disk.link(Path(folder, name), place / name)


def append_file(source: Path, target: Path) -> None:
    """Write what a file holds behind what another one holds, which is made if there is none."""
    with source.open("rb") as piece, target.open("ab") as out:
        shutil.copyfileobj(piece, out)


def _require_same(folder: Path, output: Path) -> None:
    """Refuse an output that exists and is not what the plan makes."""
    names = list(_name_files(folder))
    same = output.is_dir() and names == list(_name_files(output))
    if not same or any(filecmp.cmpfiles(folder, output, names, shallow=False)[1:]):
        raise _describe_other(output)


def _describe_other(output: Path | str) -> CorpusError:
    return CorpusError(
        f"{output}: this output exists already, and is not of this plan; remove it, or plan with another output"
    )


def upload_result(url: str, checksum: str, folder: Path, prepare: Callable[[], object] = lambda: None) -> None:
    """Upload the files of the folder ``folder``, which holds a summary, to the folder ``url``.

    Args:
        checksum: of the plan, which distinguishes it from another plan that writes to this folder.

    Raises:
        CorpusError: the output is taken by something else, or another plan writes there.
        StoreError: the store does not answer.
    """
    storage, files = Storage(url), _name_files(folder)
    summary = files.pop(SUMMARY).read_bytes()
    if not _is_complete(storage, files, summary):
        _claim(storage, checksum)
        with ThreadPoolExecutor(_TRANSFERS) as pool:
            list(pool.map(lambda name: storage.upload(files[name], name), files))
        prepare()
        try:
            storage.create(SUMMARY, summary)
        except ChangedError:
            raise _describe_other(url) from None
    storage.remove([MARK])


def _is_complete(storage: Storage, files: dict[str, Path], summary: bytes) -> bool:
    """Whether a rank that was killed has come to the end; anything else with a summary is an error."""
    stored = {name: file.size for name, file in storage.list().items() if name != MARK}
    if SUMMARY not in stored:
        return False
    expected = {name: file.stat().st_size for name, file in files.items()} | {SUMMARY: len(summary)}
    if stored != expected or storage.read(SUMMARY) != summary:
        raise _describe_other(storage.url)
    return True


def _claim(storage: Storage, checksum: str) -> None:
    try:
        storage.create(MARK, f"{checksum}\n".encode())
    except ChangedError:
        raise CorpusError(
            f"{storage.url}: another plan writes there, or was given up; remove the folder, or plan with another output"
        ) from None


def _name_files(folder: Path) -> dict[str, Path]:
    """The files below a folder, by their names with slashes."""
    paths = sorted(Path(place) / name for place, _, names in os.walk(folder) for name in names)
    return {path.relative_to(folder).as_posix(): path for path in paths}
