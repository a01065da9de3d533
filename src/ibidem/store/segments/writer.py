"""Writing a segment: documents are streamed to disk as they come, then the postings and the vocabulary.

A segment is written aside, under a name that no manifest knows, and takes its own name when it is complete and synced.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ibidem.errors import StoreError
from ibidem.parallel import in_threads
from ibidem.ragged import join_bytes
from ibidem.store import format, manifest, offsets
from ibidem.store.files.columns import ColumnRecord, ColumnWriter, bind
from ibidem.store.format import COLUMNS, PARTIAL, SEGMENT_RECORD
from ibidem.store.manifest import SegmentEntry
from ibidem.store.postings.lists import Blocks, Lists, PackedLists, find_list_ends
from ibidem.store.postings.packing import pack_lists
from ibidem.store.segments.record import SegmentRecord
from ibidem.system import disk

if TYPE_CHECKING:
    from ibidem.text import Documents, Tokens

_DOCUMENTS = frozenset({"documents", "text", "tokens"})
_POSTINGS = frozenset({"directory", "postings"})
_OFFSETS = ("offset_steps", "offset_lengths", "mark_positions", "mark_starts", "mark_lengths")


class SegmentWriter:
    """A segment on its way to disk; obtained from ``Writer.new_segment``, made part of the index by ``Writer.commit``.

    Documents come first, in batches; then the postings, one call for each function, and before or behind these, if
    wanted, the vocabulary.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self._final = folder / name
        self._aside = folder / (name + PARTIAL)
        self._columns: dict[str, ColumnWriter] = {}
        self._records: dict[str, ColumnRecord] = {}
        self._entry: SegmentEntry | None = None
        self._closed = False
        self._extents = 0
        self._rows = {"key": 0, "posting": 0}
        self._ended = 0  # postings of the functions that are whole
        disk.make_folder(self._aside)
        self._start(_DOCUMENTS)
        for column in ("ids", "metadata", "text", "tokens"):
            self._columns[f"{column}_bounds"].append(np.zeros(1, np.int64))

    @property
    def num_documents(self) -> int:
        """Documents appended."""
        return self._columns["ids_bounds"].rows - 1

    @property
    def num_tokens(self) -> int:
        """Tokens in the documents appended."""
        return self._columns["tokens"].rows

    @property
    def num_postings(self) -> int:
        """Postings of the functions written."""
        return self._rows["posting"]

    def append_documents(self, documents: "Documents", tokens: "Tokens") -> None:
        """Append a batch of documents and their tokens.

        Offsets of tokens are kept if the first batch has them; then every batch must.

        Raises:
            ValueError: the batch does not fit together, offsets fall, or the segment would pass ``MAX_TOKENS`` tokens;
                nothing of the batch is written.
        """
        self._require_open()
        bounds = self._validate_bounds(documents, tokens)
        encoded = self._encode_offsets(tokens, bounds)
        columns = {
            "ids": join_bytes([document_id.encode("utf-8", "surrogatepass") for document_id in documents.ids]),
            "metadata": join_bytes(documents.metadata),
            "text": (documents.texts.data, documents.texts.bounds),
            "tokens": (_require_dtype(tokens.ids, "<u4", "token ids"), bounds),
        }
        for name, (values, value_bounds) in columns.items():
            self._append_ragged(name, values, value_bounds)
        if encoded is not None:
            self._append_offsets(encoded)

    def tokens(self) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """The token stream so far, uint32 [T], and where each document begins in it, int64 [D + 1]; both read-only."""
        bounds = self.token_bounds
        return self._columns["tokens"].view(), bounds

    @property
    def token_bounds(self) -> NDArray[np.int64]:
        """Where each document begins in the token stream so far, int64 [D + 1]."""
        self._require_open()
        return self._columns["tokens_bounds"].view()

    @property
    def has_vocabulary(self) -> bool:
        """Whether the vocabulary was written."""
        return "vocabulary" in self._columns

    def vocabulary(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint64]]:
        """The vocabulary as it was written."""
        names = ("vocabulary", "document_frequencies", "collection_frequencies")
        tokens, in_documents, in_all = (self._columns[name].view() for name in names)
        return tokens, in_documents, in_all

    def put_vocabulary(
        self,
        tokens: NDArray[np.uint32],
        document_frequencies: NDArray[np.uint32],
        collection_frequencies: NDArray[np.uint64],
    ) -> None:
        """Write the segment's distinct tokens, ascending, and how often each occurs; all of shape [V]."""
        self._require_open()
        if "vocabulary" in self._columns:
            raise ValueError("the segment has its vocabulary already")
        columns = {
            "vocabulary": _require_dtype(tokens, "<u4", "tokens"),
            "document_frequencies": _require_dtype(document_frequencies, "<u4", "document frequencies"),
            "collection_frequencies": _require_dtype(collection_frequencies, "<u8", "collection frequencies"),
        }
        if len({values.shape for values in columns.values()}) > 1:
            raise ValueError("tokens, document frequencies and collection frequencies must have the same length")
        if (tokens[1:] <= tokens[:-1]).any():
            raise ValueError("the tokens of a vocabulary must be strictly ascending")
        self._start({"vocabulary"})
        self._append(columns)

    def append_postings(
        self, keys: NDArray[np.uint32], starts: NDArray[np.uint32], extents: NDArray[np.uint16]
    ) -> None:
        """Write all postings of the next function, packed.

        Args:
            keys, starts: of shape [p], sorted by (key, start).
            extents: of shape [p, w]; w is the same for all functions of an index.

        Raises:
            ValueError: the arrays do not fit together or are not sorted; nothing is written.
        """
        keys, starts = _require_dtype(keys, "<u4", "keys"), _require_dtype(starts, "<u4", "starts")
        extents = _require_dtype(extents, "<u2", "extents")
        if extents.ndim != 2 or not len(keys) == len(starts) == len(extents):
            raise ValueError("keys, starts and extents must have the same length, and extents two dimensions")
        self.append_lists(pack_lists(Lists(*find_list_ends(keys), starts, extents)))

    def append_lists(self, packed: PackedLists) -> None:
        """Write the next function, of which ``packing.pack_lists`` has made this: that may be done in any thread.

        Raises:
            ValueError: the segment has postings of another width, or these are too many; nothing is written.
        """
        self.append_part(packed)
        self.end_function()

    def append_part(self, packed: PackedLists) -> None:
        """Write some lists of the next function, those of greater keys than the lists that were written before.

        Raises:
            ValueError: the segment has postings of another width, or these are too many; nothing is written.
        """
        self._require_open()
        self._start_postings(packed.extents)
        if self._extents != packed.extents:
            raise ValueError(f"a posting of this segment has {self._extents} extents, not {packed.extents}")
        lists_before = self._rows["posting"] - self._ended
        if lists_before + int(packed.postings.rows[-1]) > format.MAX_POSTINGS:
            raise ValueError(f"a function has at most {format.MAX_POSTINGS} postings in a segment")
        self._append_blocks("posting", packed.postings)
        self._append({"first_keys": packed.first_keys, "first_lists": packed.first_lists + np.uint32(lists_before)})
        self._append_blocks("key", packed.directory)

    def end_function(self) -> None:
        """End the function whose lists were written: those that come now are of the next."""
        self._require_open()
        self._start_postings(0)
        self._ended = self._rows["posting"]
        self._columns["function_keys"].append(np.array([self._rows["key"]], np.uint64))
        self._columns["function_postings"].append(np.array([self._ended], np.uint64))

    def finish(self) -> SegmentEntry:
        """Complete and sync the segment and give it its own name; nothing can be appended afterwards.

        ``Writer.commit`` does it for the segments for which it has not been done.
        """
        if self._entry is not None:
            return self._entry
        self._require_open()
        self._start_postings(0)
        for kind in self._rows:
            self._columns[f"packed_{kind}s"].append(np.zeros(format.PACKED_MARGIN, np.uint8))
        if "vocabulary" not in self._columns:
            self._start({"vocabulary"})
        for name in (column.name for column in COLUMNS if column.name in self._columns):
            self._records[name] = self._columns[name].write_header()
        for _ in in_threads(ColumnWriter.sync, self._columns.values(), disk.AT_ONCE):
            pass
        record = self._make_record()
        data = manifest.encode(record)
        disk.write_file(self._aside / SEGMENT_RECORD, data)
        disk.sync_folder(self._aside)
        disk.rename(self._aside, self._final)
        self._closed = True
        self._entry = SegmentEntry(self.name, record.documents, manifest.compute_checksum(data))
        return self._entry

    def close(self) -> None:
        """Take nothing more."""
        self._closed = True

    def _require_open(self) -> None:
        if self._closed:
            raise ValueError(f"segment {self.name} is closed: nothing can be appended to it any more")

    def _start(self, parts: frozenset[str] | set[str]) -> None:
        for column in COLUMNS:
            if column.part in parts:
                self._columns[column.name] = ColumnWriter(self._aside, column)

    def _start_postings(self, extents: int) -> None:
        if "packed_postings" not in self._columns:
            self._extents = extents
            self._start(_POSTINGS)
            for column in self._columns.values():
                if column.column.part in _POSTINGS and column.column.shape[0].endswith(" + 1"):
                    column.append(np.zeros(1, column.column.dtype))

    def _append_blocks(self, kind: str, blocks: Blocks) -> None:
        """Append packed rows of a ``kind``, which is key or posting."""
        bytes_before = self._columns[f"packed_{kind}s"].rows
        self._append(
            {
                f"{kind}_blocks": blocks.rows[1:] + self._rows[kind],
                f"{kind}_bytes": blocks.bytes[1:] + bytes_before,
                f"packed_{kind}s": blocks.packed,
            }
        )
        self._rows[kind] += int(blocks.rows[-1])

    def _append(self, arrays: dict[str, NDArray[Any]]) -> None:
        for name, values in arrays.items():
            self._columns[name].append(values)

    def _append_ragged(self, name: str, values: NDArray[Any], bounds: NDArray[np.int64]) -> None:
        before = self._columns[name].rows
        self._columns[name].append(values[int(bounds[0]) : int(bounds[-1])])
        self._columns[f"{name}_bounds"].append(bounds[1:] - bounds[0] + before)

    def _validate_bounds(self, documents: "Documents", tokens: "Tokens") -> NDArray[np.int64]:
        bounds = _require_dtype(tokens.bounds, "<i8", "bounds of tokens")
        lengths = {len(documents.ids), len(documents.texts), len(documents.metadata), len(bounds) - 1}
        if len(lengths) > 1:
            raise ValueError("ids, texts, metadata and tokens of a batch must be of as many documents")
        if bounds[0] < 0 or bounds[-1] > len(tokens.ids) or (np.diff(bounds) < 0).any():
            raise ValueError("bounds of tokens must ascend within the batch's tokens")
        self._require_room(int(bounds[-1] - bounds[0]))
        return bounds

    def _require_room(self, tokens: int) -> None:
        if "packed_postings" in self._columns:
            raise ValueError("documents must be appended before postings")
        if self.num_tokens + tokens > format.MAX_TOKENS:
            raise ValueError(f"a segment holds at most {format.MAX_TOKENS} tokens: begin another segment")

    def _encode_offsets(self, tokens: "Tokens", bounds: NDArray[np.int64]) -> offsets.TokenOffsets | None:
        """The columns of the offsets of a batch, if it has any; offsets that fall are refused."""
        self._require_same_offsets(tokens.starts is not None and tokens.ends is not None)
        if tokens.starts is None or tokens.ends is None:
            return None
        if not len(tokens.ids) == len(tokens.starts) == len(tokens.ends):
            raise ValueError("tokens, starts and ends must have the same length")
        first, last = int(bounds[0]), int(bounds[-1])
        starts = _require_dtype(tokens.starts, "<u4", "starts of tokens")[first:last]
        ends = _require_dtype(tokens.ends, "<u4", "ends of tokens")[first:last]
        return offsets.encode(starts, ends, bounds - first, self.num_tokens)

    def _require_same_offsets(self, has_offsets: bool) -> None:
        keeps_offsets = "offset_steps" in self._columns
        if (self.num_documents or keeps_offsets) and has_offsets != keeps_offsets:
            raise ValueError("either all batches of a segment have offsets of tokens, or none has")

    def _append_offsets(self, columns: offsets.TokenOffsets) -> None:
        if "offset_steps" not in self._columns:
            self._start({"offsets"})
        self._append(dict(zip(_OFFSETS, columns, strict=True)))

    def _make_record(self) -> SegmentRecord:
        symbols: dict[str, int] = {}
        for column in COLUMNS:
            record = self._records.get(column.name)
            fault = bind(column, tuple(record.shape), symbols) if record else None
            if fault:
                raise StoreError(f"{self._aside / column.file}: {fault}: an append failed")
        counts = symbols["D"], symbols["T"], symbols["k"], self.num_postings
        return SegmentRecord(*counts, self._records, self._extents)


def _require_dtype(values: NDArray[Any], dtype: DTypeLike, name: str) -> NDArray[Any]:
    array = np.asarray(values)
    if not np.can_cast(array.dtype, dtype, "safe"):
        raise ValueError(f"{name} must be {np.dtype(dtype)}, not {array.dtype}")
    return array.astype(dtype, copy=False)
