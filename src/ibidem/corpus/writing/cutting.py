"""A text of which passages are cut, or masked."""

from collections.abc import Iterable

from ibidem.text import Texts, make_tokenizer

_MASK = "*"

_NEAR = 64
"""Code points on either side of a cut that show whether words run together."""

_Range = tuple[int, int]


def edit_text(text: str, cuts: Iterable[_Range], action: str = "remove") -> str:
    """The text without what is cut, or with asterisks in its place; white space that is masked stays.

    Where a cut would make one word of two, a space separates them.

    >>> edit_text("One two. Three four five! Six.", [(9, 26)])
    'One two. Six.'
    >>> edit_text("One two. Three four five! Six.", [(9, 26)], "mask")
    'One two. ***** **** ***** Six.'
    """
    if action == "annotate":
        return text
    last_piece, first = "", 0
    pieces: list[str] = []
    for start, end in [*(cut for cut in cuts if cut[0] < cut[1]), (len(text), len(text))]:
        piece = text[first:start]
        if action == "mask":
            pieces += [piece, "".join(character if character.isspace() else _MASK for character in text[start:end])]
        elif piece:
            pieces += [" " * _run_together(last_piece, piece), piece]
            last_piece = piece
        first = max(first, end)
    return "".join(pieces)


def _run_together(previous: str, next_piece: str) -> bool:
    """Return whether words of two texts would be one word if nothing separated them."""
    tail, head = previous[-_NEAR:], next_piece[:_NEAR]
    if not tail or tail[-1].isspace() or head[0].isspace():
        return False
    return len(find_words(tail + head)) < len(find_words(tail)) + len(find_words(head))


def find_words(text: str) -> list[_Range]:
    """Return the places of the words of a text."""
    tokens = make_tokenizer("words").encode(Texts.from_strings([text]), offsets=True)
    assert tokens.starts is not None
    assert tokens.ends is not None
    return list(zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True))
