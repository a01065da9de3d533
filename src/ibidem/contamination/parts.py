"""The parts of items that are looked for, as tokens."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.contamination.items import Item
from ibidem.text import Texts, Tokenizer

QUESTION, ANSWER, PASSAGE = 0, 1, 2
KINDS = ("question", "answer", "passage")
"""The kinds of parts, by their numbers."""

_SHORT = 8
"""Tokens. A shorter question is looked for with its choices, too: the same few words begin many questions."""

LONG_ANSWER = 20
"""The least length, in tokens, of an answer that is looked for by itself."""


class Parts(NamedTuple):
    """The parts of all items.

    Attributes:
        texts: of each part.
        items: int64 [P], the item of each part.
        kinds: int64 [P], numbers of ``KINDS``.
        groups: int64 [P], equal for items of one question, which may be in several evals; of a few words, only with the
            same answers.
        ids: uint32 [T], their tokens, back to back.
        bounds: int64 [P + 1].
        starts, ends: uint32 [T], the place of each token in the text of its part.
        numbers: bool [T], whether the token is a number.
    """

    texts: Sequence[str]
    items: npt.NDArray[np.int64]
    kinds: npt.NDArray[np.int64]
    groups: npt.NDArray[np.int64]
    ids: npt.NDArray[np.uint32]
    bounds: npt.NDArray[np.int64]
    starts: npt.NDArray[np.uint32]
    ends: npt.NDArray[np.uint32]
    numbers: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.texts)


def split_parts(items: Sequence[Item], tokenizer: Tokenizer) -> Parts:
    """List the questions, passages and long answers of ``items``.

    A question of a few words is looked for alone, and together with its choices. A passage that several items share is
    a part of the first.
    """
    questions = Texts.from_strings([item.question for item in items])
    lengths = np.diff(tokenizer.encode(questions).bounds).tolist()
    rows: list[tuple[str, int, int]] = []
    passages: set[str] = set()
    groups: dict[object, int] = {}
    item_groups: list[int] = []
    for number, (item, length) in enumerate(zip(items, lengths, strict=True)):
        question = " ".join(item.question.split()).casefold()
        item_groups.append(groups.setdefault(question if length >= _SHORT else (question, item.answers), len(groups)))
        rows.append((item.question, number, QUESTION))
        if length < _SHORT and len(item.answers) > 1:
            rows.append(("\n".join([item.question, *item.answers]), number, QUESTION))
        if item.passage.strip() and item.passage not in passages:
            passages.add(item.passage)
            rows.append((item.passage, number, PASSAGE))
        rows += [(answer, number, ANSWER) for answer in dict.fromkeys(item.answers)]
    texts = Texts.from_strings([text for text, _, _ in rows])
    lengths = np.diff(tokenizer.encode(texts).bounds).tolist()
    rows = [row for row, length in zip(rows, lengths, strict=True) if row[2] != ANSWER or length >= LONG_ANSWER]
    texts = Texts.from_strings([text for text, _, _ in rows])
    tokens = tokenizer.encode(texts, offsets=True)
    assert tokens.starts is not None
    assert tokens.ends is not None
    return Parts(
        texts=[text for text, _, _ in rows],
        items=np.array([item for _, item, _ in rows], np.int64),
        kinds=np.array([kind for _, _, kind in rows], np.int64),
        groups=np.array([item_groups[item] for _, item, _ in rows], np.int64),
        ids=tokens.ids,
        bounds=tokens.bounds,
        starts=tokens.starts,
        ends=tokens.ends,
        numbers=_find_numbers([text for text, _, _ in rows], tokens.bounds, tokens.starts, tokens.ends),
    )


def _find_numbers(
    texts: Sequence[str],
    bounds: npt.NDArray[np.int64],
    starts: npt.NDArray[np.uint32],
    ends: npt.NDArray[np.uint32],
) -> npt.NDArray[np.bool_]:
    """Determine which tokens are numbers: bool [T]."""
    points = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    is_digit = np.array([chr(point).isdigit() for point in range(int(points.max(initial=0)) + 1)], np.bool_)
    digits_before = np.concatenate([[0], np.cumsum(is_digit[points])])
    firsts = np.cumsum([0, *map(len, texts)])[:-1]
    shift = np.repeat(firsts, np.diff(bounds))
    numbers: npt.NDArray[np.bool_] = digits_before[shift + ends] - digits_before[shift + starts] == ends - starts
    return numbers & (ends > starts)
