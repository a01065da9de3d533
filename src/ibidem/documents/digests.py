"""The digests of documents: what a deduplication keeps of each, without its text.

The first step leaves those of a part of the input in a file, block by block. The steps after it map the blocks of all
parts, and number the documents through all of them. They hold a few numbers of each document; of the long columns,
tokens and signatures, a step reads the rows of the documents that it compares.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from ibidem.corpus.failures import Failures
from ibidem.corpus.inputs import note_left_out
from ibidem.documents.against import Against, look_up
from ibidem.documents.candidates import hash_bands
from ibidem.documents.index import Nearest
from ibidem.documents.rules import Rules
from ibidem.documents.signatures import (
    Functions,
    Shingler,
    ShingleSets,
    make_shingle_sets,
    make_signatures,
)
from ibidem.engine.hash_ranges import HashRange
from ibidem.engine.outputs import append_output, open_all_as, open_as, save_output
from ibidem.hashing import hash_strings
from ibidem.parallel import in_order
from ibidem.ragged import join_bytes
from ibidem.resources import Resources
from ibidem.store.files.columns import release_pages
from ibidem.text import Documents
from ibidem.text.json_values import decode_json, encode_json

_Ints = NDArray[np.int64]

_BLOCKS, _KNOWN = "blocks", "known.json"


class DocumentPart(Protocol):
    """Documents that one task reads: those of ``InputPart``, for example."""

    @property
    def skips(self) -> bool:
        """Whether what cannot be read is left out; if not, it is an error."""

    def open(self, resources: Resources, left_out: Failures | None = None) -> Any:
        """The documents in batches; ``left_out`` notes what is left out of them."""


class BatchPart(NamedTuple):
    """Documents of a call, which are read once, as the only part of an input."""

    batches: Iterable[Documents]
    skips: bool = False

    def open(self, resources: Resources, left_out: Failures | None = None) -> Iterable[Documents]:
        """The batches."""
        return self.batches


class Block(NamedTuple):
    """The digests of n documents that were read together; those of a ragged column follow one another.

    Attributes:
        ids: uint8, their ids in UTF-8.
        values: uint8, of each a JSON array of its values in the columns that the keep policy names.
        tokens: uint32.
        ids_bounds, values_bounds, tokens_bounds: int64 [n + 1].
        signatures: uint32 [n, k].
        contents, names: uint64 [n, 2], hashes of text and id.
        sizes: int64 [n], bytes of text.
        band_hashes: uint64, ascending, those of the bands of all documents.
        band_rows: uint32, the document that has each of these.
    """

    ids: NDArray[np.uint8]
    ids_bounds: _Ints
    values: NDArray[np.uint8]
    values_bounds: _Ints
    tokens: NDArray[np.uint32]
    tokens_bounds: _Ints
    signatures: NDArray[np.uint32]
    contents: NDArray[np.uint64]
    names: NDArray[np.uint64]
    sizes: _Ints
    band_hashes: NDArray[np.uint64]
    band_rows: NDArray[np.uint32]

    @property
    def rows(self) -> int:
        """How many documents there are."""
        return len(self.sizes)


class Facts(NamedTuple):
    """What is known of a part besides.

    Attributes:
        counts: how many documents each file had.
        present: how many documents have a value in each column of the keep policy.
    """

    counts: list[int]
    present: list[int]


class _Digester:
    """Makes digests; calls may run at the same time in several threads."""

    def __init__(self, rules: Rules) -> None:
        self._shingler, self._columns, self._banding = Shingler(rules.shingle), rules.policy.columns, rules.banding
        self._functions = Functions.of(rules.num_hashes, rules.seed)

    def __call__(self, documents: Documents) -> tuple[Block, _Ints]:
        """The digests of a batch, and how many of its documents have each column of the keep policy."""
        texts, ids = documents.texts, [each.encode("utf-8", "surrogatepass") for each in documents.ids]
        tokens = self._shingler.tokens(texts)
        signatures = make_signatures(tokens, self._shingler.width, self._functions)
        fields = [decode_json(each) for each in documents.metadata] if self._columns else []
        values = [[each.get(column) for column in self._columns] for each in fields]
        block = Block(
            *join_bytes(ids),
            *join_bytes([encode_json(row_values) for row_values in values]),
            *(tokens.ids, tokens.bounds),
            signatures=signatures,
            contents=hash_strings([texts.data[a:b].data for a, b in pairwise(texts.bounds.tolist())]),
            names=hash_strings(ids),
            sizes=np.diff(texts.bounds),
            **self._sort_bands(signatures),
        )
        return block, np.array([sum(column in each for each in fields) for column in self._columns], np.int64)

    def _sort_bands(self, signatures: NDArray[np.uint32]) -> dict[str, NDArray[Any]]:
        """The columns of the bands of some signatures."""
        hashes = hash_bands(signatures, self._banding).reshape(-1)
        rows = np.repeat(np.arange(len(signatures), dtype=np.uint32), self._banding.bands)
        order = np.argsort(hashes)
        return {"band_hashes": hashes[order], "band_rows": rows[order]}


def digest_part(rules: Rules, against: Against | None, part: DocumentPart, folder: Path, resources: Resources) -> None:
    """Leave the digests of the documents of a part, and the list of those that resemble one of an index."""
    left_out, known = Failures(skips=part.skips), dict[int, Nearest]()
    reading = part.open(resources, left_out)
    documents = reading
    if against is not None and against.generation:
        documents = look_up(against, reading, rules.threshold, known)
    rows, present = 0, np.zeros(len(rules.policy.columns), np.int64)
    with resources.pool() as pool:
        for block, its_present in in_order(pool, _Digester(rules), documents, resources.workers + 1):
            append_output(block, folder / _BLOCKS)
            present += its_present
            rows += block.rows
            resources.tell("reading", rows, None)
    save_output(Facts(getattr(reading, "counts", []), present.tolist()), folder)
    note_left_out(folder, left_out)
    if known:
        (folder / _KNOWN).write_bytes(msgspec.json.encode(list(known.items())))


class BlockRows(NamedTuple):
    """Some documents of a block: their places among those asked for, and their numbers in the block."""

    block: Block
    places: _Ints
    rows: _Ints


class Digests:
    """The digests of all documents.

    Attributes:
        facts: about each part.
        part_starts: int64 [P + 1], the number of the first document of each part.
        rows: how many documents there are.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders, self.facts = folders, list(map(_open_facts, folders))
        parts = [_open_blocks(folder / _BLOCKS) if (folder / _BLOCKS).exists() else [] for folder in folders]
        self._blocks: list[Block] = [block for blocks in parts for block in blocks]
        self._starts = np.cumsum([0, *(block.rows for block in self._blocks)])
        self.part_starts = self._starts[np.cumsum([0, *map(len, parts)])]
        self.rows = int(self._starts[-1])

    def read_known(self, part: int) -> dict[int, Nearest]:
        """The documents of a part that resemble one of an index, by their numbers in the part."""
        file = self._folders[part] / _KNOWN
        return dict(msgspec.json.decode(file.read_bytes(), type=list[tuple[int, Nearest]])) if file.exists() else {}

    def find_known(self) -> NDArray[np.bool_]:
        """Whether each document resembles one of an index, bool [n]."""
        is_known = np.zeros(self.rows, np.bool_)
        for part, first in enumerate(self.part_starts[:-1].tolist()):
            is_known[first + np.array(list(self.read_known(part)), np.int64)] = True
        return is_known

    def contents(self) -> NDArray[np.uint64]:
        """The hashes of all texts, uint64 [n, 2]."""
        return np.concatenate([np.zeros((0, 2), np.uint64), *(block.contents for block in self._blocks)])

    def names(self) -> NDArray[np.uint64]:
        """The hashes of all ids, uint64 [n, 2]."""
        return np.concatenate([np.zeros((0, 2), np.uint64), *(block.names for block in self._blocks)])

    def lengths(self) -> _Ints:
        """How many tokens each document has, int64 [n]."""
        return np.concatenate([np.zeros(0, np.int64), *(np.diff(block.tokens_bounds) for block in self._blocks)])

    def lengths_of(self, rows: _Ints) -> _Ints:
        """How many tokens each of some documents has, int64 [n]."""
        lengths = np.empty(len(rows), np.int64)
        for block, places, local in self._split(rows):
            lengths[places] = block.tokens_bounds[local + 1] - block.tokens_bounds[local]
        return lengths

    def gather(self, name: str, rows: _Ints) -> NDArray[Any]:
        """Some rows of a column: ``contents`` or ``sizes``."""
        values = np.empty((len(rows), 2), np.uint64) if name == "contents" else np.empty(len(rows), np.int64)
        for block, places, local in self._split(rows):
            values[places] = getattr(block, name)[local]
        return values

    def gather_signatures(self, rows: _Ints, num_hashes: int) -> NDArray[np.uint32]:
        """The signatures of some documents, uint32 [n, k]."""
        signatures = np.empty((len(rows), num_hashes), np.uint32)
        for block, places, local in self._split(rows):
            signatures[places] = block.signatures[local]
        return signatures

    def release_pages(self) -> None:
        """Give the pages that were read back to the system, which counts them as memory of this process until then."""
        for block in self._blocks:
            release_pages(block.signatures)

    def ids(self, rows: _Ints) -> list[str]:
        """The ids of some documents."""
        return [str(name, "utf-8", "surrogatepass") for name in self._gather_strings("ids", rows)]

    def values(self, rows: _Ints) -> list[list[Any]]:
        """The values that the keep policy asks for, of some documents."""
        return [decode_json(row_values) for row_values in self._gather_strings("values", rows)]

    def _gather_strings(self, name: str, rows: _Ints) -> list[bytes]:
        strings = [b""] * len(rows)
        for block, places, local in self._split(rows):
            data, bounds = getattr(block, name), getattr(block, f"{name}_bounds")
            spans = zip(bounds[local].tolist(), bounds[local + 1].tolist(), strict=True)
            for place, (begin, end) in zip(places.tolist(), spans, strict=True):
                strings[place] = data[begin:end].tobytes()
        return strings

    def tokens(self, row: int) -> NDArray[np.uint32]:
        """The tokens of a document."""
        [(block, _, local)] = self._split(np.array([row]))
        begin, end = block.tokens_bounds[local[0] : local[0] + 2].tolist()
        return block.tokens[begin:end]

    def make_shingle_sets(self, rows: _Ints, width: int) -> ShingleSets:
        """The distinct shingles of some documents, ascending ``rows``."""
        values, bounds = [np.zeros(0, np.uint64)], [np.zeros(1, np.int64)]
        for block, _, local in self._split(rows):
            sets = make_shingle_sets(block.tokens, block.tokens_bounds, local, width)
            bounds.append(sets.bounds[1:] + bounds[-1][-1])
            values.append(sets.values)
        return ShingleSets(np.concatenate(values), np.concatenate(bounds))

    def read_bands(self, wanted: HashRange) -> tuple[NDArray[np.uint64], _Ints]:
        """The hashes of bands in a range, and the documents that have them."""
        hashes, rows = [np.zeros(0, np.uint64)], [np.zeros(0, np.int64)]
        for block, start in zip(self._blocks, self._starts.tolist(), strict=False):
            part = wanted.find(block.band_hashes)
            hashes.append(block.band_hashes[part])
            rows.append(block.band_rows[part] + np.int64(start))
        return np.concatenate(hashes), np.concatenate(rows)

    def _split(self, rows: _Ints) -> Iterator[BlockRows]:
        """Some documents by their blocks, for each block that has some of them."""
        numbers = np.searchsorted(self._starts, rows, side="right") - 1
        order = np.argsort(numbers, kind="stable")
        cuts = np.flatnonzero(np.diff(numbers[order])) + 1
        for places in np.split(order, cuts) if len(rows) else ():
            number = int(numbers[places[0]])
            yield BlockRows(self._blocks[number], places, rows[places] - self._starts[number])


_open_blocks = open_all_as(Block)
_open_facts = open_as(Facts)
