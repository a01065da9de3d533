"""The input of a plan: files that are looked at once when the plan is made, and again when they are read."""

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

import xxhash

from ibidem.corpus.failures import Failures, leave_out
from ibidem.corpus.opening import compression_of, open_stored, suffix_of
from ibidem.corpus.sources import LineRange, ReadingProgress, Source, list_sources, stored_size
from ibidem.errors import CorpusError, PlanError
from ibidem.jobs.plan import Plan, Shard, ShardPiece
from ibidem.parallel import in_order
from ibidem.remote.storage import is_remote
from ibidem.resources import Resources

_CHUNK = 1 << 22

_OF_LINES = (".jsonl", ".ndjson")
"""Suffixes of files of which each line is a record; one of ``.json`` may be an array."""

PART_BYTES = 256 << 20
"""Stored bytes of a part where no number of parts is given: minutes of work, so little is lost with a rank."""


def describe_shards(
    paths: Iterable[str],
    resources: Resources,
    parts: int | None = None,
    failures: Failures | None = None,
    progress: ReadingProgress | None = None,
) -> list[Shard]:
    """Every file that the paths name, with its size and checksum; each is read once, whole, several at a time.

    A file that can be cut and is larger than one of so many ``parts`` is several shards. ``failures`` learn which files
    cannot be read; without them that is an error. ``progress`` learns which files of folders are passed over.

    Raises:
        CorpusError: a path does not exist, or none of them can be read.
        PlanError: a path is a pipe, which can be read once only.
    """
    sources = [each._replace(progress=None) for each in list_sources(list(paths), progress, failures)]
    most = _part_bytes([stored_size(source) for source in sources], parts)
    shards: list[Shard] = []
    looked_at = 0
    with resources.pool() as pool:
        for found in in_order(pool, partial(_describe_or_leave_out, most=most), sources, 2 * resources.workers):
            shards += found
            looked_at += sum(shard.size for shard in found)
            resources.tell("bytes looked at", looked_at, None)
    if sources and not shards:
        raise CorpusError(next(iter(failures or ())).message)
    return shards


def sources_of(shards: Sequence[Shard], failures: Failures | None = None) -> list[Source]:
    """The shards as the readers of collections take them."""
    return [Source(shard.path, shard.name, piece=_place_of(shard), failures=failures) for shard in shards]


def _place_of(shard: Shard) -> LineRange | None:
    piece = shard.piece
    return None if piece is None else LineRange(piece.begin, piece.begin + shard.size, piece.line)


def require_unchanged(shards: Sequence[Shard]) -> None:
    """Read each shard whole and compare it with what it was when the plan was made.

    Raises:
        CorpusError: one is gone or cannot be read.
        PlanError: one has changed.
    """
    for shard, source in zip(shards, sources_of(shards), strict=True):
        _require_file(shard)
        size, checksum = _digest(source, shard.size)
        if shard.piece is not None:  # bytes that came behind the last piece are in none
            _require_size(shard, _measure(source), shard.piece.of)
        _require_size(shard, size, shard.size)
        if checksum != shard.checksum:
            raise PlanError(f"{shard.path}: changed since the plan was made (its bytes are others); {_AGAIN}")


def _require_file(shard: Shard) -> None:
    """Refuse what has no end, such as a device, and another size, before it is read; of a URL, reading says so."""
    if is_remote(shard.path) or not os.path.exists(shard.path):
        return
    if not os.path.isfile(shard.path):
        raise PlanError(f"{shard.path}: no file, as it was when the plan was made; {_AGAIN}")
    if shard.piece is None:
        _require_size(shard, os.path.getsize(shard.path), shard.size)


_AGAIN = "plan the job again"


def _require_size(shard: Shard, size: int | None, expected: int) -> None:
    if size != expected:
        change = f"it has {'more' if size is None else f'{size:,}'} bytes and had {expected:,}"
        raise PlanError(f"{shard.path}: changed since the plan was made ({change}); {_AGAIN}")


def choose_parts(shards: Sequence[Shard], parts: int | None) -> list[tuple[int, int]]:
    """Runs of shards: at most ``parts``, or one for each ``PART_BYTES`` if that is not given."""
    return cut_into_parts(shards, parts or max(1, -(-sum(shard.size for shard in shards) // PART_BYTES)))


def find_giants(plan: Plan) -> list[Shard]:
    """The files that one task reads although they are larger than two parts, as they cannot be cut."""
    most = 2 * max(PART_BYTES, sum(shard.size for shard in plan.shards) // len(plan.parts))
    return [shard for shard in plan.shards if shard.piece is None and shard.size > most]


def cut_into_parts(shards: Sequence[Shard], parts: int) -> list[tuple[int, int]]:
    """Runs of shards of about the same size, at most ``parts``; none is empty, and none cuts a shard."""
    total, bytes_done = sum(shard.size for shard in shards), 0
    bounds = [0]
    for number, shard in enumerate(shards, start=1):
        bytes_done += shard.size
        # A part ends with the shard that reaches its share of all bytes.
        if bytes_done * parts >= total * len(bounds) and number < len(shards) and len(bounds) < parts:
            bounds.append(number)
    bounds.append(len(shards))
    return [(low, high) for low, high in pairwise(bounds) if low < high]


def _part_bytes(sizes: Sequence[int | None], parts: int | None) -> int:
    """Stored bytes of a part; the size of a file in an object store is not known beforehand."""
    known_sizes = [size for size in sizes if size is not None]
    if parts is None or len(known_sizes) < len(sizes):
        return PART_BYTES
    return max(1, -(-sum(known_sizes) // parts))


def _describe_or_leave_out(source: Source, most: int) -> list[Shard]:
    with leave_out(source):
        return _describe(source, most)
    return []


def _describe(source: Source, most: int) -> list[Shard]:
    """The shards of a file: one, or pieces of about ``most`` bytes if it can be cut."""
    if source.is_pipe:
        raise PlanError(f"{source.path}: a pipe can be read once only; write it to a file and plan with that")
    path = source.path if is_remote(source.path) else str(Path(source.path).absolute())
    pieces = list(_cut_lines(source, most if _is_of_lines(path) else None))
    size = pieces[-1][0].end
    places = [ShardPiece(piece.begin, piece.line, size) if len(pieces) > 1 else None for piece, _ in pieces]
    return [
        Shard(path, source.name, piece.end - piece.begin, checksum, place)
        for (piece, checksum), place in zip(pieces, places, strict=True)
    ]


def _is_of_lines(path: str) -> bool:
    """Whether each line of a file is a record by itself, as far as its name says."""
    return suffix_of(path) in _OF_LINES and not compression_of(path)


def _cut_lines(source: Source, most: int | None) -> Iterator[tuple[LineRange, str]]:
    """Pieces of a file that have ``most`` bytes and the rest of their last line, with their checksums; or all of it."""
    begin, line = 0, 1
    with open_stored(source) as stream:
        most = most if stream.seekable() else None
        while True:
            digest, end, lines = xxhash.xxh3_128(), begin, 0
            for chunk in _read_piece(stream, most):
                digest.update(chunk)
                end += len(chunk)
                lines += chunk.count(b"\n") if most else 0
            if end > begin or not begin:
                yield LineRange(begin, end, line), digest.hexdigest()
            if most is None or end - begin < most:
                return
            begin, line = end, line + lines


def _read_piece(stream: BinaryIO, most: int | None) -> Iterator[bytes]:
    """The next ``most`` bytes of a stream, and the rest of the line in which they end; or all that it has."""
    bytes_left = most
    while chunk := stream.read(_CHUNK if bytes_left is None else min(_CHUNK, bytes_left)):
        yield chunk
        bytes_left = None if bytes_left is None else bytes_left - len(chunk)
    while bytes_left == 0 and (chunk := stream.readline(_CHUNK)):
        yield chunk
        if chunk.endswith(b"\n"):
            return


def _digest(source: Source, most: int) -> tuple[int | None, str]:
    """How many bytes a source has and their checksum; no size if there are more than ``most``, as of an endless URL."""
    digest, bytes_left = xxhash.xxh3_128(), most + 1
    with open_stored(source) as stream:
        while bytes_left and (chunk := stream.read(min(_CHUNK, bytes_left))):
            digest.update(chunk)
            bytes_left -= len(chunk)
    return most + 1 - bytes_left if bytes_left else None, digest.hexdigest()


def _measure(source: Source) -> int:
    """Bytes of the file of which a source is a piece."""
    with open_stored(source._replace(piece=None)) as stream:
        return stream.seek(0, os.SEEK_END)
