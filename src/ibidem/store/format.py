"""The format of an index on disk: names, columns, limits.

The reader, the writer, the check and the page ``docs/format.md`` all take their facts from here. A change that alters a
byte on disk asks for a new ``FORMAT_VERSION`` and a new golden index.
"""

from typing import NamedTuple

FORMAT_VERSION = 1
"""The version of the format, the only one that is read."""

MANIFEST = "manifest.json"
LOCK = "writer.lock"
SEGMENTS = "segments"
SEGMENT_RECORD = "segment.json"
TOMBSTONES = "tombstones"
FREQUENCIES = "frequencies"
ATTACHMENTS = "attachments"
PARTIAL = ".partial"

HEADER_BYTES = 128
"""Every column file starts with an ``.npy`` header of this length; the values begin right behind it."""

MARK_EVERY = 128
"""Tokens whose position in the segment is a multiple of this have a mark, so a look-up adds at most 127 steps."""

ESCAPE = 255
"""A step or length of this value does not fit in its byte: the token has a mark that holds the true value."""

BLOCK_ROWS = 256
"""Postings or keys in a block at most, so that a place in a block fits in a byte."""

SHORT_LIST = 64
"""A list of fewer postings shares its blocks with its neighbours."""

SHARED, LIST, STAIRCASE = 0, 1, 2
"""The kinds of blocks: of several short lists, of postings of one list, of windows of one list that are a staircase."""

WINDOW_EXTENTS = 3
"""Extents of a window, without which there is no staircase."""

WIDEST_START = 32
"""Bits of a start at most."""

BLOCK_HEADER = 7
"""Bytes before the headers of a block's columns: its kind, the reach, and the start from which it counts."""

COLUMN_HEADER = 3
"""Bytes that describe a column in a block: its width, the extra width of exceptions, and their number."""

PACKED_MARGIN = 8
"""Zero bytes behind the last block: eight bytes can be read wherever a value begins."""

MAX_TOKENS = 2**32 - 1
"""Positions of tokens are uint32 within a segment."""

MAX_POSTINGS = 2**32 - 1
"""Ends of lists are uint32, counted from the function's first posting."""


MAX_DOCUMENTS = 2**32 - 1
"""Rows of documents are uint32 within a segment."""

MAX_FUNCTIONS = 65535
"""Functions are counted in 16 bits."""

MAX_EXTENTS = 8
"""A posting has few extents: a window has three."""

MAX_RECORD_BYTES = 1 << 28
"""A manifest or the record of a segment is smaller than this."""

MAX_ATTACHMENT_BYTES = 1 << 28
"""A file that is kept for the configuration is no larger than this."""


class Column(NamedTuple):
    """One ``.npy`` file: its name without the suffix, and what it holds.

    A shape is written in symbols, each of which has one value in a segment: ``D`` documents, ``T`` tokens, ``M`` marks,
    ``V`` distinct tokens, ``k`` functions, ``K`` keys in ``C`` blocks, ``P`` postings of ``w`` extents in ``B`` blocks;
    ``BI``, ``BM``, ``BT``, ``BK`` and ``BP`` are bytes of ids, metadata, texts, packed keys and packed postings.
    """

    name: str
    dtype: str
    shape: tuple[str, ...]
    part: str
    meaning: str

    @property
    def file(self) -> str:
        """Name of the file that holds the column."""
        return f"{self.name}.npy"


COLUMNS = (
    Column("ids", "|u1", ("BI",), "documents", "ids of the documents, UTF-8, back to back"),
    Column("ids_bounds", "<i8", ("D + 1",), "documents", "where each id begins in `ids`; the last value is its length"),
    Column("metadata", "|u1", ("BM",), "documents", "one JSON object a document, UTF-8, back to back"),
    Column("metadata_bounds", "<i8", ("D + 1",), "documents", "where each document's object begins in `metadata`"),
    Column("text", "|u1", ("BT",), "text", "the texts, UTF-8 (a lone surrogate as its three bytes), back to back"),
    Column("text_bounds", "<i8", ("D + 1",), "text", "where each document's text begins in `text`"),
    Column("tokens", "<u4", ("T",), "tokens", "token ids of all documents: the segment's token stream"),
    Column("tokens_bounds", "<i8", ("D + 1",), "tokens", "where each document's tokens begin in `tokens`"),
    Column(
        "offset_steps", "|u1", ("T",), "offsets", "start of the token minus start of the token before; 255 = marked"
    ),
    Column("offset_lengths", "|u1", ("T",), "offsets", "code points in the token; 255 = marked"),
    Column("mark_positions", "<u4", ("M",), "offsets", "positions of the marked tokens in the stream, ascending"),
    Column("mark_starts", "<u4", ("M",), "offsets", "code point of its text at which the marked token starts"),
    Column("mark_lengths", "<u4", ("M",), "offsets", "code points in the marked token"),
    Column("vocabulary", "<u4", ("V",), "vocabulary", "distinct tokens, ascending"),
    Column("document_frequencies", "<u4", ("V",), "vocabulary", "documents of the segment that hold the token"),
    Column("collection_frequencies", "<u8", ("V",), "vocabulary", "occurrences of the token in the segment"),
    Column(
        "function_keys", "<u8", ("k + 1",), "directory", "where each function begins among the keys of all functions"
    ),
    Column("function_postings", "<u8", ("k + 1",), "directory", "where each function begins among all postings"),
    Column("first_keys", "<u4", ("C",), "directory", "the smallest key of each block of keys"),
    Column("first_lists", "<u4", ("C",), "directory", "begin of that key's list, from the function's first posting"),
    Column("key_blocks", "<i8", ("C + 1",), "directory", "where each block begins among the keys; the last value is K"),
    Column("key_bytes", "<i8", ("C + 1",), "directory", "where each block begins in `packed_keys`"),
    Column("packed_keys", "|u1", ("BK",), "directory", "keys and lengths of their lists in blocks; then the margin"),
    Column(
        "posting_blocks", "<i8", ("B + 1",), "postings", "where each block begins among the postings; the last is P"
    ),
    Column("posting_bytes", "<i8", ("B + 1",), "postings", "where each block begins in `packed_postings`"),
    Column("packed_postings", "|u1", ("BP",), "postings", "postings in blocks; then the margin"),
)

FREQUENCY_COLUMNS = (
    Column("tokens", "<u4", ("V",), "frequencies", "tokens, strictly ascending"),
    Column("counts", "<u4", ("V",), "frequencies", "documents that hold the token"),
)

TOMBSTONE_COLUMN = Column("rows", "<u4", ("R",), "tombstones", "rows of the removed documents, strictly ascending")

PARTS = (*dict.fromkeys(column.part for column in COLUMNS), "frequencies", "tombstones", "attachments", "records")
"""The parts into which the size of an index is divided; ``records`` are the JSON files."""


def segment_name(number: int) -> str:
    """Name of the folder of the index's ``number``-th segment."""
    return f"{number:06d}"


def tombstone_name(segment: str, generation: int) -> str:
    """Name of the file of the rows removed from a segment, as of a generation."""
    return f"{segment}-{generation:06d}.npy"
