"""The kernels that find where the words and the characters of a text begin and end, and hash what is between."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.kernels import kernel
from ibidem.text.batches import Texts, Tokens
from ibidem.text.code_points import (
    CODE_POINT,
    SEED,
    Int,
    absorb,
    absorb_marks,
    decode,
    finalise,
    look_up,
)
from ibidem.text.unicode_table import (
    ALONE,
    EMPTY,
    FOLLOWER,
    IDEOGRAPH,
    JOINER,
    LEADER,
    LETTER,
    MARK,
    ORDER_BIT,
    PLACE_BIT,
    SCRIPT_BIT,
    SCRIPTS,
    SEPARATOR,
    SIGN,
    SPACE,
    UNIT_BIT,
    FoldTable,
)

BLANK, LINE_FEED, CARRIAGE_RETURN = 0x20, 0x0A, 0x0D
END: tuple[Any, int, Any] = (0, 1, SEPARATOR)  # code point, width and entry of what follows a text

LATIN = 1
LATIN_LETTER = LETTER | LATIN << SCRIPT_BIT
ANY_SCRIPT = (1 << len(SCRIPTS)) - 1

# The vowels and the final consonants of Hangul syllables that are written letter by letter.
JAMO, JAMO_END, MORE_JAMO, MORE_JAMO_END = 0x1160, 0x1200, 0xD7B0, 0xD7FC


class TokenColumns(NamedTuple):
    """Room for tokens: ids uint32 [T]; starts and ends uint32 [T], or [0] if offsets are not wanted."""

    ids: NDArray[np.uint32]
    starts: NDArray[np.uint32]
    ends: NDArray[np.uint32]


@kernel
def skip_joiner(data: NDArray[np.uint8], i: int, stop: int, its_class: Int, table: FoldTable) -> int:
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
def continues_unit(entry: Int, leads: bool) -> bool:
    """Whether a letter of a script without spaces belongs to such a token before it, which ``leads`` if so."""
    unit = entry >> UNIT_BIT & 3
    return entry & 7 == IDEOGRAPH and (unit == FOLLOWER or (leads and unit != ALONE))


@kernel
def opens_word(entry: Int, its_class: Int, open_class: Int, leads: bool) -> bool:
    """Whether a code point begins a word behind a token of the class ``open_class``."""
    if its_class == IDEOGRAPH:
        return bool(open_class != IDEOGRAPH or not continues_unit(entry, leads))
    return bool(its_class == LETTER and open_class != LETTER)


@kernel
def note_mixed(mixed: NDArray[np.int64], m: int, token: int, first_byte: Int, end_byte: Int) -> int:
    """Add a word to ``mixed`` if there is room; returns how many words there are with it."""
    if m < mixed.shape[0]:
        mixed[m, 0], mixed[m, 1], mixed[m, 2] = token, first_byte, end_byte
    return m + 1


@kernel
def more_marks_may_follow(letter: Int, last: Int, data: NDArray[np.uint8], i: Int, stop: Int) -> bool:
    """Whether marks in the characters from byte ``i`` on may belong before a letter, which is a mark.

    ``last`` is the last letter of its character; if that is none, the marks before it are in order already.
    """
    return bool(min(letter, last) >> ORDER_BIT > 0 and i < stop and data[i] >= 0x80)


@kernel
def scan_words(
    data: NDArray[np.uint8],
    bounds: NDArray[np.int64],
    table: FoldTable,
    out: TokenColumns,
    token_bounds: NDArray[np.int64],
    most_letters: int,
    mixed: NDArray[np.int64],
) -> int:
    """Find the words of each text: fills ``out`` and ``token_bounds`` [n + 1].

    Two words are the same if their first ``most_letters`` letters are, with the marks on them; those that are dropped
    are not counted. ``mixed`` [room, 3] gets the words that have letters of more than one of ``SCRIPTS``, or of one and
    digits: the number of the token, and its range of bytes. Returns how many there are, also beyond the room.
    """
    # Taken out of their tuples once: inside the loop each mention would count a reference up and down.
    ascii, blocks, entries, expansions = table
    (ids, starts, ends), wants_offsets = out, out.starts.size > 0
    n = m = token_bounds[0] = 0
    for text in range(bounds.size - 1):
        i, stop = bounds[text], bounds[text + 1]
        # `i - extra` counts code points: `extra` is where the text begins plus its continuation bytes so far.
        # `open_class` is that of the token being read, or SEPARATOR. Marks before `absorbed` are in the state already.
        extra, start, first_byte, state, letters, open_class = i, 0, i, SEED, 0, SEPARATOR
        scripts, leads, absorbed = 0, False, i
        while i <= stop:
            if open_class == LETTER:  # most bytes of most texts go this short way
                first, last = i, min(stop, i + max(0, most_letters - letters))
                while i < last and ascii[data[i]] > SIGN:
                    state = absorb(state, ascii[data[i]])
                    i += 1
                letters += i - first
                while letters >= most_letters and i < stop and ascii[data[i]] > SIGN:
                    i, letters = i + 1, most_letters + 1
                scripts |= LATIN if i > first else 0
            code_point, width, entry = END
            if i < stop and data[i] < 0x80 and ascii[data[i]] != SIGN:
                code_point = np.int64(ascii[data[i]])
                entry = LATIN_LETTER if code_point != 0 else SEPARATOR
            elif i < stop:
                code_point, width = decode(data, i, stop)
                entry = look_up(blocks, entries, code_point)
            its_class, length = entry & 7, entry >> 3 & 7
            if its_class >= JOINER:
                onward = skip_joiner(data, i + width, stop, its_class, table) if open_class == LETTER else 0
                if onward > 0:  # all that is skipped behind the joiner is ASCII
                    i, extra = onward, extra + width - 1
                    continue
                its_class = SEPARATOR
            opens = opens_word(entry, its_class, open_class, leads)
            if open_class != SEPARATOR and (opens or its_class < MARK):
                ids[n] = finalise(state)
                if wants_offsets:
                    starts[n], ends[n] = start, i - extra
                if scripts & (scripts - 1) != 0:
                    m = note_mixed(mixed, m, n, first_byte, i)
                n, open_class = n + 1, SEPARATOR
            if opens:
                open_class, start, first_byte, state, letters, scripts = its_class, i - extra, i, SEED, 0, 0
                if data[i] < 0x80 and its_class == LETTER:
                    continue  # it is read above
            if open_class != SEPARATOR and length != EMPTY:
                scripts |= entry >> SCRIPT_BIT & ANY_SCRIPT
                leads = entry >> UNIT_BIT & 3 == LEADER
                if length == 0:
                    letters += 1
                    state = absorb(state, code_point) if letters <= most_letters else state
                first, last = entry >> PLACE_BIT, (entry >> PLACE_BIT) + length - 1
                for k in range(length if i >= absorbed else 0):
                    letter = np.int64(expansions[first + k])
                    letters += letter >> ORDER_BIT == 0
                    if letters > most_letters:
                        break
                    if more_marks_may_follow(letter, np.int64(expansions[last]), data, i + width, stop):
                        state, absorbed = absorb_marks(state, data, i, k, stop, table)
                        break
                    state = absorb(state, letter & CODE_POINT)
            i, extra = i + width, extra + width - 1
        token_bounds[text + 1] = n
    return m


@kernel
def is_jamo(code_point: Int) -> bool:
    """Whether this is a vowel or a final consonant of a Hangul syllable that is written letter by letter."""
    return bool(JAMO <= code_point < JAMO_END or MORE_JAMO <= code_point < MORE_JAMO_END)


@kernel
def scan_characters(
    data: NDArray[np.uint8],
    bounds: NDArray[np.int64],
    table: FoldTable,
    out: TokenColumns,
    token_bounds: NDArray[np.int64],
    splits: bool,
) -> None:
    """Make each character with its marks a token, and each run of white space.

    Fills ``out`` and ``token_bounds`` [n + 1].

    If ``splits``, a code point that is replaced by several letters is as many tokens at one place.
    """
    ascii, blocks, entries, expansions = table
    ids, starts, ends = out
    wants_offsets = starts.size > 0
    n = 0
    token_bounds[0] = 0
    for text in range(bounds.size - 1):
        i, stop = bounds[text], bounds[text + 1]
        extra, state = i, SEED  # as in scan_words
        open_class: Int = JOINER  # of the last token; JOINER if there is none
        in_word, leads, absorbed = False, False, i
        while i < stop:
            code_point: Int = np.int64(ascii[data[i]])
            entry: Int = LETTER
            width = 1
            if code_point <= SIGN:
                code_point, width = decode(data, i, stop)
                entry = look_up(blocks, entries, code_point)
            its_class, length = entry & 7, entry >> 3 & 7
            if its_class >= JOINER:
                onward = skip_joiner(data, i + width, stop, its_class, table) if in_word else 0
                if onward > 0:
                    i = onward
                    extra += width - 1
                    continue
                its_class, length = SEPARATOR, 0
            if length != EMPTY:
                follows = follows_character(entry, its_class, code_point, open_class, leads)
                leads = entry >> UNIT_BIT & 3 == LEADER
                if not follows:
                    open_class, state, n = its_class, SEED, n + 1
                    if wants_offsets:
                        starts[n - 1] = i - extra
                if wants_offsets:
                    ends[n - 1] = i - extra + 1
                if its_class == SPACE:
                    state, length = absorb(SEED, BLANK), EMPTY
                elif length == 0:
                    state = absorb(state, code_point)
                first, last = entry >> PLACE_BIT, (entry >> PLACE_BIT) + length - 1
                for k in range(length if length != EMPTY and i >= absorbed else 0):
                    letter = np.int64(expansions[first + k])
                    if more_marks_may_follow(letter, np.int64(expansions[last]), data, i + width, stop):
                        state, absorbed = absorb_marks(state, data, i, k, stop, table)
                        break
                    if splits and k > 0 and letter >> ORDER_BIT == 0 and opens_character(letter, blocks, entries):
                        ids[n - 1] = finalise(state)
                        state, n = SEED, n + 1
                        if wants_offsets:
                            starts[n - 1], ends[n - 1] = i - extra, i - extra + 1
                    state = absorb(state, letter & CODE_POINT)
                ids[n - 1] = finalise(state)
            in_word = its_class == LETTER or (in_word and its_class == MARK)
            i += width
            extra += width - 1
        token_bounds[text + 1] = n


@kernel
def follows_character(entry: Int, its_class: Int, code_point: Int, open_class: Int, leads: bool) -> bool:
    """Whether a code point belongs to the token before it, which is of the class ``open_class``."""
    if its_class == MARK:
        return bool(open_class not in (SPACE, JOINER))
    if its_class == IDEOGRAPH:
        return bool(open_class == IDEOGRAPH and continues_unit(entry, leads))
    if its_class == LETTER:
        return bool(open_class == LETTER and is_jamo(code_point))
    return bool(its_class == SPACE and open_class == SPACE)


@kernel
def opens_character(letter: Int, blocks: NDArray[np.uint16], entries: NDArray[np.uint32]) -> bool:
    """Whether a letter that a character is replaced by, behind the first, is a character of its own."""
    entry = look_up(blocks, entries, letter)
    return entry & 7 != MARK and entry >> UNIT_BIT & 3 != FOLLOWER and not is_jamo(letter)


def scan(
    scanner: Callable[..., Any], texts: Texts, most: int, *, offsets: bool, table: FoldTable
) -> tuple[Tokens, Any]:
    """Run a kernel that finds at most ``most`` tokens in ``texts`` by a ``table``; the tokens, and what it returns.

    Raises:
        ValueError: offsets are wanted of a text of 4 GiB or more, whose positions do not fit in 32 bits.
    """
    lengths = np.diff(texts.bounds)
    if offsets and lengths.size and int(lengths.max()) > 0xFFFFFFFF:
        raise ValueError(f"text {int(lengths.argmax())} of the batch has 4 GiB or more; cut it into parts")
    token_bounds = np.empty(len(texts) + 1, np.int64)
    # Memory that is never written costs nothing, and resizing gives it back in place.
    out = TokenColumns(*(np.empty(most if has_column else 0, np.uint32) for has_column in (True, offsets, offsets)))
    result = scanner(texts.data, texts.bounds, table, out, token_bounds)
    return Tokens(*_cut(out, int(token_bounds[-1]), token_bounds, offsets=offsets)), result


def _cut(out: TokenColumns, count: int, token_bounds: NDArray[np.int64], *, offsets: bool) -> tuple[Any, ...]:
    for column in out if offsets else out[:1]:
        column.resize(count, refcheck=False)
    return (out.ids, token_bounds, out.starts, out.ends) if offsets else (out.ids, token_bounds)
