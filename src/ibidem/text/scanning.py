"""The kernels that read UTF-8: where words and characters begin and end, and the ids of what is between.

A token's id is a hash of its folded code points: 64 bits, finalised and cut to 32. Two given tokens share an id with
probability 2^-32; among ``V`` distinct tokens, about ``V² / 2^33`` pairs do. A similarity is changed only by a
collision inside the two passages compared, so two passages of 1,000 distinct tokens together are compared exactly but
with probability 10^-4. In return ids need no vocabulary, and indexes made apart can be merged.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.hashing import GOLDEN, mix64
from ibidem.kernels import kernel
from ibidem.text.batches import Texts, Tokens
from ibidem.text.unicode_table import EMPTY, IDEOGRAPH, JOINER, LETTER, MARK, SEPARATOR, SIGN, SPACE, FoldTable, load

SEED = np.uint64(0x6962696465_6D0001)
_Int = int | np.int64

REPLACEMENT = 0xFFFD
BLANK, LINE_FEED, CARRIAGE_RETURN = 0x20, 0x0A, 0x0D
END: tuple[Any, int, Any] = (0, 1, SEPARATOR)  # code point, width and entry of what follows a text


class TokenColumns(NamedTuple):
    """Room for tokens: ids uint32 [T]; starts and ends uint32 [T], or [0] if offsets are not wanted."""

    ids: NDArray[np.uint32]
    starts: NDArray[np.uint32]
    ends: NDArray[np.uint32]


@kernel
def absorb(state: np.uint64, code_point: _Int) -> np.uint64:
    """State of the hash after one more code point.

    Multiples of ``GOLDEN`` by numbers below 2^21, the differences of two code points, stay far apart, so that no two
    tokens of one or two code points share a state.
    """
    return (state ^ np.uint64(code_point)) * GOLDEN


@kernel
def finalise(state: np.uint64) -> np.uint32:
    """Mix a state and keep its lower 32 bits, the id."""
    return np.uint32(mix64(state) & np.uint64(0xFFFFFFFF))


@kernel
def decode(data: NDArray[np.uint8], i: int, stop: int) -> tuple[_Int, int]:
    """Code point at byte ``i`` and its width; a byte that is not valid there reads as U+FFFD of width 1.

    Surrogates are read as such, like Python's ``surrogatepass``.
    """
    lead = np.int64(data[i])
    if lead < 0x80:
        return lead, 1
    if 0xC2 <= lead < 0xE0:
        width, lowest, code_point = 2, 0x80, lead & 0x1F
    elif 0xE0 <= lead < 0xF0:
        width, lowest, code_point = 3, 0x800, lead & 0x0F
    elif 0xF0 <= lead < 0xF5:
        width, lowest, code_point = 4, 0x10000, lead & 0x07
    else:
        return REPLACEMENT, 1
    if i + width > stop:
        return REPLACEMENT, 1
    for k in range(i + 1, i + width):
        byte = np.int64(data[k])
        if byte & 0xC0 != 0x80:
            return REPLACEMENT, 1
        code_point = code_point << 6 | byte & 0x3F
    if code_point < lowest or code_point > 0x10FFFF:
        return REPLACEMENT, 1
    return code_point, width


@kernel
def look_up(blocks: NDArray[np.uint16], entries: NDArray[np.uint32], code_point: _Int) -> _Int:
    """Entry of a code point in the table."""
    block = np.int64(blocks[code_point >> 7])
    return np.int64(entries[block << 7 | code_point & 127])


@kernel
def absorb_folded(state: np.uint64, code_point: _Int, entry: _Int, expansions: NDArray[np.uint32]) -> np.uint64:
    """State of the hash after what a code point folds to."""
    length = entry >> 3 & 7
    if length == 0:
        return absorb(state, code_point)
    if length == EMPTY:
        return state
    first = entry >> 6
    for k in range(first, first + length):
        state = absorb(state, expansions[k])
    return state


@kernel
def skip_joiner(data: NDArray[np.uint8], i: int, stop: int, its_class: _Int, table: FoldTable) -> int:
    """The byte at which a word goes on behind a joiner that ends before byte ``i``; 0 if it does not go on.

    A letter follows at once, or behind one line end and the blanks around it. There, a digit begins a word of its own.
    """
    _, blocks, entries, _ = table
    position, lines = i, 0
    while its_class & 2 != 0 and position < stop and data[position] <= BLANK:
        if data[position] == LINE_FEED or (
            data[position] == CARRIAGE_RETURN and (position + 1 == stop or data[position + 1] != LINE_FEED)
        ):
            lines += 1
        position += 1
    if position == stop or not (lines == 1 or (position == i and its_class & 1 != 0)):
        return 0
    if lines == 1 and 0x30 <= data[position] <= 0x39:
        return 0
    code_point, _ = decode(data, position, stop)
    return position if look_up(blocks, entries, code_point) & 7 == LETTER else 0


@kernel
def scan_words(
    data: NDArray[np.uint8],
    bounds: NDArray[np.int64],
    table: FoldTable,
    out: TokenColumns,
    token_bounds: NDArray[np.int64],
    most_letters: int,
) -> None:
    """Find the words of each text: fills ``out`` and ``token_bounds`` [n + 1].

    Two words are the same if their first ``most_letters`` letters are, those that are dropped not counted.
    """
    # Taken out of their tuples once: inside the loop each mention would count a reference up and down.
    ascii, blocks, entries, expansions = table
    ids, starts, ends = out
    wants_offsets = starts.size > 0
    n = 0
    token_bounds[0] = 0
    for text in range(bounds.size - 1):
        i, stop = bounds[text], bounds[text + 1]
        # `i - extra` counts code points: `extra` is where the text begins plus its continuation bytes so far.
        extra, start, state, letters = i, 0, SEED, 0
        open_class = SEPARATOR  # of the token being read; SEPARATOR if there is none
        while i <= stop:
            if open_class == LETTER:  # most bytes of most texts go this short way
                first, last = i, min(stop, i + most_letters - letters)
                while i < last and ascii[data[i]] > SIGN:
                    state = absorb(state, ascii[data[i]])
                    i += 1
                letters += i - first
                while letters == most_letters and i < stop and ascii[data[i]] > SIGN:
                    i += 1
            code_point, width, entry = END
            if i < stop and data[i] < 0x80 and ascii[data[i]] != SIGN:
                code_point = np.int64(ascii[data[i]])
                entry = LETTER if code_point != 0 else SEPARATOR
            elif i < stop:
                code_point, width = decode(data, i, stop)
                entry = look_up(blocks, entries, code_point)
            its_class = entry & 7
            if its_class >= JOINER:
                onward = skip_joiner(data, i + width, stop, its_class, table) if open_class == LETTER else 0
                if onward > 0:  # all that is skipped behind the joiner is ASCII
                    i = onward
                    extra += width - 1
                    continue
                its_class = SEPARATOR
            opens = its_class == IDEOGRAPH or (its_class == LETTER and open_class != LETTER)
            if open_class != SEPARATOR and (opens or its_class < MARK):
                ids[n] = finalise(state)
                if wants_offsets:
                    starts[n], ends[n] = start, i - extra
                n += 1
                open_class = SEPARATOR
            if opens:
                open_class, start, state, letters = its_class, i - extra, SEED, 0
            if open_class != SEPARATOR and letters < most_letters and entry >> 3 & 7 != EMPTY:
                state = absorb_folded(state, code_point, entry, expansions)
                letters += 1
            i += width
            extra += width - 1
        token_bounds[text + 1] = n


@kernel
def scan_characters(
    data: NDArray[np.uint8],
    bounds: NDArray[np.int64],
    table: FoldTable,
    out: TokenColumns,
    token_bounds: NDArray[np.int64],
    splits: bool,
) -> None:
    """Make each code point a token, and each run of white space one: fills ``out`` and ``token_bounds`` [n + 1].

    If ``splits``, a code point that is replaced by several is as many tokens at one place.
    """
    _, blocks, entries, expansions = table
    ids, starts, ends = out
    wants_offsets = starts.size > 0
    n = 0
    token_bounds[0] = 0
    for text in range(bounds.size - 1):
        i, stop = bounds[text], bounds[text + 1]
        extra = i  # as in scan_words
        in_space = in_word = False
        while i < stop:
            code_point, width = decode(data, i, stop)
            entry = look_up(blocks, entries, code_point)
            length, onward = entry >> 3 & 7, 0
            if entry & 7 >= JOINER:
                onward = skip_joiner(data, i + width, stop, entry & 7, table) if in_word else 0
                length = EMPTY if onward > 0 else 0
            if length == EMPTY:
                extra += width - 1
                i = onward if onward > 0 else i + width
                continue
            is_space = entry & 7 == SPACE
            if is_space:
                code_point, length = BLANK, 0
                if in_space:
                    n -= 1  # the token of the run is written again, with a later end
            for k in range(length if splits and length > 0 else 1):
                if wants_offsets:
                    if not (is_space and in_space):
                        starts[n] = i - extra
                    ends[n] = i - extra + 1
                if splits and length > 0:
                    ids[n] = finalise(absorb(SEED, expansions[(entry >> 6) + k]))
                else:
                    ids[n] = finalise(absorb_folded(SEED, code_point, entry if length > 0 else 0, expansions))
                n += 1
            in_space = is_space
            in_word = entry & 7 == LETTER or (in_word and entry & 7 == MARK)
            i += width
            extra += width - 1
        token_bounds[text + 1] = n


@kernel
def hash_each(data: NDArray[np.uint8], bounds: NDArray[np.int64], ids: NDArray[np.uint32]) -> None:
    """Fill ``ids`` [n] with the hash of each text's code points, unfolded."""
    for text in range(bounds.size - 1):
        i, stop = bounds[text], bounds[text + 1]
        state = SEED
        while i < stop:
            code_point, width = decode(data, i, stop)
            state = absorb(state, code_point)
            i += width
        ids[text] = finalise(state)


def hash_texts(texts: Texts) -> NDArray[np.uint32]:
    """Id of each text taken whole as one token, without folding: uint32 [n]."""
    ids = np.empty(len(texts), np.uint32)
    hash_each(texts.data, texts.bounds, ids)
    return ids


def scan(
    scanner: Callable[..., None], texts: Texts, most: int, *, offsets: bool, table: FoldTable | None = None
) -> Tokens:
    """Run a kernel that finds at most ``most`` tokens in ``texts``; by the ``table`` of a normalization, if given.

    Raises:
        ValueError: offsets are wanted of a text of 4 GiB or more, whose positions do not fit in 32 bits.
    """
    lengths = np.diff(texts.bounds)
    if offsets and lengths.size and int(lengths.max()) > 0xFFFFFFFF:
        raise ValueError(f"text {int(lengths.argmax())} of the batch has 4 GiB or more; cut it into parts")
    token_bounds = np.empty(len(texts) + 1, np.int64)
    # Memory that is never written costs nothing, and resizing gives it back in place.
    out = TokenColumns(*(np.empty(most if has_column else 0, np.uint32) for has_column in (True, offsets, offsets)))
    scanner(texts.data, texts.bounds, table or load(), out, token_bounds)
    return Tokens(*_cut(out, int(token_bounds[-1]), token_bounds, offsets=offsets))


def _cut(out: TokenColumns, count: int, token_bounds: NDArray[np.int64], *, offsets: bool) -> tuple[Any, ...]:
    for column in out if offsets else out[:1]:
        column.resize(count, refcheck=False)
    return (out.ids, token_bounds, out.starts, out.ends) if offsets else (out.ids, token_bounds)
