"""How small are packed postings, and how fast are they unpacked?

    python benchmarks/packing.py [--quick] [--csv FILE]

Postings of real novels, one segment, of four kinds: windows of multisets and of sets (passages of 32 to 1024 tokens,
4 functions), the positions of every token (an inverted file of words: one function, no extents), and bands of documents
(500 tokens a document, four min-hashes a band, 4 bands: nearly every list has one posting).

Codecs: *blocks*, what an index holds; *blocks, deltas*, the same without the staircase, made by giving every posting an
extent more, which is 0; *plain*, the columns of format version 1, which are copied; zstd and lz4 on plain columns and
on columns of deltas, 4096 postings at a time; Parquet's DELTA_BINARY_PACKED, read as whole columns. The *floor* is the
entropy of the residuals, each column coded by itself: what a code that knows no more could reach.

Bytes are those of the postings and of what finds a block; the directory of keys has a column of its own, bytes a list.
Bytes a token are for 16 functions of windows. Times are processor time, for all postings or for ranges of 4096.
"""

import io
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq
from collections_of_text import documents, word_tokens
from report import Report, Row, timed

from ibidem.hashing import function_seeds
from ibidem.sketches.families import FAMILIES
from ibidem.sketches.windows.scanline import scanline
from ibidem.store.format import PACKED_MARGIN, SHORT_LIST
from ibidem.store.postings.lists import Blocks, find_list_ends
from ibidem.store.postings.packing import pack, pack_keys
from ibidem.store.postings.unpacking import unpack
from ibidem.text.token_stream import prepare_tokens
from ibidem.weights import Weighting

LIMITS = (32, 1024)
FUNCTIONS = 4
DOCUMENT = 500
BAND_ROWS = 4
CHUNK = 4096


class Function(NamedTuple):
    """The postings of one function: keys [K], ends of lists [K], starts [P], extents [P, w]."""

    keys: npt.NDArray[np.uint32]
    ends: npt.NDArray[np.uint32]
    starts: npt.NDArray[np.uint32]
    extents: npt.NDArray[np.uint16]

    @classmethod
    def of(cls, keys: npt.NDArray[Any], starts: npt.NDArray[Any], extents: npt.NDArray[np.uint16]) -> "Function":
        order = np.argsort(keys.astype(np.uint64) << np.uint64(32) | starts.astype(np.uint64))
        return cls(*find_list_ends(keys[order].astype(np.uint32)), starts[order].astype(np.uint32), extents[order])


Functions = list[Function]
Packed = tuple[int, Callable[[], object]]
"""Bytes, and what unpacks them all."""


def windows(family: str, texts: list[npt.NDArray[np.uint32]]) -> Functions:
    stream = prepare_tokens(np.concatenate(texts), np.cumsum([0, *map(len, texts)]), LIMITS[1])
    chosen = FAMILIES[family](Weighting.of(family))
    functions = []
    for seed in function_seeds(0, FUNCTIONS):
        made = scanline(stream, chosen.active(stream.vocabulary, stream.peaks, seed), *LIMITS)
        corners = np.stack((made.a, made.b, made.c, made.d), axis=1).astype(np.int64)
        functions.append(Function.of(made.keys, corners[:, 0], np.diff(corners, axis=1).astype(np.uint16)))
    return functions


def positions(texts: list[npt.NDArray[np.uint32]]) -> Functions:
    tokens = np.concatenate(texts)
    return [Function.of(tokens, np.arange(len(tokens)), np.empty((len(tokens), 0), np.uint16))]


def bands(texts: list[npt.NDArray[np.uint32]]) -> Functions:
    tokens = np.concatenate(texts)
    begins = np.arange(0, len(tokens), DOCUMENT)
    functions = []
    for seeds in function_seeds(0, BAND_ROWS * FUNCTIONS).reshape(FUNCTIONS, BAND_ROWS):
        keys = np.zeros(len(begins), np.uint64)
        for seed in seeds:
            values = (tokens.astype(np.uint64) + seed) * np.uint64(0x9E3779B97F4A7C15)
            keys = (keys ^ np.minimum.reduceat(values, begins)) * np.uint64(0xD6E8FEB86659FD93)
        none = np.empty((len(begins), 0), np.uint16)
        functions.append(Function.of((keys >> np.uint64(32)).astype(np.uint32), np.arange(len(begins)), none))
    return functions


def blocks_of(functions: Functions) -> list[Blocks]:
    made = [pack(each.ends, each.starts, each.extents) for each in functions]
    return [each._replace(packed=np.append(each.packed, np.zeros(PACKED_MARGIN, np.uint8))) for each in made]


def directory_bytes(functions: Functions) -> int:
    """Bytes of the keys, the lengths of their lists, and what finds a block of them."""
    blocks = [pack_keys(each.keys, each.ends) for each in functions]
    return sum(each.packed.nbytes + each.rows.nbytes + each.bytes.nbytes + 8 * len(each.rows) for each in blocks)


def packed_in_blocks(functions: Functions) -> Packed:
    blocks, width = blocks_of(functions), functions[0].extents.shape[1]
    size = sum(sum(column.nbytes for column in each) for each in blocks)
    return size, lambda: [unpack(each, 0, int(each.rows[-1]), width) for each in blocks]


def in_ranges(functions: Functions) -> Callable[[], object]:
    """What unpacks all postings in ranges of ``CHUNK``."""
    blocks, width = blocks_of(functions), functions[0].extents.shape[1]

    def ranges(each: Blocks) -> Iterator[tuple[int, int]]:
        last = int(each.rows[-1])
        return ((low, min(low + CHUNK, last)) for low in range(0, last, CHUNK))

    return lambda: [unpack(each, *bounds, width) for each in blocks for bounds in ranges(each)]


def with_a_column_more(functions: Functions) -> Functions:
    return [
        each._replace(extents=np.hstack((each.extents, np.zeros((len(each.starts), 1), np.uint16))))
        for each in functions
    ]


def plain(functions: Functions) -> Packed:
    size = sum(each.starts.nbytes + each.extents.nbytes for each in functions)
    return size, lambda: [(each.starts.copy(), each.extents.copy()) for each in functions]


def deltas(functions: Functions) -> Functions:
    """Starts as differences, modulo 2^32."""
    return [each._replace(starts=np.diff(each.starts, prepend=np.uint32(0))) for each in functions]


def compressed(codec: str, functions: Functions, of_deltas: bool) -> Packed:
    """General compression of chunks of every column."""
    columns = [
        column
        for each in (deltas(functions) if of_deltas else functions)
        for column in (each.starts, *np.ascontiguousarray(each.extents.T))
    ]
    parts = [
        (
            column.itemsize * len(part),
            pa.compress(part.tobytes(), codec, asbytes=True),
            of_deltas and column.itemsize == 4,
        )
        for column in columns
        for part in np.split(column, range(CHUNK, len(column), CHUNK))
        if len(part)
    ]

    def run() -> None:
        for size, data, summed in parts:
            values = np.frombuffer(pa.decompress(data, size, codec), np.uint32 if summed else np.uint8)
            if summed:
                np.cumsum(values, dtype=np.uint32)

    return sum(len(data) for _, data, _ in parts), run


def parquet(functions: Functions) -> Packed:
    files = []
    for each in functions:
        columns = {"start": each.starts.view(np.int32)}
        columns |= {f"extent {j}": column.astype(np.int32) for j, column in enumerate(each.extents.T)}
        sink = io.BytesIO()
        table = pa.table(columns)
        encoding = dict.fromkeys(columns, "DELTA_BINARY_PACKED")
        pq.write_table(table, sink, compression="none", use_dictionary=False, column_encoding=encoding)
        files.append(sink.getvalue())
    return sum(map(len, files)), lambda: [pq.read_table(pa.BufferReader(data), use_threads=False) for data in files]


def entropy(values: npt.NDArray[Any]) -> float:
    """Bits a value, if each is coded by how often it occurs; wide ones by their number of bits, and those bits."""
    numbers = values.astype(np.float64)
    bits = np.where(numbers > 0, np.floor(np.log2(np.maximum(numbers, 1))) + 1, 0)
    symbols = np.where(values < 1 << 16, values.astype(np.int64), (1 << 16) + bits.astype(np.int64))
    counts = np.unique(symbols, return_counts=True)[1]
    spelled = np.where(values < 1 << 16, 0, bits - 1).sum()
    return float((spelled - (counts * np.log2(counts / len(values))).sum()) / len(values))


def floor(functions: Functions) -> int:
    """The entropy of the residuals of long lists, and of short ones as they are in shared blocks, in bytes."""
    total = 0.0
    for each in functions:
        sizes = np.diff(each.ends.astype(np.int64), prepend=0)
        begins = (each.ends - sizes).astype(np.int64)
        long = np.repeat(sizes >= SHORT_LIST, sizes)
        follows = np.ones(len(each.starts), np.bool_)
        follows[begins] = False
        total += sum(entropy(column) * len(column) for column in residuals(each, follows, long) if len(column))
        total += (~long).sum() * float(np.log2(max(int(each.starts.max()), 1)))
    return round(total / 8)


def residuals(
    each: Function, follows: npt.NDArray[np.bool_], long: npt.NDArray[np.bool_]
) -> list[npt.NDArray[np.int64]]:
    """The columns of residuals: of starts of long lists, of extents of all."""
    corners = np.cumsum(np.column_stack((each.starts, each.extents)).astype(np.int64), axis=1)
    before = np.where(follows[:, None], np.roll(corners, 1, axis=0), 0)
    chained = long & follows
    if each.extents.shape[1] != 3:
        return [(corners[:, 0] - before[:, 0])[chained], *each.extents.T.astype(np.int64)]
    a, b, c, d = corners.T
    least = np.maximum(b, a + int((c - a).min()))
    return [
        (a - before[:, 1] - 1)[chained],
        b - a,
        c - np.where(chained, np.maximum(least, before[:, 2]), least),
        d - np.where(chained, np.maximum(c, before[:, 3]), c),
    ]


def measure(name: str, functions: Functions, tokens: int, repeats: int) -> list[Row]:
    postings = sum(len(each.starts) for each in functions)
    lists = sum(len(each.ends) for each in functions)
    width = functions[0].extents.shape[1]
    share = 16 // FUNCTIONS if width == 3 else 1  # of the functions that an index of windows has
    directory = directory_bytes(functions)
    packing = timed(lambda: blocks_of(functions), repeats, time.process_time)
    codecs: list[tuple[str, Callable[[], Packed]]] = [
        ("blocks", lambda: packed_in_blocks(functions)),
        ("plain", lambda: plain(functions)),
        ("zstd, plain columns", lambda: compressed("zstd", functions, of_deltas=False)),
        ("zstd, deltas", lambda: compressed("zstd", functions, of_deltas=True)),
        ("lz4, deltas", lambda: compressed("lz4", functions, of_deltas=True)),
        ("Parquet, DELTA_BINARY_PACKED", lambda: parquet(functions)),
    ]
    if width == 3:
        codecs.insert(1, ("blocks, deltas", lambda: packed_in_blocks(with_a_column_more(functions))))

    def row(codec: str, size: int, unpacking: float | None) -> Row:
        each = 1e9 / postings
        return {
            "postings": name,
            "a list": f"{postings / lists:.1f}",
            "codec": codec,
            "B a posting": f"{size / postings:.2f}",
            "B a token": f"{share * size / tokens:.2f}",
            "directory B a list": {"blocks": f"{directory / lists:.2f}", "plain": "8.00"}.get(codec, ""),
            "pack ns": f"{packing.best * each:.1f}" if codec == "blocks" else "",
            "unpack ns": f"{unpacking * each:.1f}" if unpacking is not None else "",
            "GB/s of plain": f"{(4 + 2 * width) / (unpacking * each):.2f}" if unpacking is not None else "",
        }

    rows = [row("(floor)", floor(functions), None)]
    for codec, packed in codecs:
        size, run = packed()
        run()  # kernels are compiled, arrays are in memory
        rows.append(row(codec, size, timed(run, repeats, time.process_time).best))
        if codec == "blocks":
            ranges = timed(in_ranges(functions), repeats, time.process_time).best
            rows.append(row(f"blocks, ranges of {CHUNK}", size, ranges))
    return rows


def main() -> None:
    report = Report(__doc__)
    options = report.options()
    texts = word_tokens([text for _, text in documents(options.quick)])
    tokens = sum(map(len, texts))
    sources: dict[str, Callable[[], Functions]] = {
        "windows, multiset": lambda: windows("multiset", texts),
        "windows, set": lambda: windows("set", texts),
        "positions": lambda: positions(texts),
        f"bands of {FUNCTIONS}": lambda: bands(texts),
    }
    repeats = 1 if options.quick else 5
    report.finish([row for name, made in sources.items() for row in measure(name, made(), tokens, repeats)])


if __name__ == "__main__":
    main()
