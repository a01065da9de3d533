"""The parts of items that are looked for, as tokens."""

from collections.abc import Mapping, Sequence
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
        questions: int64 [P], the words of a question: equal for those of an evaluation that ask the same.
        common: bool [P], whether another item of the evaluation asks the same of another passage.
        sharing: the items that have a passage, by its text.
        ids: uint32 [T], their tokens, back to back.
        bounds: int64 [P + 1].
        starts, ends: uint32 [T], the place of each token in the text of its part.
        numbers: bool [T], whether the token is a number.
    """

    texts: Sequence[str]
    items: npt.NDArray[np.int64]
    kinds: npt.NDArray[np.int64]
    groups: npt.NDArray[np.int64]
    questions: npt.NDArray[np.int64]
    common: npt.NDArray[np.bool_]
    sharing: Mapping[str, Sequence[int]]
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
    asked = Texts.from_strings([item.question for item in items])
    lengths = np.diff(tokenizer.encode(asked).bounds).tolist()
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
    lengths = np.diff(tokenizer.encode(Texts.from_strings([text for text, _, _ in rows])).bounds).tolist()
    rows = [row for row, length in zip(rows, lengths, strict=True) if row[2] != ANSWER or length >= LONG_ANSWER]
    texts = [text for text, _, _ in rows]
    tokens = tokenizer.encode(Texts.from_strings(texts), offsets=True)
    assert tokens.starts is not None
    assert tokens.ends is not None
    questions, common = _compare_questions([(items[item], text) for text, item, _ in rows])
    sharing: dict[str, list[int]] = {}
    for number, item in enumerate(items):
        sharing.setdefault(item.passage, []).append(number)
    return Parts(
        texts=texts,
        items=np.array([item for _, item, _ in rows], np.int64),
        kinds=np.array([kind for _, _, kind in rows], np.int64),
        groups=np.array([item_groups[item] for _, item, _ in rows], np.int64),
        questions=questions,
        common=common,
        sharing=sharing,
        ids=tokens.ids,
        bounds=tokens.bounds,
        starts=tokens.starts,
        ends=tokens.ends,
        numbers=_find_numbers(texts, tokens.bounds, tokens.starts, tokens.ends),
    )


def condense(text: str) -> str:
    """A text without white space and case.

    >>> condense("Not ( True )\\n or False")
    'not(true)orfalse'
    """
    return "".join(text.casefold().split())


def _compare_questions(
    parts: Sequence[tuple[Item, str]],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """The numbers of the words of parts, and whether these are asked of another passage, too; see ``Parts``."""
    asked = [(item.eval_key, condense(text)) for item, text in parts]
    passages: dict[tuple[str, str], set[str]] = {}
    for question, (item, _) in zip(asked, parts, strict=True):
        passages.setdefault(question, set()).add(item.passage)
    numbers = {question: number for number, question in enumerate(passages)}
    is_common = [
        len(passages[question]) > 1 and bool(item.passage) for question, (item, _) in zip(asked, parts, strict=True)
    ]
    return np.array([numbers[question] for question in asked], np.int64), np.array(is_common, np.bool_)


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
