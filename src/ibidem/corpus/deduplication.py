"""Deduplicating files: what is kept goes into files like those that were read, and what is removed is accounted for.

Everything is written beside the output, in a folder of its name and ``.partial``, and gets its own name at the end.
What was read is kept there until then: if the work is interrupted, the same call goes on from there.
"""

import csv
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

import ibidem
from ibidem.corpus.faults import fault
from ibidem.corpus.filtering import Counted, write_filtered
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import Source, is_remote, sources
from ibidem.errors import CorpusError, LockedError

if TYPE_CHECKING:
    from ibidem.documents.dedup import Choices, Deduplication, Resources
    from ibidem.documents.spool import Spool

__all__ = ["Written", "deduplicate_files"]

PARTIAL = ".partial"


class Written(NamedTuple):
    """What ``deduplicate_files`` did.

    Attributes:
        found: the result.
        resumed: whether the input had been read by a call that was interrupted.
        seconds: time taken.
    """

    found: "Deduplication"
    resumed: bool
    seconds: float


def deduplicate_files(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    choices: "Choices",
    resources: "Resources",
    *,
    text: str = "text",
    id: str = "id",
) -> Written:
    """Deduplicate the documents of files into a new folder ``output``.

    It holds ``kept/``, a file of the same name, format, compression and columns for each input; ``removed.jsonl``, the
    removed documents with what they duplicate; ``clusters.csv``; and ``summary.json``.

    Raises:
        CorpusError: a document cannot be used, an input cannot be read twice or was changed meanwhile, something stands
            at ``output``, or ``output`` is or holds an input, or stands in one.
        LockedError: another process writes to this output.
    """
    started = time.perf_counter()
    files = sources(paths)
    output = Path(output)
    _require_room(output, files, paths)
    reading = Counted(files, Columns(text, id))
    with _workplace(output) as folder:
        spool, resumed = _read(folder, reading, choices, resources)
        from ibidem.documents.dedup import deduplicated

        found = deduplicated(spool, choices, resources)
        result = _fresh(folder / "result")
        _write(result, reading, spool.counts, found, resources)
        os.rename(result, output)
    return Written(found, resumed, time.perf_counter() - started)


def _require_room(output: Path, files: list[Source], paths: Any) -> None:
    for file in files:
        if file.is_pipe:
            raise fault(file.path, "it can be read only once, and is read twice: write it to a file first")
    given = [paths] if isinstance(paths, str | os.PathLike) else paths
    places = [Path(os.path.realpath(path)) for path in given if not is_remote(os.fspath(path))]
    places += [Path(os.path.realpath(file.path)) for file in files if not is_remote(file.path)]
    real = Path(os.path.realpath(output))
    for place in places:
        if real == place:
            raise CorpusError(f"{output}: the output is an input; give the output a folder of its own")
        if place in real.parents:
            raise CorpusError(f"{output}: the output would stand in the input {place}; give it a place outside")
    if os.path.lexists(output):
        raise CorpusError(f"{output}: it exists already; remove it first, or give another folder")
    if not output.absolute().parent.is_dir():
        raise CorpusError(f"{output}: there is no folder {output.parent}")


@contextmanager
def _workplace(output: Path) -> Iterator[Path]:
    """A folder beside ``output`` for this process alone; it stays if the work is interrupted."""
    from ibidem.store import disk
    from ibidem.store.lock import WriterLock

    folder = output.with_name(output.name + PARTIAL)
    disk.make_folder(folder)
    lock = WriterLock(folder)
    try:
        lock.acquire()
    except LockedError:
        raise LockedError(f"{output}: another process is writing to it; wait until it has ended") from None
    try:
        yield folder
        disk.remove_tree(folder)
    except Exception:
        disk.remove_tree(folder)
        raise
    finally:
        lock.release()


def _fresh(folder: Path) -> Path:
    """The folder, empty."""
    from ibidem.store import disk

    if folder.exists():
        disk.remove_tree(folder)
    disk.make_folder(folder)
    return folder


def _read(folder: Path, reading: Counted, choices: "Choices", resources: "Resources") -> tuple["Spool", bool]:
    """The documents as columns on disk, and whether an interrupted call had put them there."""
    from ibidem.documents.dedup import spooled
    from ibidem.documents.spool import Spool

    origin = _origin(reading, choices)
    spool = Spool.reopened(folder / "spool", origin)
    if spool is not None:
        return spool, True
    spool = spooled(reading, choices, _fresh(folder / "spool"), resources)
    spool.finish(origin, reading.counts)
    return spool, False


def _origin(reading: Counted, choices: "Choices") -> str:
    """All that the spool depends on: the program, the choices, and the files as they are."""
    from ibidem.documents.signatures import Shingler

    facts = choices._replace(shingle=Shingler(choices.shingle).config)._asdict()
    files = [(file.path, file.name, *_state(file)) for file in reading.files]
    return msgspec.json.encode([ibidem.__version__, facts, reading.columns, files], order="sorted").decode()


def _state(file: Source) -> tuple[int, int]:
    if is_remote(file.path):
        return (0, time.time_ns())  # what stands behind a URL may have changed
    status = os.stat(file.path)
    return status.st_size, status.st_mtime_ns


def _write(folder: Path, reading: Counted, counts: list[int], found: "Deduplication", resources: "Resources") -> None:
    (folder / "kept").mkdir()
    first = 0
    for done, (file, name, count) in enumerate(zip(reading.files, _names(reading.files), counts, strict=True), 1):
        target = folder / "kept" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        write_filtered(file, found.kept[first : first + count], target)
        first += count
        resources.tell("writing", done, len(counts))
    _write_removed(folder / "removed.jsonl", reading, found)
    _write_clusters(folder / "clusters.csv", found)
    (folder / "summary.json").write_bytes(msgspec.json.format(msgspec.json.encode(_summary(found))) + b"\n")


def _names(files: list[Source]) -> list[str]:
    """The paths of the files below the folder that holds them all."""
    paths = (f"/{file.path.replace('://', '/')}" if is_remote(file.path) else file.path for file in files)
    whole = [os.path.abspath(path) for path in paths]
    shared = os.path.commonpath([os.path.dirname(path) for path in whole])
    return [os.path.relpath(path, shared) for path in whole]


def _write_removed(path: Path, reading: Counted, found: "Deduplication") -> None:
    """A line for each removed document, in the order of the input."""
    row = 0
    with path.open("xb") as out:
        for batch in reading if not found.kept.all() else ():
            for at, document in enumerate(batch.ids):
                if document != found.ids[row]:
                    raise CorpusError(f"document {document!r}: it was {found.ids[row]!r} when the input was read first")
                if not found.kept[row]:
                    fields = {"id": document, **_relation(found, row), "text": batch.texts[at]}
                    out.write(_encoded(fields)[:-1] + b',"metadata":' + batch.metadata[at] + b"}\n")
                row += 1


def _relation(found: "Deduplication", row: int) -> dict[str, Any]:
    return {
        "duplicate_of": found.ids[found.duplicate_of[row]],
        "similarity": float(found.similarity[row]),
        "exact": bool(found.exact[row]),
    }


def _encoded(fields: dict[str, Any]) -> bytes:
    try:
        return msgspec.json.encode(fields)
    except UnicodeEncodeError:  # half of a surrogate pair, which JSON can say as an escape
        import json

        return json.dumps(fields, separators=(",", ":")).encode("ascii")


def _write_clusters(path: Path, found: "Deduplication") -> None:
    """A row for each document of a cluster of two or more, cluster after cluster."""
    import numpy as np

    sizes = np.bincount(found.clusters, minlength=len(found.ids))
    rows = np.flatnonzero(sizes[found.clusters] > 1)
    columns = ("cluster", "id", "kept", "duplicate_of", "similarity", "exact", "weakest_link")
    with path.open("x", newline="", encoding="utf-8", errors="surrogatepass") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(columns)
        for row in rows[np.argsort(found.clusters[rows], kind="stable")].tolist():
            kept, (of, similarity, exact) = bool(found.kept[row]), _relation(found, row).values()
            cells = ["" if kept else each for each in (of, similarity, str(exact).lower())]
            name = found.ids[found.clusters[row]]
            out.writerow([name, found.ids[row], str(kept).lower(), *cells, float(found.weakest[row])])


def _summary(found: "Deduplication") -> dict[str, Any]:
    return {
        "documents": len(found.ids),
        "kept": int(found.kept.sum()),
        "exact_duplicates": int(found.exact.sum()),
        "near_duplicates": int((~found.kept & ~found.exact).sum()),
        "clusters": found.num_clusters,
        "pairs_compared": found.candidates,
        "short": [found.ids[row] for row in found.short],
        "empty": [found.ids[row] for row in found.empty],
    }
