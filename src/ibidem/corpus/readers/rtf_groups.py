"""What a reader of an .rtf file sees, still as RTF: the library that takes its text out knows no states of text.

Text that is deleted, hidden or moved elsewhere is dropped, text boxes come behind the paragraph that holds them, and
notes at the end.
"""

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r"\\(?P<word>[a-z]+)(?P<number>-?[0-9]+)? ?|\\'[0-9a-fA-F]{2}|(?P<brace>[{}])|\\.|[^\\{}]+",
    re.DOTALL,
)

_NOTE = re.compile(r"\{(?:\\\*)?\\footnote(?![a-z])")
_BOX = re.compile(r"\{(?:\\\*)?\\shptxt(?![a-z])")
_SHAPE = re.compile(r"\{\\(?:shp|do)(?![a-z])|\{\\\*\\do(?![a-z])")

_TWICE = re.compile(r"\{\\upr\s*\{(?:[^{}\\]|\\.)*\}\s*\{\\\*\\ud\s*\{((?:[^{}\\]|\\.)*)\}\s*\}\s*\}", re.DOTALL)
"""A text for readers that know no Unicode, then the same in Unicode."""

_SHOWN = {
    "u", "par", "line", "tab", "page", "sect", "cell", "row", "emdash", "endash", "emspace", "enspace", "bullet",
    "lquote", "rquote", "ldblquote", "rdblquote",
}  # fmt: skip
"""Words that show something; all others set how what comes is shown."""


class _State(NamedTuple):
    """The state of a group.

    Attributes:
        out: where its tokens go.
        is_hidden, is_deleted: whether its text is.
        is_shape: whether it is the outermost group of a shape, behind which its text boxes come.
        is_apart: whether its braces are not written, since its contents go elsewhere.
    """

    out: list[str]
    is_hidden: bool = False
    is_deleted: bool = False
    is_shape: bool = False
    is_apart: bool = False


def show_text(source: str) -> str:
    """The file as a reader sees it, as RTF."""
    body: list[str] = []
    notes: list[list[str]] = []
    boxes: list[list[str]] = []
    state, stack = _State(body), list[_State]()
    position, source = 0, _TWICE.sub(r"{\1}", source)
    while match := _TOKEN.match(source, position):
        position = match.end()
        if match["word"] == "bin":
            position = min(len(source), position + max(0, int(match["number"] or 0)))
        elif match["brace"] == "{":
            stack.append(state)
            opened = _NOTE.match(source, match.start()) or _BOX.match(source, match.start())
            if opened is not None:
                apart = notes if "footnote" in opened[0] else boxes
                apart.append([])
                position, state = opened.end(), state._replace(out=apart[-1], is_apart=True, is_shape=False)
            else:
                is_shape = _SHAPE.match(source, match.start()) is not None and not any(each.is_shape for each in stack)
                state.out.append("{")
                state = state._replace(is_apart=False, is_shape=is_shape)
        elif match["brace"] == "}":
            if not stack:
                break
            if not state.is_apart and not (len(stack) == 1 and state.out is body):
                state.out.append("}")
            is_shape, state = state.is_shape, stack.pop()
            if is_shape:
                state.out.extend(r"{\par " + "".join(box) + r"\par }" for box in boxes)
                boxes.clear()
            if not stack:
                break
        else:
            state = _take(match, state)
    return "".join(body) + "".join(r"{\par " + "".join(note) + "}" for note in notes) + "}"


def _take(match: re.Match[str], state: _State) -> _State:
    """Write a token that is shown, or that says how others are. Returns the state behind it."""
    word, is_on = match["word"], match["number"] != "0"
    if word == "v":
        return state._replace(is_hidden=is_on)
    if word in ("deleted", "mvf"):
        return state._replace(is_deleted=is_on)
    if word == "plain":
        state = state._replace(is_hidden=False, is_deleted=False)
    is_shown = word is None or word in _SHOWN
    if not (is_shown and (state.is_hidden or state.is_deleted)):
        state.out.append(match[0])
    return state
