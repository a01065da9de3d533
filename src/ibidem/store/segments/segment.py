"""Reading a segment: a folder of columns that never change, and the documents removed from it since.

A segment stays readable for as long as it is held, also when a later generation of the index has dropped it and removed
its files.
"""

import warnings
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import DamagedError
from ibidem.store.files.columns import OpenColumn
from ibidem.store.format import HEADER_BYTES, SEGMENTS, TOMBSTONE_COLUMN
from ibidem.store.manifest import SegmentEntry, encode
from ibidem.store.offsets import TokenOffsets, are_in_texts, decode, lookup
from ibidem.store.postings.directory import Directory, FunctionRanges
from ibidem.store.postings.lists import Blocks
from ibidem.store.postings.unpacking import find_start, narrow_lists, unpack, unpack_starts
from ibidem.store.segments.columns import Checksums, SegmentColumns
from ibidem.store.segments.gathering import gather_offsets, gather_rows
from ibidem.store.segments.record import read_record
from ibidem.store.validation import ascends
from ibidem.system.disk import require_folder
from ibidem.text.json_values import decode_json
from ibidem.text.token_counts import count_tokens

if TYPE_CHECKING:
    from ibidem.text import Documents, Tokens


class Segment:
    """One segment of one generation of an index.

    Arrays are read-only; the big ones are mapped, so only the parts in use are read from disk. Positions of tokens are
    counted in the segment's token stream, rows of documents in the order in which they were appended.

    Whatever reads a column that is not what was written raises ``DamagedError``; ``checksums`` says when its
    checksum is compared. Whether numbers stay within their target is checked in any case, once a column.
    """

    def __init__(self, index: Path, entry: SegmentEntry, checksums: Checksums = "lazy") -> None:
        folder = index / SEGMENTS / entry.name
        require_folder(index / SEGMENTS)
        require_folder(folder)
        record = read_record(index, entry)
        self.entry = entry
        self.name = entry.name
        self.num_documents = record.documents
        self.num_tokens = record.tokens
        self.num_functions = record.functions
        self.num_postings = record.postings
        self._folder = folder
        self._record = record
        self._columns = SegmentColumns(folder, record, checksums)
        self._removed = read_removed(index, entry)
        self._alive: NDArray[np.bool_] | None = None

    def with_removal(self, index: Path, entry: SegmentEntry) -> "Segment":
        """Returns the same segment, its columns shared, with the removed documents of another generation."""
        segment = object.__new__(Segment)
        segment.__dict__.update(self.__dict__)
        segment.entry = entry
        segment._columns = copy(self._columns)  # closing one leaves the other open
        segment._removed = read_removed(index, entry)
        segment._alive = None
        return segment

    def sizes(self) -> dict[str, int]:
        """Bytes on disk of each part of the segment."""
        sizes = {"records": len(encode(self._record)), **self._columns.sizes()}
        if self.entry.removal:
            sizes["tombstones"] = HEADER_BYTES + self._removed.nbytes
        return sizes

    def require_sound(self) -> None:
        """Compare all columns with their checksums, whatever was asked for when they were opened.

        Raises:
            DamagedError: names a file that is not what was written.
        """
        self._columns.require_sound()

    def require_whole(self) -> None:
        """Refuse files that were cut since they were opened, as far as that can be seen.

        Raises:
            DamagedError: names one.
        """
        self._columns.require_whole()

    def close(self) -> None:
        """Let go of the files; arrays taken from the segment stay valid."""
        self._columns.close()

    @property
    def folder(self) -> Path:
        """Where its files lie."""
        return self._folder

    def __repr__(self) -> str:
        return f"Segment({self.name}: {self.num_documents} documents, {self.num_postings} postings)"

    # Documents

    def document_ids(self) -> list[str]:
        """The ids of all documents, removed ones among them."""
        return self._columns.strings("ids")

    def document_id(self, row: int) -> str:
        """The id of a document."""
        return self._columns.string("ids", self._row(row))

    def metadata(self, row: int) -> dict[str, Any]:
        """The metadata of a document.

        Raises:
            DamagedError: it is no JSON object that can be read.
        """
        return self._parse_metadata(row, self._columns.byte_string("metadata", self._row(row)))

    def metadata_if_readable(self, row: int) -> dict[str, Any]:
        """The metadata of a document in a result. Unreadable metadata is left out, since it hides no match.

        Warns:
            UserWarning: it was left out.
        """
        data = self._columns.byte_string("metadata", self._row(row))
        try:
            return self._parse_metadata(row, data)
        except DamagedError as error:
            warnings.warn(f"{error}; it is left out", stacklevel=2)
            return {}

    def _parse_metadata(self, row: int, data: bytes) -> dict[str, Any]:
        try:
            values = decode_json(data)
        except ValueError as error:
            raise DamagedError(f"{self._folder}: the metadata of document {row} cannot be read: {error}") from None
        if not isinstance(values, dict):
            raise DamagedError(f"{self._folder}: the metadata of document {row} is no object")
        return values

    def text(self, row: int) -> str:
        """The text of a document, as it was given."""
        return self._columns.string("text", self._row(row))

    def text_between(self, row: int, start: int, end: int) -> str:
        """The text of a document from one code point until another; the rest is not decoded."""
        return self._columns.text_between(self._row(row), start, end)

    @property
    def alive(self) -> NDArray[np.bool_]:
        """Whether each document is still part of the index; of shape [D]."""
        if self._alive is None:
            self._alive = _mark_alive(self.num_documents, self._removed)
        return self._alive

    @property
    def removed(self) -> NDArray[np.uint32]:
        """Rows of the documents that were removed, ascending."""
        return self._removed

    # Tokens

    @property
    def tokens(self) -> NDArray[np.uint32]:
        """The token stream, of shape [T]."""
        tokens: NDArray[np.uint32] = self._columns["tokens"]
        return tokens

    @property
    def token_bounds(self) -> NDArray[np.int64]:
        """Where each document begins in the token stream, of shape [D + 1]."""
        bounds: NDArray[np.int64] = self._columns["tokens_bounds"]
        return bounds

    def document_of(self, positions: NDArray[Any]) -> NDArray[np.int64]:
        """Rows of the documents in which tokens are."""
        token_positions = np.asarray(positions).astype(np.int64)
        return np.searchsorted(self.token_bounds, token_positions, "right").astype(np.int64) - 1

    @property
    def has_offsets(self) -> bool:
        """Whether it is known where tokens are in their texts."""
        return "offset_steps" in self._columns

    def offsets(self, row: int, first_token: int, last_token: int) -> tuple[int, int]:
        """Code points of a document's text at which one token starts and another ends.

        Raises:
            ValueError: a token is not one of the document's, or the segment has no offsets.
        """
        begin, end = (int(bound) for bound in self.token_bounds[self._row(row) : row + 2])
        if not begin <= first_token <= last_token < end:
            raise ValueError(
                f"tokens {first_token} to {last_token}: document {row} has the tokens {begin} to {end - 1}"
            )
        columns = self.offset_columns()
        return lookup(columns, first_token)[0], lookup(columns, last_token)[1]

    def token_offsets(self, first: int, last: int) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """Starts and ends, in code points of their texts, of the tokens at positions ``first`` until ``last``."""
        if not 0 <= first <= last <= self.num_tokens:
            raise IndexError(f"tokens {first} to {last} of {self.num_tokens}")
        return decode(self.offset_columns(), first, last)

    def offset_columns(self) -> TokenOffsets:
        """Where all tokens are in their texts, as it is kept.

        Raises:
            ValueError: the segment has no offsets.
        """
        if not self.has_offsets:
            raise ValueError(f"segment {self.name} was written without offsets of tokens")
        names = ("offset_steps", "offset_lengths", "mark_positions", "mark_starts", "mark_lengths")
        return TokenOffsets(*(self._columns[name] for name in names))

    def vocabulary(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint64]]:
        """Distinct tokens, ascending, the documents that hold each, and its occurrences; all of shape [V]."""
        names = ("vocabulary", "document_frequencies", "collection_frequencies")
        tokens, documents, occurrences = (self._columns[name] for name in names)
        return tokens, documents, occurrences

    def alive_vocabulary(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint64]]:
        """The same of the documents that were not removed, without tokens that none of them holds.

        Raises:
            DamagedError: a removed document holds tokens that the vocabulary lacks.
        """
        tokens, documents, occurrences = self.vocabulary()
        if not len(self._removed):
            return tokens, documents, occurrences
        removed_tokens, of_documents, in_all = self._count_removed()
        place = np.searchsorted(tokens, removed_tokens)
        if (
            (place == len(tokens)).any()
            or (tokens[place] != removed_tokens).any()
            or (occurrences[place] < in_all).any()
        ):
            raise DamagedError(f"{self._folder}: the vocabulary lacks tokens of removed documents")
        documents, occurrences = documents.copy(), occurrences.copy()
        documents[place] -= of_documents
        occurrences[place] -= in_all
        is_alive = occurrences > 0
        return tokens[is_alive], documents[is_alive], occurrences[is_alive]

    def _count_removed(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint64]]:
        bounds = self.token_bounds
        parts = [self.tokens[bounds[row] : bounds[row + 1]] for row in self._removed.tolist()]
        lengths = np.diff(bounds)[self._removed]
        return count_tokens(np.concatenate(parts), np.concatenate(([0], np.cumsum(lengths))))

    # Postings

    def postings(self, low: int, high: int) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
        """The postings from number ``low`` until ``high``, such as ``list_bounds`` gives for a list.

        Returns:
            The start of each, of shape [high - low], and its extents, of shape [high - low, w].

        Raises:
            DamagedError: they are not what was written.
        """
        if not 0 <= low <= high <= self.num_postings:
            raise IndexError(f"postings {low} to {high} of {self.num_postings}")
        columns = unpack(self._blocks("posting"), low, high, self._record.extents)
        if columns is None:
            raise DamagedError(f"{self._folder}: postings {low} to {high} cannot be unpacked: a file was altered")
        self._require_positions(columns[0])
        return columns

    def starts_of(self, bounds: NDArray[np.int64]) -> NDArray[np.uint32]:
        """The starts of the postings of several ranges ``bounds`` [L, 2], back to back; see ``postings``."""
        starts = unpack_starts(self._blocks("posting"), bounds, self._record.extents)
        if starts is None:
            raise DamagedError(f"{self._folder}: postings cannot be unpacked: a file was altered")
        self._require_positions(starts)
        return starts

    def narrow_lists(self, bounds: NDArray[np.int64], first: int, stop: int) -> NDArray[np.int64]:
        """Parts of lists, the postings ``bounds`` [L, 2], that have all postings which start in ``first`` to ``stop``.

        The parts begin and end where blocks do, so they may have some others, too.

        Raises:
            DamagedError: the postings are not what was written.
        """
        narrow = narrow_lists(self._blocks("posting"), bounds, first, stop)
        if narrow is None:
            raise DamagedError(f"{self._folder}: lists are not in the postings: a file was altered")
        return narrow

    def find_start(self, low: int, high: int, start: int) -> int:
        """The first posting of the list from ``low`` until ``high`` that starts at ``start`` or behind it, or ``high``.

        Raises:
            DamagedError: the postings are not what was written.
        """
        if not 0 <= low <= high <= self.num_postings:
            raise IndexError(f"postings {low} to {high} of {self.num_postings}")
        posting = find_start(self._blocks("posting"), (low, high), start, self._record.extents)
        if posting is None:
            raise DamagedError(f"{self._folder}: postings cannot be unpacked: a file was altered")
        return posting

    def list_bounds(self, function: int, keys: NDArray[Any]) -> NDArray[np.int64]:
        """Begin and end of the lists of some keys, of shape [len(keys), 2]; an absent key has an empty range."""
        return self._directory.list_bounds(function, keys)

    def directory(self, function: int) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """All keys of a function, of shape [K], and where their lists begin and the last one ends, of shape [K + 1]."""
        return self._directory.function(function)

    # Whole documents, to be written again

    def ragged_column(self, name: str) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """The ``ids``, ``metadata``, ``text`` or ``tokens`` of all documents, and where each begins, [D + 1]."""
        return self._columns[name], self._columns[f"{name}_bounds"]

    def read(self, rows: NDArray[Any]) -> tuple["Documents", "Tokens"]:
        """Some documents, in the order asked for, as ``SegmentWriter.append_documents`` takes them."""
        from ibidem.text import Documents, Texts, Tokens

        row_numbers = np.asarray(rows, dtype=np.int64)
        if len(row_numbers) and not 0 <= row_numbers.min() <= row_numbers.max() < self.num_documents:
            raise IndexError(f"rows {row_numbers.min()} to {row_numbers.max()} of {self.num_documents}")
        ids = self._columns.strings_of("ids", row_numbers)
        texts = Texts(*gather_rows(*self.ragged_column("text"), row_numbers))
        tokens, bounds = gather_rows(*self.ragged_column("tokens"), row_numbers)
        documents = Documents(ids, texts, self._columns.byte_strings_of("metadata", row_numbers))
        if not self.has_offsets:
            return documents, Tokens(tokens, bounds)
        starts, ends = gather_offsets(self.offset_columns(), self.token_bounds, row_numbers)
        if not are_in_texts(starts, ends, bounds, np.diff(texts.bounds)):
            raise DamagedError(f"{self._folder}: tokens are not in order, or not in their texts: a file was altered")
        return documents, Tokens(tokens, bounds, starts, ends)

    def batches(
        self, max_tokens: int = 1 << 20, rows: NDArray[np.int64] | None = None
    ) -> Iterator[tuple["Documents", "Tokens"]]:
        """The documents that are alive, or some ``rows``, in order, in batches of about as many tokens.

        Who writes them again, with new checksums, calls ``require_sound`` before.
        """
        rows = np.flatnonzero(self.alive) if rows is None else rows
        sizes = np.diff(self.token_bounds)[rows]
        # The batch of a document follows from the tokens before it, so a long document closes its batch.
        batch = (np.cumsum(sizes) - sizes) // max(max_tokens, 1)
        cuts = np.flatnonzero(np.diff(batch)) + 1
        return (self.read(part) for part in np.split(rows, cuts) if len(part))

    def _require_positions(self, starts: NDArray[np.uint32]) -> None:
        if len(starts) and int(starts.max()) >= self.num_tokens:
            raise DamagedError(f"{self._folder}: a posting starts behind the last token: the index cannot be trusted")

    def _row(self, row: int) -> int:
        if not 0 <= row < self.num_documents:
            raise IndexError(f"document {row} of {self.num_documents}")
        return row

    def _blocks(self, kind: str) -> Blocks:
        return Blocks(*(self._columns[name] for name in (f"{kind}_blocks", f"{kind}_bytes", f"packed_{kind}s")))

    @property
    def _directory(self) -> Directory:
        functions = FunctionRanges(self._columns["function_keys"], self._columns["function_postings"])
        firsts = self._columns["first_keys"], self._columns["first_lists"]
        return Directory(self._folder, self._blocks("key"), *firsts, functions)


def read_removed(index: Path, entry: SegmentEntry) -> NDArray[np.uint32]:
    """The rows of the documents that were removed from a segment, ascending.

    Raises:
        DamagedError: they are not what was written.
    """
    if entry.removal is None or entry.tombstones is None:
        return np.empty(0, np.uint32)
    path = index / entry.tombstones
    require_folder(path.parent)
    rows = OpenColumn(path, TOMBSTONE_COLUMN.dtype, entry.removal.record).values(verify=True)
    if len(rows) and not (ascends(rows) and rows[-1] < entry.documents):
        raise DamagedError(f"{path}: the rows do not ascend, or are not all of the segment")
    return rows


def _mark_alive(num_documents: int, removed: NDArray[np.uint32]) -> NDArray[np.bool_]:
    alive = np.ones(num_documents, np.bool_)
    alive[removed] = False
    alive.flags.writeable = False
    return alive
