"""Reading the documents of a part: digests of those that resemble none of an index, and a record of the others."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ibidem.corpus.distinct_ids import write_id_hashes
from ibidem.documents.choices import Choices
from ibidem.documents.column_spool import Digest, Digester, Spool
from ibidem.documents.job.against import OldDocument
from ibidem.documents.job.distinct_texts import write_content_hashes
from ibidem.documents.signatures import Functions, Shingler
from ibidem.errors import DamagedError
from ibidem.keep_policy import Keep
from ibidem.parallel import in_order
from ibidem.resources import Resources
from ibidem.system import disk
from ibidem.text import Documents

_SPOOL, _OLD = "spool", "old.json"


class ReadDocuments(NamedTuple):
    """The documents of a part.

    Attributes:
        digests: of those that resemble none of the index.
        read_old: gives the others by their number.
    """

    digests: Spool
    read_old: Callable[[], dict[int, OldDocument]]


def make_digester(choices: Choices) -> Digester:
    """Return the digester for these choices."""
    functions = Functions.of(choices.num_hashes, choices.seed)
    return Digester(Shingler(choices.shingle), functions, choices.banding, Keep.parse(choices.keep).columns)


def make_digests(batches: Iterable[Documents], choices: Choices, resources: Resources) -> Iterator[Digest]:
    """Make the digest of each batch, in order."""
    digester = make_digester(choices)
    with resources.pool() as pool:
        yield from in_order(pool, digester.digest, batches, resources.workers + 1)


def make_spool(folder: Path, choices: Choices) -> Spool:
    """A new spool for a part below the folder of its task."""
    return Spool(folder / _SPOOL, choices.num_hashes, choices.banding, len(Keep.parse(choices.keep).columns))


def save_read(part: ReadDocuments, folder: Path) -> None:
    """Save the part that was read in the folder of its spool."""
    disk.write_file(folder / _OLD, msgspec.json.encode(list(part.read_old().items())))
    disk.sync_folder(folder)  # the spool is whole from its last file on, and then all that belongs to it is on the disk
    part.digests.finish()


def open_read(folder: Path) -> ReadDocuments:
    """Open the part that a task left in its folder.

    Raises:
        DamagedError: it is not whole.
    """
    spool = Spool.reopen(folder / _SPOOL)
    if spool is None:
        raise DamagedError(f"{folder}: not what a task writes; remove this folder and run the plan again")
    return ReadDocuments(spool, lambda: _read_old(folder))


def _read_old(folder: Path) -> dict[int, OldDocument]:
    return dict(msgspec.json.decode((folder / _OLD).read_bytes(), type=list[tuple[int, OldDocument]]))


def write_hashes(spool: Spool, folder: Path, memory: int) -> None:
    """Write hashes of the ids and texts of a part, sorted."""

    # Columns are opened for each slice anew: pages that were read count as memory until a file is closed.
    def read_texts(rows: slice) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        bounds = spool.column("tokens_bounds")[rows.start : rows.stop + 1]
        return spool.column("contents")[rows], np.diff(bounds)

    write_id_hashes(folder, spool.rows, lambda rows: spool.column("names")[rows], memory)
    write_content_hashes(folder, spool.rows, read_texts, memory)
