"""Which places of a collection share so much with a window of a text: the inner loops of source retrieval.

A *cell* is ``w`` tokens of a document, one after the other; a *window* is two neighbouring cells of the text, and a
*place* two of a document of the collection. Place ``k`` has the cells ``k`` and ``k + 1``; behind the last cell of a
document is an empty one, so that no place has tokens of two documents. The evidence of the tokens that windows and
places share is in whole numbers (:mod:`ibidem.alignment.sources.retrieval`).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.kernels import kernel

BITS = 5
"""``w`` is 2^5 tokens, the longest window from which an alignment starts."""

_UNREAD = 0.6
"""Lists are left unread up to this part of the evidence that is needed. With more, more places are looked up in them;
with less, longer lists are read."""

_STRETCH = 1 << 12
"""Cells of the collection that are compared together: their sums fit the nearest cache."""

_TOGETHER = 64
"""Places that are compared with what is needed without a branch."""

_SEVERAL = -(1 << 62)
"""In place of a shift: the tokens are of several documents, or of a removed one."""

_Ints = npt.NDArray[np.int32]
_Longs = npt.NDArray[np.int64]
_Singles = npt.NDArray[np.float32]


class QueryCells(NamedTuple):
    """The cells of a text, with the distinct tokens of each that are evidence.

    Attributes:
        tokens: int64 [T], those of each cell, one cell after the other, those of most evidence first.
        bounds: int64 [C + 1], where the tokens of each cell begin.
        ends: int64 [C], where the tokens whose lists are read end.
        unread: int64 [C], the evidence of the others together.
        none: int64 [C - 1], the evidence of a place that holds none of the tokens of a window, two cells.
        needed: the evidence that a place must have.
    """

    tokens: _Longs
    bounds: _Longs
    ends: _Longs
    unread: _Longs
    none: _Longs
    needed: int


def number_cells(token_bounds: _Longs, alive: npt.NDArray[np.bool_]) -> _Longs:
    """The first cell of each document, and the number of cells, int64 [D + 1].

    A removed document, and one without tokens, has none. ``token_bounds`` int64 [D + 1] is where each document begins.
    """
    lengths = np.diff(token_bounds)
    numbers = np.where(alive & (lengths > 0), (lengths - 1 >> BITS) + 2, 0)
    return np.concatenate(([0], np.cumsum(numbers)))


@kernel
def list_cells(
    positions: npt.NDArray[np.uint32], ends: _Longs, token_bounds: _Longs, first_cells: _Longs
) -> tuple[_Ints, _Longs]:
    """The cells that hold each token, ascending, int32, and where those in each stretch begin, int64 [V, S + 1].

    ``positions`` uint32 are those of the tokens, those of each ascending, one token after the other, and ``ends`` int64
    [V] says where the positions of each end. ``first_cells`` int64 [D + 1] is what ``number_cells`` returns for the
    documents with the ``token_bounds`` [D + 1].
    """
    stretches = (first_cells[-1] + _STRETCH - 1) // _STRETCH
    cells, first = np.empty(positions.shape[0], np.int32), np.empty((ends.shape[0], stretches + 1), np.int64)
    count, p = 0, np.int64(0)
    documents = np.empty((token_bounds[-1] >> BITS) + 1, np.int32)  # that of the first token of every so many
    # Shifts of their positions by which a whole number of cells lies before each document.
    shifts = np.full(documents.shape[0], _SEVERAL, np.int64)
    filled = 0
    for document in range(token_bounds.shape[0] - 1):
        stays = first_cells[document] < first_cells[document + 1]
        while filled << BITS < token_bounds[document + 1]:
            documents[filled] = document
            if stays and (filled + 1) << BITS <= token_bounds[document + 1]:
                shifts[filled] = (first_cells[document] << BITS) - token_bounds[document]
            filled += 1
    for token in range(ends.shape[0]):
        before, stretch = np.int64(-1), 0
        while p < ends[token]:
            position = np.int64(positions[p])
            shift = shifts[position >> BITS]
            if shift == _SEVERAL:
                document = documents[position >> BITS]
                while position >= token_bounds[document + 1]:
                    document += 1
                if first_cells[document] == first_cells[document + 1]:  # it is removed
                    p += 1
                    continue
                shift = (first_cells[document] << BITS) - token_bounds[document]
            cell = (position + shift) >> BITS
            while stretch * _STRETCH <= cell:
                first[token, stretch] = count
                stretch += 1
            if cell != before:
                cells[count] = cell
                count += 1
            before = cell
            p += 1
        first[token, stretch:] = count
    return cells[:count], first


@kernel
def list_query_cells(ids: _Longs, windows: int, presence: _Ints, absence: _Ints, needed: int) -> QueryCells:
    """List the cells of the text ``ids`` int64 [n]; the evidence of tokens is ``presence`` and ``absence`` [V]."""
    last_cells, number = np.full(presence.shape[0], -1, np.int64), 0
    tokens, ordered = np.empty(ids.shape[0], np.int64), np.empty(1 << BITS, np.int64)
    bounds, ends = np.zeros(windows + 2, np.int64), np.zeros(windows + 1, np.int64)
    unread, none = np.zeros(windows + 1, np.int64), np.zeros(windows, np.int64)
    for cell in range(windows + 1):
        first, count, most = cell << BITS, 0, needed / 2
        for position in range(first, min(first + (1 << BITS), ids.shape[0])):
            token = ids[position]
            if last_cells[token] != cell and presence[token] > 0:
                last_cells[token] = cell
                most -= absence[token]
                count = _insert(ordered, count, token, presence)
        tokens[number : number + count] = ordered[:count]
        bounds[cell + 1], ends[cell] = number + count, number + count
        while count > 0 and unread[cell] + presence[ordered[count - 1]] <= _UNREAD * most:
            count -= 1
            unread[cell] += presence[ordered[count]]
        ends[cell] = number + count
        number = bounds[cell + 1]
    last_cells[:] = -1
    for window in range(windows):
        for token in tokens[bounds[window] : bounds[window + 2]]:
            if last_cells[token] != window:
                last_cells[token] = window
                none[window] += absence[token]
    return QueryCells(tokens[:number], bounds, ends, unread, none, needed)


@kernel
def compare_places(
    query: QueryCells, presence: _Ints, cells: _Ints, first: _Longs, best: _Ints, begin: int, end: int
) -> None:
    """Raise ``best`` int32 [2, P] to the evidence of each place where a window of the text gives more, and note which.

    Only the places of the stretches ``begin`` to ``end``, half open, are compared, so threads can share the work.
    Evidence less than ``query.needed`` is left out. ``presence`` int32 [V] is that of tokens; ``cells`` and ``first``
    are those of ``list_cells``. A window and a place share at most what their cells share, so the cells of the text are
    compared with the cells of the collection. Windows and places are compared only where these sums and the lists that
    were not read leave room for ``needed`` (a MaxScore search: Turtle and Flood, Query evaluation, IPM 31, 1995). A
    stretch of the collection is compared with the whole text, then the next one, so that the sums stay near the
    processor.
    """
    windows = query.none.shape[0]
    earlier, later = np.zeros(_STRETCH + 1, np.float32), np.zeros(_STRETCH + 1, np.float32)
    close, last_windows = np.empty(_STRETCH, np.int64), np.full((2, presence.shape[0]), -1, np.int64)
    for stretch in range(begin, end):
        places = best[:, stretch * _STRETCH : (stretch + 1) * _STRETCH]
        _add_cell(query, 0, presence, cells, first, stretch, later)
        for window in range(windows):
            earlier, later = later, earlier
            _add_cell(query, window + 1, presence, cells, first, stretch, later)
            rest = query.none[window] + query.unread[window] + query.unread[window + 1]
            for x in close[: _find_close(earlier, later, query.needed - rest, places.shape[1], close)]:
                most = rest + int(earlier[x] + earlier[x + 1] + later[x] + later[x + 1])
                total = _sum_evidence(query, window, presence, cells, first, last_windows, stretch * _STRETCH + x, most)
                if total > places[0, x]:
                    places[0, x], places[1, x] = total, window


@kernel
def _add_cell(
    query: QueryCells, cell: int, presence: _Ints, cells: _Ints, first: _Longs, stretch: int, sums: _Singles
) -> None:
    """Set ``sums`` float32 to what a cell of the text shares with those of a stretch, of the lists that are read."""
    sums[:] = 0.0
    base = stretch * _STRETCH
    for token in query.tokens[query.bounds[cell] : query.ends[cell]]:
        gain, last = np.float32(presence[token]), first[token, stretch + 1]
        for entry in range(first[token, stretch], last):
            sums[cells[entry] - base] += gain
        # The last place of the stretch has tokens in the next one, too.
        if last < first[token, -1] and cells[last] == base + _STRETCH:
            sums[_STRETCH] += gain


@kernel
def _find_close(earlier: _Singles, later: _Singles, least: int, size: int, candidates: _Longs) -> int:
    """The places, of the first ``size``, whose cells share ``least`` or more with two cells of the text.

    They go to ``candidates``, and their number is returned. A place is what begins with its cell: this one and the
    next.
    """
    number, needed = 0, np.float32(least)
    for start in range(0, size, _TOGETHER):
        count = min(_TOGETHER, size - start)
        in_x, in_y = earlier[start : start + count + 1], later[start : start + count + 1]
        close = 0
        for x in range(count):  # without a branch, so that the processor compares many at once
            close += in_x[x] + in_x[x + 1] + in_y[x] + in_y[x + 1] >= needed
        if close == 0:
            continue
        for x in range(count):
            if in_x[x] + in_x[x + 1] + in_y[x] + in_y[x + 1] >= needed:
                candidates[number] = start + x
                number += 1
    return number


@kernel
def _sum_evidence(
    query: QueryCells,
    window: int,
    presence: _Ints,
    cells: _Ints,
    first: _Longs,
    last_windows: _Longs,
    place: int,
    most: int,
) -> int:
    """The evidence of a window and a place if it is ``query.needed``, else the least int32.

    It is ``most`` if the place holds all tokens of unread lists; these are looked up first. ``last_windows`` int64 [2,
    V] marks the tokens that were counted with this window and place.
    """
    little = np.iinfo(np.int32).min
    for cell in range(window, window + 2):
        for token in query.tokens[query.ends[cell] : query.bounds[cell + 1]]:
            if not _occurs_at(cells, first, token, place):
                most -= presence[token]
                if most < query.needed:
                    return little
    total = query.none[window]
    for token in query.tokens[query.bounds[window] : query.bounds[window + 2]]:
        if last_windows[0, token] == window and last_windows[1, token] == place:
            continue
        last_windows[0, token], last_windows[1, token] = window, place
        if _occurs_at(cells, first, token, place):
            total += presence[token]
    return int(total if total >= query.needed else little)


@kernel
def _occurs_at(cells: _Ints, first: _Longs, token: int, place: int) -> bool:
    """Whether a token occurs in one of the two cells of ``place``."""
    stretch, end = place // _STRETCH, first[token, -1]
    entry, last = first[token, stretch], min(first[token, stretch + 1] + 1, end)
    while entry < last:
        middle = (entry + last) // 2
        if cells[middle] < place:
            entry = middle + 1
        else:
            last = middle
    return bool(entry < end and cells[entry] <= place + 1)


@kernel
def _insert(ordered: _Longs, number: int, token: int, presence: _Ints) -> int:
    """Insert ``token`` in the first ``number`` of ``ordered``, which are in the order of their evidence, most first."""
    x = number
    while x > 0 and presence[ordered[x - 1]] < presence[token]:
        ordered[x] = ordered[x - 1]
        x -= 1
    ordered[x] = token
    return number + 1
