"""From passages to characters: where a text is cut, and what is left of it.

A cut begins and ends between two words, in whatever tokens the passages were found, or, if asked for, between two
lines. Punctuation that only the passage needs goes with it, and so does the white space on one side, so that the words
around it stay separated.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

ACTIONS = ("remove", "mask", "annotate")

BOUNDARIES = ("words", "lines")

_LINE_ENDS = "\n\r"

_Range = tuple[int, int]


def require_action(action: str) -> None:
    """Refuse an action that is none.

    Raises:
        ValueError: names the actions.
    """
    if action not in ACTIONS:
        raise ValueError(f"action is one of {', '.join(ACTIONS)}, not {action!r}")


def find_cut(text: str, words: Sequence[_Range], span: _Range, boundary: str = "words") -> _Range:
    """The half-open range of characters that is cut for a passage; an empty one if no word, or line, is in it whole.

    >>> from ibidem.corpus.writing.cutting import find_words
    >>> text = "One two. Three four five! Six."
    >>> find_cut(text, find_words(text), (9, 24))
    (9, 26)
    >>> text = "one two\\nthree four\\nfive"
    >>> find_cut(text, find_words(text), (4, 20), "lines")
    (8, 19)
    """
    return _cut_between_lines(text, span) if boundary == "lines" else _cut_between_words(text, span, words)


def _cut_between_words(text: str, span: _Range, words: Sequence[_Range]) -> _Range:
    """Return the range of the words that lie in a passage whole, with the signs beside them."""
    first = bisect_left(words, span[0], key=lambda word: word[0])
    last = bisect_right(words, span[1], key=lambda word: word[1])
    if first >= last:
        return span[0], span[0]
    previous_end = words[first - 1][1] if first else 0
    next_start = words[last][0] if last < len(words) else len(text)
    start, end = words[first][0], words[last - 1][1]
    closing = end
    while closing < next_start and not text[closing].isspace():
        closing += 1
    if closing < next_start or next_start == len(text):
        end = closing
    opening = start
    while opening > previous_end and not text[opening - 1].isspace():
        opening -= 1
    if opening > previous_end or previous_end == 0:
        start = opening
    return start, _take_space(text, start, end, next_start)


def _take_space(text: str, start: int, end: int, next_start: int) -> int:
    """The end of a cut with the white space behind it, if there is some before it or nothing at all."""
    if start and not text[start - 1].isspace():
        return end
    space = end
    while space < next_start and text[space].isspace() and text[space] not in _LINE_ENDS:
        space += 1
    if start and text[start - 1] not in _LINE_ENDS:
        return space  # in the middle of a line, whose end stays
    while space < next_start and text[space].isspace():
        space += 1
    return space


def _cut_between_lines(text: str, span: _Range) -> _Range:
    """The lines that lie in a passage whole, but for white space and punctuation around it, with their ends."""
    start, end = span
    while start and text[start - 1] not in _LINE_ENDS and not text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end] not in _LINE_ENDS and not text[end].isalnum():
        end += 1
    if start and text[start - 1] not in _LINE_ENDS:
        start = _find_next_line(text, start)
    if end < len(text) and text[end] not in _LINE_ENDS:
        end = max((text.rfind(line_end, 0, end) + 1 for line_end in _LINE_ENDS), default=0)
    else:
        end = min(_find_next_line(text, end), len(text))
    return start, max(start, end)


def _find_next_line(text: str, place: int) -> int:
    """Return where the next line begins, or the end of the text."""
    ends = [position for position in (text.find(line_end, place) for line_end in _LINE_ENDS) if position >= 0]
    if not ends:
        return len(text)
    position = min(ends)
    return position + 2 if text[position : position + 2] == "\r\n" else position + 1
