"""Boilerplate: lines, or passages, that many documents hold word for word, found in time linear in the text.

A unit is a line without the white space around it, or each run of ``min_length`` tokens. One pass hashes the units of
each document; the task of a range of hashes counts the documents that hold each; a second pass cuts the units that
enough documents hold, wherever they occur. Units are compared by 64 bits, so two of 10^9 different ones share a hash
with a probability of 3 %.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
import xxhash

from ibidem.corpus.failures import Failures
from ibidem.corpus.inputs import InputPart, note_left_out, read_left_out
from ibidem.corpus.writing.cutting import edit_text, find_words
from ibidem.engine.hash_ranges import HashRange
from ibidem.engine.outputs import append_output, open_all_as, open_as, save_output
from ibidem.hashing import hash_strings
from ibidem.parallel import in_order
from ibidem.resources import Resources
from ibidem.reuse.frequent import hash_shingles
from ibidem.reuse.removal.cutting import find_cut
from ibidem.reuse.removal.writing import PASSAGES, gather_files, write_files
from ibidem.text import Documents, Texts, Tokenizer

_Ints = npt.NDArray[np.int64]
_Hashes = npt.NDArray[np.uint64]

_UNITS, _FACTS = "units", "facts.json"

_KINDS = {"start": "int64", "end": "int64", "documents": "int64"}
"""The values of an object of the column that annotating adds."""


class Units(NamedTuple):
    """The units of n documents that were read together.

    Attributes:
        hashes: uint64 [U], of the units of all documents.
        bounds: int64 [n + 1], where those of each document begin.
        starts, ends: uint32 [U], the places of the units in code points.
        distinct: uint64, ascending, the hash of each unit once for each document that holds it.
        names: uint64 [n, 2], hashes of the ids.
        characters: how many the documents have.
    """

    hashes: _Hashes
    bounds: _Ints
    starts: npt.NDArray[np.uint32]
    ends: npt.NDArray[np.uint32]
    distinct: _Hashes
    names: _Hashes
    characters: int


class FrequentUnits(NamedTuple):
    """The units that enough documents hold: uint64 [F], ascending hashes, and int64 [F], how many documents."""

    hashes: _Hashes
    documents: _Ints


_open_units = open_all_as(Units)
_open_frequent = open_as(FrequentUnits)


class Unit(NamedTuple):
    """What is counted: lines, or runs of ``length`` tokens of a ``tokenizer``."""

    boundary: str
    tokenizer: Tokenizer
    length: int

    def split(self, texts: Texts) -> tuple[_Hashes, _Ints, npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
        """The units of some texts, as ``Units`` has them."""
        return _split_lines(texts) if self.boundary == "lines" else _split_runs(texts, self.tokenizer, self.length)


def _split_lines(texts: Texts) -> tuple[_Hashes, _Ints, npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """The lines that are not blank, each with its end."""
    hashes: list[int] = []
    places: list[tuple[int, int]] = []
    counts: list[int] = []
    for text in texts:
        lines = text.splitlines(keepends=True)
        ends = list(accumulate(map(len, lines), initial=0))
        stripped = [line.strip() for line in lines]
        hashes += [xxhash.xxh3_64_intdigest(line.encode("utf-8", "surrogatepass")) for line in stripped if line]
        places += [place for place, line in zip(pairwise(ends), stripped, strict=True) if line]
        counts.append(len(hashes))
    starts, ends_of = np.array(places, np.uint32).reshape(-1, 2).T
    return np.array(hashes, np.uint64), np.array([0, *counts], np.int64), starts, ends_of


def _split_runs(
    texts: Texts, tokenizer: Tokenizer, length: int
) -> tuple[_Hashes, _Ints, npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """The runs of so many tokens of each text."""
    tokens = tokenizer.encode(texts, offsets=True)
    assert tokens.starts is not None
    assert tokens.ends is not None
    hashes, bounds = hash_shingles(tokens.ids, tokens.bounds, length)
    first = np.arange(len(hashes)) + np.repeat(tokens.bounds[:-1] - bounds[:-1], np.diff(bounds))
    return hashes, bounds, tokens.starts[first], tokens.ends[first + length - 1]


def _make_units(unit: Unit, documents: Documents) -> Units:
    hashes, bounds, starts, ends = unit.split(documents.texts)
    rows = np.repeat(np.arange(len(documents.ids)), np.diff(bounds))
    order = np.lexsort((rows, hashes))
    of_hash, of_row = hashes[order], rows[order]
    is_first = np.append(True, (of_hash[1:] != of_hash[:-1]) | (of_row[1:] != of_row[:-1]))[: len(order)]
    names = hash_strings([id.encode("utf-8", "surrogatepass") for id in documents.ids])
    characters = sum(map(len, documents.texts))
    return Units(hashes, bounds, starts, ends, of_hash[is_first], names, characters)


def hash_part(unit: Unit, part: InputPart, folder: Path, resources: Resources) -> None:
    """Leave the units of the documents of a part, and what was left out of it."""
    left_out = Failures(skips=part.skips)
    reading, rows = part.open(resources, left_out), 0
    with resources.pool() as pool:
        for units in in_order(pool, partial(_make_units, unit), reading, resources.workers + 1):
            append_output(units, folder / _UNITS)
            rows += len(units.names)
            resources.tell("reading", rows, None)
    (folder / _FACTS).write_text(json.dumps(reading.counts))
    note_left_out(folder, left_out)


def read_counts(folder: Path) -> list[int]:
    """How many documents each file of a part had."""
    return msgspec.json.decode((folder / _FACTS).read_bytes(), type=list[int])


def read_units(folder: Path) -> list[Units]:
    """The units of the documents of a part."""
    return _open_units(folder / _UNITS) if (folder / _UNITS).exists() else []


def count_range(
    min_documents: int, parts: Sequence[Path], wanted: HashRange, folder: Path, resources: Resources
) -> None:
    """Leave the units of a range of hashes that so many documents hold."""
    blocks = [block.distinct for part in parts for block in read_units(part)]
    hashes = np.sort(np.concatenate([np.zeros(0, np.uint64), *(block[wanted.find(block)] for block in blocks)]))
    begins = np.flatnonzero(np.append(True, hashes[1:] != hashes[:-1])[: len(hashes)])
    documents = np.diff(np.append(begins, len(hashes)))
    is_frequent = documents >= min_documents
    save_output(FrequentUnits(hashes[begins[is_frequent]], documents[is_frequent]), folder)


def read_frequent(ranges: Sequence[Path]) -> FrequentUnits:
    """The units of all ranges."""
    outputs = [_open_frequent(each) for each in ranges]
    return FrequentUnits(
        np.concatenate([np.zeros(0, np.uint64), *(each.hashes for each in outputs)]),
        np.concatenate([np.zeros(0, np.int64), *(each.documents for each in outputs)]),
    )


class Cut(NamedTuple):
    """A range of a text that goes, and how many documents hold its most frequent unit."""

    start: int
    end: int
    documents: int


def find_cuts(units: Units, frequent: FrequentUnits) -> Iterator[list[Cut]]:
    """Of each document the ranges that frequent units cover; those that overlap or touch are one."""
    at = np.minimum(np.searchsorted(frequent.hashes, units.hashes), max(len(frequent.hashes) - 1, 0))
    if not len(frequent.hashes):
        yield from ([] for _ in units.names)
        return
    places = np.flatnonzero(frequent.hashes[at] == units.hashes)
    counts = frequent.documents[at[places]]
    edges = np.searchsorted(places, units.bounds)
    for low, high in pairwise(edges.tolist()):
        cuts: list[Cut] = []
        of = places[low:high]
        for start, end, documents in zip(
            units.starts[of].tolist(), units.ends[of].tolist(), counts[low:high].tolist(), strict=True
        ):
            if cuts and start <= cuts[-1].end:
                cuts[-1] = Cut(cuts[-1].start, max(end, cuts[-1].end), max(documents, cuts[-1].documents))
            else:
                cuts.append(Cut(start, end, documents))
        yield cuts


class Removal(msgspec.Struct):
    """What was cut from a part, and how often: ``passages`` by their texts."""

    cuts: int = 0
    characters: int = 0
    changed: int = 0
    emptied: int = 0
    passages: dict[str, int] = {}


class _Editor:
    """Cuts texts, and counts what it cuts."""

    def __init__(self, boundary: str, action: str) -> None:
        self._boundary, self._action = boundary, action
        self.passages: Counter[str] = Counter()
        self.emptied = 0

    def __call__(self, text: str, passages: Sequence[Cut]) -> str:
        spans = [(cut.start, cut.end) for cut in passages]
        if self._boundary != "lines":
            words = find_words(text)
            spans = [find_cut(text, words, span, self._boundary) for span in spans]
        self.passages.update(text[start:end].strip() for start, end in spans)
        edited = edit_text(text, spans, self._action)
        self.emptied += not edited.strip()
        return edited


class CutPart(NamedTuple):
    """A part of the input, and the output of ``hash_part`` for it."""

    part: InputPart
    units: Path


def cut_part(
    boundary: str, action: str, ranges: Sequence[Path], task: CutPart, folder: Path, resources: Resources
) -> None:
    """Write the files of a part without their frequent units."""
    frequent, editor, counts = read_frequent(ranges), _Editor(boundary, action), read_counts(task.units)
    of_rows = enumerate(cuts for units in read_units(task.units) for cuts in find_cuts(units, frequent))
    passages = {row: cuts for row, cuts in of_rows if cuts}
    edit = None if action == "annotate" else editor
    write_files(task.part, read_left_out(task.units), counts, passages, edit, _KINDS, folder, resources)
    cuts = [cut for each in passages.values() for cut in each]
    characters = sum(cut.end - cut.start for cut in cuts)
    removal = Removal(len(cuts), characters, len(passages), editor.emptied, dict(editor.passages))
    (folder / _FACTS).write_bytes(msgspec.json.encode(removal))


def read_removals(written: Sequence[Path]) -> Removal:
    """What was cut from all parts."""
    whole, passages = Removal(), Counter[str]()
    for folder in written:
        removal = msgspec.json.decode((folder / _FACTS).read_bytes(), type=Removal)
        for name in ("cuts", "characters", "changed", "emptied"):
            setattr(whole, name, getattr(whole, name) + getattr(removal, name))
        passages.update(removal.passages)
    whole.passages = dict(passages.most_common())
    return whole


def fill(
    parts: Sequence[InputPart],
    read: Sequence[Path],
    written: Sequence[Path],
    removal: Removal,
    summary: Mapping[str, Any],
    target: Path,
) -> None:
    """Put all that was written into the folder of the result."""
    gather_files(parts, read, written, list(map(read_counts, read)), summary, target)
    with (target / PASSAGES).open("xb") as out:
        for text, count in removal.passages.items():
            out.write(msgspec.json.encode({"removed": count, "text": text}) + b"\n")
