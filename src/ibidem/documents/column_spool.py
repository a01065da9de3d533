"""What deduplication keeps of every document: columns in the files of a folder, appended batch by batch.

Memory holds a batch and a few numbers a document, however large the collection is.
"""

from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import msgspec
import numpy as np
from numpy.typing import NDArray

from ibidem.documents.candidates import hash_bands
from ibidem.documents.signatures import Functions, Shingler, make_signatures
from ibidem.errors import CorpusError
from ibidem.hashing import hash_strings
from ibidem.ragged import join_bytes
from ibidem.sketches.banding import Banding
from ibidem.store.files import disk
from ibidem.store.files.columns import ColumnRecord, ColumnWriter, open_column
from ibidem.store.format import PARTIAL, Column
from ibidem.text import Documents, Tokens
from ibidem.text.json_values import decode_json, encode_json

__all__ = ["Digest", "Digester", "Digests", "Spool"]

_RECORD = "spool.json"


class Digest(NamedTuple):
    """What is kept of a batch of n documents.

    Attributes:
        ids: their ids in UTF-8.
        values: for each a JSON array of its values in the columns that the keep policy names.
        present: int64 [c], how many documents have a value in each of these columns.
        tokens: their tokens.
        signatures: uint32 [n, k].
        bands: uint64 [n, b], the hashes of the bands of their signatures.
        contents: uint64 [n, 2], a hash of each text, byte for byte.
        sizes: int64 [n], bytes of each text.
    """

    ids: list[bytes]
    values: list[bytes]
    present: NDArray[np.int64]
    tokens: Tokens
    signatures: NDArray[np.uint32]
    bands: NDArray[np.uint64]
    contents: NDArray[np.uint64]
    sizes: NDArray[np.int64]


class Digester:
    """Makes digests; calls may run at the same time in several threads."""

    def __init__(self, shingler: Shingler, functions: Functions, banding: Banding, columns: tuple[str, ...]) -> None:
        self._shingler, self._functions, self._banding = shingler, functions, banding
        self._columns = columns

    def digest(self, documents: Documents) -> Digest:
        """The digest of a batch."""
        tokens = self._shingler.tokens(documents.texts)
        made = make_signatures(tokens, self._shingler.hash, self._functions)
        values = [self._values(each) for each in documents.metadata] if self._columns else []
        texts = documents.texts
        return Digest(
            ids=[one.encode("utf-8", "surrogatepass") for one in documents.ids],
            values=[encode_json(each) for each in values],
            present=np.array(
                [sum(each[at] not in (None, "") for each in values) for at in range(len(self._columns))], np.int64
            ),
            tokens=tokens,
            signatures=made,
            bands=hash_bands(made, self._banding),
            contents=hash_strings([texts.data[a:b].data for a, b in pairwise(texts.bounds.tolist())]),
            sizes=np.diff(texts.bounds),
        )

    def _values(self, metadata: bytes) -> list[Any]:
        held = decode_json(metadata)
        return [held.get(column) for column in self._columns]


class _FinishedColumn(msgspec.Struct, frozen=True):
    dtype: str
    record: ColumnRecord


class _Record(msgspec.Struct, frozen=True):
    """What is written down about a finished spool."""

    origin: str
    counts: list[int]
    rows: int
    present: list[int]
    columns: dict[str, _FinishedColumn]


class Digests:
    """The digests of documents, wherever their columns are.

    Attributes:
        rows: how many documents there are.
        present: int64 [c], how many have a value in each column of the keep policy.
    """

    rows: int
    present: NDArray[np.int64]

    def column(self, name: str) -> NDArray[Any]:
        """All of a column; ``ids``, ``values`` and ``tokens`` have a column of bounds each."""
        raise NotImplementedError

    def strings(self, name: str, rows: NDArray[np.int64] | None) -> list[bytes]:
        """The strings of some documents in the column ``ids`` or ``values``, or of all."""
        raise NotImplementedError

    def gather(self, name: str, rows: NDArray[np.int64]) -> NDArray[Any]:
        """Some rows of a column that has one for each document."""
        return self.column(name)[rows]

    def lengths(self) -> NDArray[np.int64]:
        """How many tokens each document has, int64 [n]."""
        return np.diff(self.column("tokens_bounds"))

    def ids(self, rows: NDArray[np.int64] | None = None) -> list[str]:
        """The ids of some documents, or of all."""
        return [str(each, "utf-8", "surrogatepass") for each in self.strings("ids", rows)]

    def values(self, rows: NDArray[np.int64]) -> list[list[Any]]:
        """The values that the keep policy asks for, of some documents."""
        return [decode_json(each) for each in self.strings("values", rows)]

    def require_distinct_ids(self) -> None:
        """Refuse two documents of one id.

        Raises:
            CorpusError: names the first id that occurs again, and both documents by their number from 1.
        """
        names = self.column("names")
        order = np.lexsort((names[:, 1], names[:, 0]))
        again = np.flatnonzero((names[order[1:]] == names[order[:-1]]).all(axis=1))
        if len(again):
            at = again[np.argmin(order[again + 1])]
            self.refuse_repeated_id(int(order[at]), int(order[at + 1]))

    def refuse_repeated_id(self, first: int, second: int) -> NoReturn:
        """Refuse two documents of one id, given by their numbers.

        Raises:
            CorpusError: names the id, and both documents by their number from 1.
        """
        (name,) = self.ids(np.array([second]))
        raise CorpusError(
            f"document id {name!r} occurs twice: documents {first + 1} and {second + 1}; "
            "ids name documents, so give each its own, or name another column as the id"
        )

    def require_values(self, policy: str, columns: tuple[str, ...]) -> None:
        """Refuse a keep ``policy`` that names a column in which no document has a value.

        Raises:
            CorpusError: names the column.
        """
        for column, present in zip(columns, self.present.tolist(), strict=True):
            if self.rows and not present:
                raise CorpusError(f"no document has a value in {column!r}, the column that keep={policy!r} names")


class Spool(Digests):
    """The digests of all documents, on disk.

    A spool that is finished can be opened again, by another process too: work that was interrupted goes on from there.

    Attributes:
        counts: how many documents each file had, once the spool is finished.
    """

    counts: list[int]

    def __init__(self, folder: Path, functions: int, banding: Banding, columns: int) -> None:
        self.rows, self.counts = 0, []
        self._folder = folder
        self._finished: dict[str, _FinishedColumn] = {}
        self.present = np.zeros(columns, np.int64)
        shapes = {"signatures": functions, "bands": banding.bands, "contents": 2, "names": 2}
        dtypes = {"ids": "|u1", "values": "|u1", "tokens": "<u4", "signatures": "<u4", "contents": "<u8"}
        names = ("ids", "ids_bounds", "values", "values_bounds", "tokens", "tokens_bounds", *shapes, "sizes")
        self._writers: dict[str, ColumnWriter] = {}
        for name in names:
            dtype = dtypes.get(name, "<u8" if name in shapes else "<i8")
            column = Column(name, dtype, ("n",), "spool", "")
            self._writers[name] = ColumnWriter(folder, column, shapes.get(name))
        for name in ("ids", "values", "tokens"):
            self._writers[f"{name}_bounds"].append(np.zeros(1, np.int64))

    def append(self, digest: Digest) -> None:
        """Append a batch."""
        self._append_ragged("ids", *join_bytes(digest.ids))
        self._append_ragged("values", *join_bytes(digest.values))
        self._append_ragged("tokens", digest.tokens.ids, digest.tokens.bounds)
        for name in ("signatures", "bands", "contents", "sizes"):
            self._writers[name].append(getattr(digest, name))
        self._writers["names"].append(hash_strings(digest.ids))
        self.present += digest.present
        self.rows += len(digest.ids)

    def finish(self, origin: str, counts: list[int]) -> None:
        """Sync all columns, and write down that they are whole and what they were made from.

        ``origin`` must be the same for the spool to be opened again; ``counts`` are kept with it.
        """
        self.counts = counts
        columns = {}
        for name, writer in self._writers.items():
            columns[name] = _FinishedColumn(writer.column.dtype, writer.finish())
        record = _Record(origin, counts, self.rows, self.present.tolist(), columns)
        disk.write_file(self._folder / (_RECORD + PARTIAL), msgspec.json.encode(record))
        disk.sync_folder(self._folder)  # or the record could outlast a loss of power, and what it names could not
        disk.rename(self._folder / (_RECORD + PARTIAL), self._folder / _RECORD)
        disk.sync_folder(self._folder)

    @classmethod
    def reopen(cls, folder: Path, origin: str) -> "Spool | None":
        """The spool in ``folder``, if there is one that was finished and made from the same."""
        try:
            record = msgspec.json.decode((folder / _RECORD).read_bytes(), type=_Record)
        except (FileNotFoundError, msgspec.DecodeError):
            return None
        if record.origin != origin:
            return None
        spool = object.__new__(cls)
        spool.rows, spool.counts, spool.present = record.rows, record.counts, np.array(record.present, np.int64)
        spool._folder, spool._writers, spool._finished = folder, {}, record.columns
        return spool

    def column(self, name: str) -> NDArray[Any]:
        """All of a column, mapped; ``ids``, ``values`` and ``tokens`` have a column of bounds each."""
        if name in self._writers:
            return self._writers[name].view()
        dtype, record = self._finished[name].dtype, self._finished[name].record
        return open_column(self._folder / f"{name}.npy", dtype, tuple(record.shape))

    def _append_ragged(self, name: str, values: NDArray[Any], bounds: NDArray[np.int64]) -> None:
        before = self._writers[name].rows
        self._writers[name].append(values)
        self._writers[f"{name}_bounds"].append(bounds[1:] + before)

    def strings(self, name: str, rows: NDArray[np.int64] | None) -> list[bytes]:
        """The strings of some documents in the column ``ids`` or ``values``, or of all."""
        data, bounds = self.column(name), self.column(f"{name}_bounds")
        if rows is None:
            whole = data.tobytes()
            return [whole[a:b] for a, b in pairwise(bounds.tolist())]
        spans = zip(bounds[rows].tolist(), bounds[rows + 1].tolist(), strict=True)
        return [data[a:b].tobytes() for a, b in spans]
