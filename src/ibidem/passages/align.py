"""The pairs of similar passages of two texts, found on the tokens themselves.

1. *Seeds* are all pairs of windows of ``w`` tokens with a similarity of at least 3/4 of the threshold
   (:mod:`ibidem.passages.alignment_seeds`). Seeds within ``w`` tokens of each other in both texts make a box.
2. The four ends of each box *climb* to where the excess of the pair over that bar is greatest, and if this pair stays
   under the threshold, to where its excess over the threshold is (:mod:`ibidem.passages.alignment_climb`). A box whose
   best pair stays under the threshold even so is dropped.
3. A pair of windows that reaches the threshold but shares no token with a pair found so far (a second match in the
   same box, or one in a box that was dropped) climbs by itself.
4. Pairs that touch or overlap in both texts become one where the union reaches the threshold.

Memory is linear in the texts and in what is found.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ibidem.passages.alignment_blocks import Blocks, Pair, make_blocks
from ibidem.passages.alignment_climb import GROW, GROW_AND_TRIM, climb, join
from ibidem.passages.alignment_seeds import next_seed, seed_boxes
from ibidem.similarity import jaccard
from ibidem.spans import Alignment
from ibidem.text import Texts, Tokenizer, Tokens
from ibidem.text import tokenizer as make_tokenizer
from ibidem.weights import DocumentFrequencies, Weighting
from ibidem.windows.stream import token_stream

__all__ = ["align"]

_Boxes = npt.NDArray[np.int64]
"""Pairs of passages [R, 4]: the half-open range of tokens in the one text, then in the other."""

_LONGEST_WINDOW = 32
"""Tokens. In a longer window a short match drowns; from this length on, chance gives few seeds."""

_LENIENCE = 0.75
"""A passage is not equally similar everywhere: its parts are held to this share of the threshold, the whole to all."""


def align(
    a: str,
    b: str,
    *,
    threshold: float = 0.5,
    min_length: int = 16,
    tokenizer: str | Mapping[str, Any] | Tokenizer | Callable[..., Any] = "words",
    family: str = "multiset",
    tf: str | None = None,
    idf: str | None = None,
    frequencies: DocumentFrequencies | None = None,
) -> list[Alignment]:
    """The maximal pairs of similar passages of ``a`` and ``b``, in the order of their places in ``a``.

    The similarity of a pair is exact, and at least ``threshold``. What is maximal is the *excess*, ``shared - bar *
    either``: the weight of what two passages share, less ``bar`` times the weight of what either has. It grows with the
    length of a match and falls with each token that has no counterpart, so that passages end where the match ends. The
    bar is 3/4 of the threshold, since no passage is equally similar everywhere; where the passages that it gives do not
    reach the threshold, it is the threshold itself, and an excess of 0 or more is a similarity that reaches it. From
    where a pair was found, no shift of a left end, of a right end, or of both left or both right ends alike, gives a
    greater excess, or an equal one with more text; in passages of more than 512 tokens, what counts is the excess of
    the 512 at that end. Such pairs are joined if they touch or overlap in both texts and their union reaches the
    threshold. No pair is contained, in both texts, in another.

    With ``w = min(min_length, 32)``: every two windows of ``w`` tokens with a similarity of at least ``threshold`` have
    tokens, in both texts, in one reported pair; so every ``w`` tokens that stand in both texts are met. For a
    ``min_length`` above 32 this holds but for pairs that end up shorter. A similar pair of passages in which no two
    windows reach 3/4 of the threshold is not looked for. Tokens without any weight are never similar.

    Exchanging ``a`` and ``b`` exchanges the sides of the result (of texts that differ in their tokens), and nothing
    else.

    Args:
        threshold: the least similarity, above 0 and at most 1.
        min_length: the least length of either passage, in tokens.
        tokenizer: anything that :func:`ibidem.tokenizer` takes.
        family: ``"set"``, ``"multiset"`` or ``"weighted"``.
        tf, idf, frequencies: the weights of ``"weighted"``, see :class:`ibidem.Weighting`. A token without weight
            counts for the length only.

    Raises:
        ValueError: an argument is out of its range, or a name is unknown.

    >>> a = "As Jaques put it: all the world is a stage and all the men and women merely players. Nobody laughed."
    >>> b = "All the world is a stage, and all the men and women are merely players! So Shakespeare wrote."
    >>> [pair] = align(a, b, min_length=8)
    >>> a[pair.a_start : pair.a_end]
    'all the world is a stage and all the men and women merely players'
    >>> b[pair.b_start : pair.b_end]
    'All the world is a stage, and all the men and women are merely players'
    >>> round(pair.similarity, 3)
    0.933
    """
    _check(threshold, min_length)
    weighting = Weighting.of(family, tf=tf, idf=idf, frequencies=frequencies)
    tokens = make_tokenizer(tokenizer).encode(Texts.from_strings([a, b]), offsets=True)
    ids_a, ids_b = np.split(tokens.ids, [tokens.bounds[1]])
    boxes = _similar_passages(ids_a, ids_b, weighting, threshold, min_length)
    return sorted(_verified(tokens, boxes, weighting, threshold), key=_place)


def _check(threshold: float, min_length: int) -> None:
    if not 0 < threshold <= 1:
        raise ValueError(f"threshold must be above 0 and at most 1, not {threshold!r}")
    if min_length < 1:
        raise ValueError(f"min_length must be 1 token or more, not {min_length!r}")


def _place(found: Alignment) -> tuple[int, int, int, int]:
    return found.a_start, found.a_end, found.b_start, found.b_end


def _verified(tokens: Tokens, boxes: _Boxes, weighting: Weighting, threshold: float) -> Iterator[Alignment]:
    """The pairs whose similarity, recomputed on their tokens, is at least ``threshold``."""
    starts, ends, middle = tokens.starts, tokens.ends, int(tokens.bounds[1])
    assert starts is not None  # offsets were asked for
    assert ends is not None
    for box in boxes.tolist():
        in_a, in_b = slice(box[0], box[1]), slice(middle + box[2], middle + box[3])
        similarity = jaccard(tokens.ids[in_a], tokens.ids[in_b], weighting)
        if similarity >= threshold:
            yield Alignment(
                a_start=int(starts[in_a.start]),
                a_end=int(ends[in_a].max()),
                b_start=int(starts[in_b.start]),
                b_end=int(ends[in_b].max()),
                similarity=similarity,
            )


def _similar_passages(
    a: npt.NDArray[np.uint32], b: npt.NDArray[np.uint32], weighting: Weighting, threshold: float, min_length: int
) -> _Boxes:
    """The pairs of passages of the tokens ``a`` [n] and ``b`` [m] that ``align`` reports, in no order."""
    if min(len(a), len(b)) < min_length:
        return np.empty((0, 4), np.int64)
    if (len(a), a.tobytes()) > (len(b), b.tobytes()):
        # Ties are broken by the order of the two texts; one order for both ways of asking makes the answers agree.
        return _similar_passages(b, a, weighting, threshold, min_length)[:, [2, 3, 0, 1]]
    pair = _weighed(a, b, weighting, min(min_length, _LONGEST_WINDOW))
    boxes = _Aligner(pair, threshold).passages()
    return boxes[(boxes[:, 1] - boxes[:, 0] >= min_length) & (boxes[:, 3] - boxes[:, 2] >= min_length)]


def _weighed(a: npt.NDArray[np.uint32], b: npt.NDArray[np.uint32], weighting: Weighting, window: int) -> Pair:
    stream = token_stream(np.concatenate([a, b]), np.array([0, len(a), len(a) + len(b)], np.int64))
    idf = weighting.idf_of(stream.vocabulary)
    growth = np.diff(weighting.tf_table(int(stream.peaks.max())))
    # Similarity does not depend on the scale of weights, and rounding is judged by a token that weighs 1.
    return Pair(stream.ids[: len(a)], stream.ids[len(a) :], idf / (idf.max() or 1.0), growth / growth[0], window)


class _Aligner:
    """The steps of an alignment, on one pair of texts."""

    def __init__(self, pair: Pair, threshold: float) -> None:
        self.pair = pair
        self.threshold = threshold
        self.bar = _LENIENCE * threshold
        self.blocks = Blocks(*make_blocks(pair))
        self.counts = np.zeros((2, len(pair.idf)), np.int64)

    def passages(self) -> _Boxes:
        """Every step of the module's docstring."""
        candidates = self._joined(self._seed_boxes(), self.pair.window, 0.0)
        climbed = [(box, self._climbed(box)) for box in candidates]
        found = np.array([best for _, best in climbed if best is not None], np.int64).reshape(-1, 4)
        for box, best in climbed:
            if best is None or not _meets_all(best, box, self.pair.window):
                found = np.vstack([found, self._rest(box, found)])
        return self._joined(found, 0, self.threshold)

    def _seed_boxes(self) -> _Boxes:
        """Boxes that hold all seeds."""
        window, rows = self.pair.window, len(self.pair.a) - self.pair.window + 1
        boxes, count, row = np.empty((256, 4), np.int64), 0, 0
        while True:
            count, row = seed_boxes(self.pair, self.blocks, self.bar, 2 * window, boxes, count, row)
            if row == rows:
                found: _Boxes = boxes[:count] + np.array([0, window, 0, window])
                return found
            boxes = np.concatenate([boxes, np.empty_like(boxes)])

    def _joined(self, boxes: _Boxes, gap: int, threshold: float) -> _Boxes:
        """Boxes of which no two within ``gap`` tokens of each other have a union that reaches ``threshold``."""
        while True:
            boxes = boxes[np.lexsort(boxes.T[::-1])]
            joined = join(self.pair, self.counts, boxes, gap, threshold)
            if len(joined) == len(boxes):
                return boxes
            boxes = joined

    def _climbed(self, box: npt.NDArray[np.int64], moves: int = GROW_AND_TRIM) -> npt.NDArray[np.int64] | None:
        """The best pair of passages around ``box``, if it is similar enough."""
        for bar in (self.bar, self.threshold):
            best = box.copy()
            if climb(self.pair, self.counts, best, bar, moves) >= self.threshold:
                return best
        return None

    def _rest(self, box: npt.NDArray[np.int64], found: _Boxes) -> _Boxes:
        """Pairs for the similar windows in ``box`` that do not meet one of ``found``."""
        window, rest, more = self.pair.window, box.copy(), 0
        near = found[(found[:, ::2] < box[1::2]).all(axis=1) & (box[::2] < found[:, 1::2]).all(axis=1)]
        while True:
            start_a, start_b = next_seed(self.pair, self.blocks, self.threshold, rest, near)
            if start_a < 0:
                return near[len(near) - more :]
            rest[0] = start_a
            seed = np.array([start_a, start_a + window, start_b, start_b + window])
            near, more = np.vstack([near, self._from_seed(seed)]), more + 1

    def _from_seed(self, seed: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The best pair that can be reached from a pair of similar windows and still meets both."""
        best = self._climbed(seed)
        if best is not None and (best[::2] < seed[1::2]).all() and (seed[::2] < best[1::2]).all():
            return best
        grown = self._climbed(seed, GROW)
        return seed if grown is None else grown


def _meets_all(found: npt.NDArray[np.int64], box: npt.NDArray[np.int64], window: int) -> bool:
    """Whether ``found`` has tokens of every two windows in ``box``, in both texts."""
    return bool((found[::2] < box[::2] + window).all() and (box[1::2] - window < found[1::2]).all())
