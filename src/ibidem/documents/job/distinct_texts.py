"""The distinct texts of a whole collection: in memory, or in files if memory does not hold a number for each document.

Texts are numbered by the hash of their content, those with a token first.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.engine.outputs import map_zeros, open_array
from ibidem.store.files.columns import ColumnWriter
from ibidem.store.files.sorted_runs import SIZED_RECORD, cut_into_runs, read_by_hash, write_runs
from ibidem.store.format import Column

_KINDS = ("with_tokens", "without_tokens")

_Ints = NDArray[np.int64]


_NUMBERS = "numbers.npy"


class DistinctTexts(NamedTuple):
    """Texts without their exact duplicates.

    Attributes:
        documents: int64 [n], all documents, text by text, ascending in each.
        bounds: int64 [u + 1], where those of each text begin.
        rows: int64 [t], the first document of each text that has a token.
        lengths: int64 [t], how many tokens each of these has.
    """

    documents: _Ints
    bounds: _Ints
    rows: _Ints
    lengths: _Ints

    @classmethod
    def find(cls, contents: NDArray[np.uint64], lengths: _Ints) -> "DistinctTexts":
        """The distinct texts of documents, by the hashes ``contents`` [n, 2]; ``lengths`` [n] are their tokens."""
        empty = lengths == 0
        order = np.lexsort((contents[:, 1], contents[:, 0], empty))
        ordered = contents[order]
        opens = np.ones(len(order), np.bool_)
        opens[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
        begins = np.flatnonzero(opens)
        rows = order[begins]
        rows = rows[: len(rows) - int(np.count_nonzero(empty[rows]))]
        return cls(order, np.append(begins, len(order)), rows, lengths[rows])

    @classmethod
    def open(cls, folder: Path) -> "DistinctTexts":
        """Map the files that ``write_texts`` left in a folder."""
        return cls(*(open_array(folder / f"{name}.npy") for name in cls._fields))

    @property
    def num_texts(self) -> int:
        """How many texts there are."""
        return len(self.bounds) - 1

    def find_documents(self, texts: _Ints) -> tuple[_Ints, _Ints]:
        """The documents of some texts, ascending, and for each of them the place of its text in ``texts``."""
        starts, ends = self.bounds[texts], self.bounds[texts + 1]
        sizes = ends - starts
        of = np.repeat(np.arange(len(texts)), sizes)
        within = np.arange(len(of)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        documents = self.documents[starts[of] + within]
        order = np.argsort(documents)
        return documents[order], of[order]


def write_content_hashes(
    folder: Path, rows: int, read: Callable[[slice], tuple[NDArray[np.uint64], _Ints]], memory: int
) -> None:
    """Leave hashes of the texts of a part in a folder, sorted.

    Args:
        read: gives the hashes of some documents, uint64 [n, 2], and how many tokens they have.
    """
    for kind, with_tokens in zip(_KINDS, (True, False), strict=True):

        def make_run(part: slice, with_tokens: bool = with_tokens) -> NDArray[Any]:
            records = np.empty(part.stop - part.start, SIZED_RECORD)
            records["hash"], records["size"] = read(part)
            records["row"] = np.arange(part.start, part.stop)
            chosen: NDArray[Any] = records[(records["size"] > 0) == with_tokens]
            return chosen

        write_runs(folder, kind, map(make_run, cut_into_runs(rows, SIZED_RECORD, memory)))


def write_texts(folders: Sequence[Path], starts: _Ints, target: Path, memory: int) -> None:
    """Find the distinct texts of all parts, and leave them in ``target``; see ``DistinctTexts`` and ``open_numbers``.

    Args:
        folders: what ``write_content_hashes`` left of each part.
        starts: int64 [P + 1], the number of the first document of each part.
    """
    columns = {name: ColumnWriter(target, Column(name, "<i8", ("n",), "plan", "")) for name in DistinctTexts._fields}
    numbers = target / _NUMBERS
    map_zeros(numbers, np.int64, int(starts[-1]))
    columns["bounds"].append(np.zeros(1, np.int64))
    for kind in _KINDS:
        for records in read_by_hash(folders, kind, SIZED_RECORD, starts, memory):
            opens = np.ones(len(records), np.bool_)
            opens[1:] = (records["hash"][1:] != records["hash"][:-1]).any(axis=1)
            first = np.flatnonzero(opens)
            ends = columns["documents"].rows + np.append(first[1:], len(records))[: len(first)]
            if kind == _KINDS[0] and len(first):
                rows = records["row"][first]
                np.load(numbers, mmap_mode="r+")[rows] = columns["rows"].rows + 1 + np.arange(len(rows))
                columns["rows"].append(rows)
                columns["lengths"].append(records["size"][first])
            columns["documents"].append(np.ascontiguousarray(records["row"]))
            columns["bounds"].append(ends)
    for column in columns.values():
        column.finish()


def open_numbers(folder: Path) -> _Ints:
    """For each document the number of its text, from 1, if it is the first of a text with a token; 0 for any other.

    They are int64 [n], mapped, as ``write_texts`` left them in a folder.
    """
    numbers: _Ints = open_array(folder / _NUMBERS)
    return numbers
