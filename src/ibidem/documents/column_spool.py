"""Columns that deduplication keeps of every document, in the files of a folder if they are large.

Memory holds a batch and a few numbers a document, however large the collection is.
"""

from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ibidem.documents.candidates import hash_bands
from ibidem.documents.signatures import Functions, Shingler, make_signatures
from ibidem.hashing import hash_strings
from ibidem.ragged import join_bytes
from ibidem.sketches.banding import Banding
from ibidem.store.files.columns import ColumnRecord, open_column
from ibidem.store.files.growing import GrowingColumn
from ibidem.store.format import PARTIAL, Column
from ibidem.system import disk
from ibidem.text import Documents, Tokens
from ibidem.text.json_values import decode_json, encode_json

_RECORD = "spool.json"


class Digest(NamedTuple):
    """The columns that are kept of a batch of n documents.

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
        signatures = make_signatures(tokens, self._shingler.hash, self._functions)
        values = [self._select_values(row_values) for row_values in documents.metadata] if self._columns else []
        texts = documents.texts
        return Digest(
            ids=[document_id.encode("utf-8", "surrogatepass") for document_id in documents.ids],
            values=[encode_json(row_values) for row_values in values],
            present=np.array(
                [
                    sum(row_values[column] not in (None, "") for row_values in values)
                    for column in range(len(self._columns))
                ],
                np.int64,
            ),
            tokens=tokens,
            signatures=signatures,
            bands=hash_bands(signatures, self._banding),
            contents=hash_strings([texts.data[a:b].data for a, b in pairwise(texts.bounds.tolist())]),
            sizes=np.diff(texts.bounds),
        )

    def _select_values(self, metadata: bytes) -> list[Any]:
        fields = decode_json(metadata)
        return [fields.get(column) for column in self._columns]


class _FinishedColumn(msgspec.Struct, frozen=True):
    dtype: str
    record: ColumnRecord


class _Record(msgspec.Struct, frozen=True):
    """The record of a finished spool."""

    counts: list[int]
    rows: int
    present: list[int]
    columns: dict[str, _FinishedColumn]


class Spool:
    """The digests of the documents of a part.

    A spool that is finished can be opened again, by another process too.

    Attributes:
        counts: how many documents each file had.
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
        self._writers: dict[str, GrowingColumn] = {}
        for name in names:
            dtype = dtypes.get(name, "<u8" if name in shapes else "<i8")
            column = Column(name, dtype, ("n",), "spool", "")
            self._writers[name] = GrowingColumn(folder, column, shapes.get(name))
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

    def finish(self) -> None:
        """Sync all columns, and write down that they are whole."""
        columns = {}
        for name, writer in self._writers.items():
            columns[name] = _FinishedColumn(writer.column.dtype, writer.finish())
        record = _Record(self.counts, self.rows, self.present.tolist(), columns)
        disk.write_file(self._folder / (_RECORD + PARTIAL), msgspec.json.encode(record))
        disk.sync_folder(self._folder)  # or the record could outlast a loss of power, and what it names could not
        disk.rename(self._folder / (_RECORD + PARTIAL), self._folder / _RECORD)
        disk.sync_folder(self._folder)

    @classmethod
    def reopen(cls, folder: Path) -> "Spool | None":
        """The spool in ``folder``, if there is one that was finished."""
        try:
            record = msgspec.json.decode((folder / _RECORD).read_bytes(), type=_Record)
        except (FileNotFoundError, msgspec.DecodeError):
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
        rows_before = self._writers[name].rows
        self._writers[name].append(values)
        self._writers[f"{name}_bounds"].append(bounds[1:] + rows_before)

    def strings(self, name: str, rows: NDArray[np.int64] | None) -> list[bytes]:
        """The strings of some documents in the column ``ids`` or ``values``, or of all."""
        data, bounds = self.column(name), self.column(f"{name}_bounds")
        if rows is None:
            all_bytes = data.tobytes()
            return [all_bytes[a:b] for a, b in pairwise(bounds.tolist())]
        spans = zip(bounds[rows].tolist(), bounds[rows + 1].tolist(), strict=True)
        return [data[a:b].tobytes() for a, b in spans]
