"""The input of a plan: files that are looked at once when the plan is made, and again when they are read."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

import xxhash

from ibidem.corpus.opening import open_stored
from ibidem.corpus.sources import Source, list_sources
from ibidem.errors import PlanError
from ibidem.parallel import in_order
from ibidem.plans.plan import Shard
from ibidem.remote.storage import is_remote
from ibidem.resources import Resources

__all__ = ["PART_BYTES", "choose_parts", "cut_into_parts", "describe_shards", "require_unchanged", "sources_of"]

_CHUNK = 1 << 22

PART_BYTES = 256 << 20
"""Stored bytes of a part where no number of parts is given: minutes of work, so little is lost with a rank."""


def describe_shards(paths: Iterable[str], resources: Resources) -> list[Shard]:
    """Every file that the paths stand for, with its size and checksum; each is read once, whole, several at a time.

    Raises:
        CorpusError: a path does not exist or cannot be read.
        PlanError: a path is a pipe, which can be read once only.
    """
    shards: list[Shard] = []
    looked_at = 0
    with resources.pool() as pool:
        for shard in in_order(pool, _describe, list_sources(list(paths)), 2 * resources.workers):
            shards.append(shard)
            looked_at += shard.size
            resources.tell("bytes looked at", looked_at, None)
    return shards


def sources_of(shards: Sequence[Shard]) -> list[Source]:
    """The shards as the readers of collections take them."""
    return [Source(shard.path, shard.name) for shard in shards]


def require_unchanged(shards: Iterable[Shard]) -> None:
    """Read each shard whole and compare it with what it was when the plan was made.

    Raises:
        CorpusError: one is gone or cannot be read.
        PlanError: one has changed.
    """
    for shard in shards:
        size, checksum = _digest(Source(shard.path, shard.name))
        if (size, checksum) != (shard.size, shard.checksum):
            change = f"it has {size:,} bytes and had {shard.size:,}" if size != shard.size else "its bytes are others"
            raise PlanError(f"{shard.path}: changed since the plan was made ({change}); plan the job again")


def choose_parts(shards: Sequence[Shard], parts: int | None) -> list[tuple[int, int]]:
    """Runs of shards: at most ``parts``, or one for each ``PART_BYTES`` if that is not given."""
    return cut_into_parts(shards, parts or max(1, -(-sum(shard.size for shard in shards) // PART_BYTES)))


def cut_into_parts(shards: Sequence[Shard], parts: int) -> list[tuple[int, int]]:
    """Runs of shards of about the same size, at most ``parts``; none is empty, and none cuts a shard."""
    total, done = sum(shard.size for shard in shards), 0
    bounds = [0]
    for number, shard in enumerate(shards, start=1):
        done += shard.size
        # A part ends with the shard that reaches its share of all bytes.
        if done * parts >= total * len(bounds) and number < len(shards) and len(bounds) < parts:
            bounds.append(number)
    bounds.append(len(shards))
    return [(low, high) for low, high in pairwise(bounds) if low < high]


def _describe(source: Source) -> Shard:
    if source.is_pipe:
        raise PlanError(f"{source.path}: a pipe can be read once only; write it to a file and plan with that")
    path = source.path if is_remote(source.path) else str(Path(source.path).absolute())
    return Shard(path, source.name, *_digest(source))


def _digest(source: Source) -> tuple[int, str]:
    digest, size = xxhash.xxh3_128(), 0
    with open_stored(source) as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
            size += len(chunk)
    return size, digest.hexdigest()
