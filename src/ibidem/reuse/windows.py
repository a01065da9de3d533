"""The similar windows of a whole collection, and the boxes that they make of each two documents.

Every window of tokens gets a key in each band (:mod:`ibidem.reuse.bands`). The windows of one key are brought together,
in parts that memory holds, and those of different documents are compared (:mod:`ibidem.reuse.join`); two that are
similar are a *seed*. Seeds of two documents that lie near each other make a box. How the work is cut into tasks depends
on the memory, what is found does not.

Copies have seeds everywhere. So a few keys are joined first, and copies are followed from their seeds
(:mod:`ibidem.reuse.following`): what lies in a copy that is known is not compared again.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.evidence.records.parts import RecordParts, RecordsByPart
from ibidem.evidence.records.records import Records
from ibidem.hashing import GOLDEN, function_seeds
from ibidem.parallel import in_order
from ibidem.resources import Resources
from ibidem.reuse.bands import Bands, Sample, choose_bands, rank_tokens, rate_tokens
from ibidem.reuse.boxes import KnownBoxes, PairBoxes, merge_seeds
from ibidem.reuse.collection import Collection, Comparable
from ibidem.reuse.following import follow_copies
from ibidem.reuse.join import Seeds, join_records
from ibidem.reuse.records.hashing import make_window_records
from ibidem.reuse.records.rare import find_rare, make_rare_records

_Ints = npt.NDArray[np.int64]

_RANGE = 1 << 20
"""Tokens whose windows are hashed by one task."""

_SAMPLED = 1 << 20
"""Tokens of the sample in which windows that agree by chance are counted."""

_PLACES = 64
"""Places of the collection from which the sample is drawn."""

_SHIFT = np.uint64(20)
"""The first bits of a key's product decide which part of a join it is in; these are others."""

_MERGED = 1 << 18
"""The least number of seeds that are merged with those of earlier parts; until then, each takes 130 bytes."""

_FOLLOWED = 16
"""One in so many keys of the first band leads to copies that are followed, before all keys are joined."""


class WindowJoin(NamedTuple):
    """The windows that are compared, and how surely similar ones are found.

    Attributes:
        window: tokens of a window.
        threshold: the least weighted similarity of two windows that count as similar.
        promised: the least similarity of windows that are found with a probability of ``recall``.
        recall: 1 for the exact join, which finds whatever is similar.
        most: the most runs of one key of which every pair is compared.
        seed: names the hash functions.
        bands: how windows are hashed; planned for the collection if not given.
    """

    window: int = 32
    threshold: float = 0.3
    promised: float = 0.65
    recall: float = 0.99
    most: int = 256
    seed: int = 0
    bands: Bands | None = None

    @property
    def least_shared(self) -> int:
        """Tokens of one weight that two windows share if they are similar by the threshold."""
        return math.ceil(2 * self.threshold / (1 + self.threshold) * self.window)


class FoundBoxes(NamedTuple):
    """Boxes, and what their search took.

    Attributes:
        boxes: similar windows, those near each other as one box.
        bands: how windows were hashed.
        candidates: pairs of runs that were compared.
        crowded_groups: groups of more runs than every pair is compared of.
    """

    boxes: PairBoxes
    bands: Bands
    candidates: int
    crowded_groups: int


def plan_bands(collection: Collection, join: WindowJoin) -> Bands:
    """How windows are hashed: the bands asked for, or those that keep the promise with the least work."""
    if join.recall >= 1:
        return Bands.exact(join.window)
    if join.bands is not None:
        return join.bands
    return choose_bands(draw_sample(collection), len(collection.tokens), join.recall, join.promised, join.window)


def draw_sample(collection: Collection) -> Sample:
    """Pieces from evenly spaced places of the documents in the order of their contents."""
    total = len(collection.tokens)
    step = max(total // _PLACES, 1)
    size = min(_SAMPLED // _PLACES, step)
    order = np.argsort(collection.ranks)
    ends = np.cumsum(np.diff(collection.bounds)[order])
    pieces, bounds = [np.zeros(0, np.int32)], [0]
    for first in range(0, total, step):
        place, last = first, min(first + size, total)
        bounds.append(bounds[-1] + last - place)
        while place < last:
            place_in_order = int(np.searchsorted(ends, place, side="right"))
            end = int(collection.bounds[order[place_in_order] + 1])
            document_end = int(ends[place_in_order])
            piece = collection.tokens[end - (document_end - place) : end - max(document_end - last, 0)]
            pieces.append(piece)
            place += len(piece)
    return Sample(np.concatenate(pieces), np.array(bounds), collection.vocabulary, collection.idf)


class KeyRange(NamedTuple):
    """The keys of a band, or those of a ``number`` of so many ranges."""

    band: int
    number: int = 0
    ranges: int = 1


class BandJoin(NamedTuple):
    """A join of a collection with itself.

    Attributes:
        collection: its documents.
        comparable: the same as kernels read it.
        join: the windows that are compared.
        bands: how they are hashed.
    """

    collection: Collection
    comparable: Comparable
    join: WindowJoin
    bands: Bands

    @property
    def number(self) -> int:
        """How many bands are joined; where weaker windows count, rare tokens are one more behind the others."""
        return self.bands.bands + (len(self.comparable.presence) > 0)

    @property
    def records(self) -> int:
        """About how many records a band will have."""
        density = min(1.0, 2.5 * self.bands.functions / (self.join.window + 1))
        return int(density * len(self.collection.tokens)) + 1

    @property
    def most(self) -> int:
        """The most runs of one key of which every pair is compared; the exact join leaves no pair out."""
        return self.join.most if self.bands.functions else len(self.collection.tokens) + 1

    def cut_keys(self, records: int) -> list[list[KeyRange]]:
        """The keys of all bands, cut or put together so that a list of ranges has about so many ``records``."""
        ranges, bands = -(-self.records // records), max(1, records // self.records)
        keys = [KeyRange(band, number, ranges) for band in range(self.number) for number in range(ranges)]
        return [keys[first : first + bands] for first in range(0, len(keys), bands)]


def find_boxes(
    collection: Collection, comparable: Comparable, join: WindowJoin, folder: Path, resources: Resources
) -> FoundBoxes:
    """Boxes around all similar windows of documents that are compared; what memory cannot hold goes to ``folder``.

    Two windows that are similar by ``join.promised`` are in one box with a probability of ``join.recall``, unless
    more than ``join.most`` runs have the values that they agree in.
    """
    task = BandJoin(collection, comparable, join, plan_bands(collection, join))
    keys = [KeyRange(band) for band in range(task.number)]
    seeds = join_bands(task, keys, np.empty((0, 4), np.int64), folder / "records", resources)
    return box_seeds(task, [seeds])


def join_bands(task: BandJoin, keys: Sequence[KeyRange], known: _Ints, scratch: Path, resources: Resources) -> Seeds:
    """The seeds of some ranges of keys, which are joined one after another.

    A seed within a box of the ranges before, or within a ``known`` one, int64 [B, 4], is left out: it changes nothing.
    So whatever is known, the boxes that come of all seeds are the same, and only the work is less. Records that memory
    does not hold lie in a file at ``scratch`` meanwhile.
    """
    bounds, window = task.comparable.bounds, task.comparable.window
    boxes, seeds = known, []
    with resources.pool() as pool:
        for each in keys:
            merged = merge_seeds(boxes, bounds, window)
            seeds.append(_join_band(pool, task, each, KnownBoxes.of(merged, bounds), scratch, resources))
            boxes = np.concatenate([merged.boxes, seeds[-1].boxes])
            resources.tell("joining", each.band * each.ranges + each.number + 1, task.number * each.ranges)
    return Seeds(np.concatenate([each.boxes for each in seeds]), *_count(seeds))


def box_seeds(task: BandJoin, seeds: Sequence[Seeds]) -> FoundBoxes:
    """The boxes that the seeds of all keys make."""
    boxes = merge_seeds(np.concatenate([each.boxes for each in seeds]), task.comparable.bounds, task.join.window)
    return FoundBoxes(boxes, task.bands, *_count(seeds))


def _count(seeds: Sequence[Seeds]) -> tuple[int, int]:
    """The candidates and the crowded groups of all seeds."""
    return sum(each.candidates for each in seeds), sum(each.crowded_groups for each in seeds)


def _join_band(
    pool: ThreadPoolExecutor,
    task: BandJoin,
    keys: KeyRange,
    known_boxes: KnownBoxes,
    scratch: Path,
    resources: Resources,
) -> Seeds:
    """The seeds of a band that are in none of ``known_boxes``; of the first band, with the copies that they lead to."""
    comparable, join = task.comparable, task.join
    hash_range = make_hasher(task.collection, join, task.bands, keys.band)

    def join_keys(keys: KeyRange, known_boxes: KnownBoxes) -> Seeds:
        with RecordParts(scratch, -(-task.records // keys.ranges), resources) as runs:

            def collect(span: tuple[int, int]) -> RecordsByPart:
                return runs.share_out(select_range(hash_range(span), keys.number, keys.ranges))

            for piece in in_order(pool, collect, cut_ranges(comparable.bounds), resources.workers):
                runs.append(piece)
            return join_parts(pool, runs, comparable, join, task.most, resources, known_boxes)

    if not task.bands.functions or keys.band or keys.number:
        return join_keys(keys, known_boxes)
    few = join_keys(KeyRange(0, 0, _FOLLOWED), KnownBoxes.make_empty(comparable.bounds))
    copies = _follow(pool, few, comparable, join, resources)
    all_seeds = join_keys(keys, KnownBoxes.of(copies, comparable.bounds))
    return all_seeds._replace(boxes=np.concatenate([copies.boxes, all_seeds.boxes]))


def _follow(
    pool: ThreadPoolExecutor, seeds: Seeds, comparable: Comparable, join: WindowJoin, resources: Resources
) -> PairBoxes:
    """The copies that seeds lead to."""
    boxes = merge_seeds(seeds.boxes, comparable.bounds, join.window)
    thresholds = join.threshold, max(join.threshold, join.promised)
    copies = follow_copies(boxes, comparable, thresholds, pool, resources.workers)
    return merge_seeds(copies, comparable.bounds, join.window)


def select_range(records: Records, number: int, ranges: int) -> Records:
    """The records whose keys lie in range ``number`` of so many."""
    if ranges == 1:
        return records
    range_of_record = ((records.keys * GOLDEN) >> _SHIFT) % np.uint64(ranges)
    return records.take(np.flatnonzero(range_of_record == np.uint64(number)))


def make_hasher(
    collection: Collection, join: WindowJoin, bands: Bands, band: int
) -> Callable[[tuple[int, int]], Records]:
    """The task that makes the records of a range of windows."""
    if band == bands.bands:
        rarity = collection.rarity
        is_rare = find_rare(collection.idf * rarity.mean, rarity.frequencies.num_documents)
        return lambda span: make_rare_records(collection.tokens, collection.bounds, is_rare, bands.window, span)
    seeds = function_seeds(join.seed, bands.bands * bands.functions)[band * bands.functions :][: bands.functions]
    ranks = rank_tokens(collection.vocabulary, rate_tokens(collection.idf), seeds)
    return lambda span: make_window_records(collection.tokens, collection.bounds, ranks, bands.window, *span)


def cut_ranges(bounds: _Ints) -> Iterator[tuple[int, int]]:
    """Ranges of tokens of about the size of a task: whole documents, or parts of one that is longer than this.

    So where a run of windows is cut depends on its own document alone.
    """
    first = 0
    for begin, end in pairwise(bounds.tolist()):
        if end - first <= _RANGE:
            continue
        if begin > first:
            yield first, begin
            first = begin
        while end - first > _RANGE:
            yield first, first + _RANGE
            first += _RANGE
    if first < bounds[-1]:
        yield first, int(bounds[-1])


def join_parts(
    pool: ThreadPoolExecutor,
    runs: RecordParts,
    comparable: Comparable,
    join: WindowJoin,
    most: int,
    resources: Resources,
    known_boxes: KnownBoxes | None = None,
) -> Seeds:
    """The seeds of all parts that are in none of ``known_boxes``, those near each other as one box."""

    def join_part(part: int) -> Seeds:
        return join_records(runs.part(part), comparable, join.threshold, most, known_boxes, join.promised)

    boxes, candidates, crowded = [np.empty((0, 4), np.int64)], 0, 0
    for seeds in in_order(pool, join_part, range(runs.parts), resources.workers):
        boxes.append(seeds.boxes)
        candidates, crowded = candidates + seeds.candidates, crowded + seeds.crowded_groups
        if sum(map(len, boxes[1:])) > max(_MERGED, len(boxes[0])):  # the first are merged
            boxes = [merge_seeds(np.concatenate(boxes), comparable.bounds, comparable.window).boxes]
    return Seeds(merge_seeds(np.concatenate(boxes), comparable.bounds, comparable.window).boxes, candidates, crowded)
