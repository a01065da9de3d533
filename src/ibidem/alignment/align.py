"""The pairs of similar passages of two texts, found on the tokens themselves.

1. *Seeds* are all pairs of windows of ``w`` tokens with a similarity of at least 3/4 of the threshold
   (:mod:`ibidem.alignment.seeds`). Seeds within ``w`` tokens of each other in both texts make a box.
2. The four ends of each box *climb* to where the evidence that the pair is no chance is greatest
   (:mod:`ibidem.alignment.extension`). Pairs within ``w`` tokens of each other are joined where that costs no
   evidence, and climb again.
3. Pairs that are similar enough, long enough and beyond chance are kept; of two that overlap in both texts the one with
   more evidence. What stands alike but is in none of them, since it drowned in its box, climbs by itself.
4. If there is no such pair but in one passage, this may sum up the other text
   (:mod:`ibidem.alignment.summaries`).

Memory is linear in the texts and in what is found.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.alignment.extension import GROW, GROW_AND_TRIM, MEASURE, SLACK, beyond_the_rest, climb, join
from ibidem.alignment.seeds import next_seed, seed_boxes
from ibidem.alignment.summaries import find_digest
from ibidem.alignment.weighted_pair import Blocks, Pair, make_blocks
from ibidem.similarity import containment, jaccard
from ibidem.spans import Alignment
from ibidem.text import Texts, Tokenizer, Tokens
from ibidem.text import tokenizer as make_tokenizer
from ibidem.text.token_stream import token_stream
from ibidem.weights import DocumentFrequencies, Weighting

__all__ = ["align", "align_tokens", "require_settings"]

_Ids = npt.NDArray[np.uint32]

_Mask = npt.NDArray[np.bool_]

_Boxes = npt.NDArray[np.int64]
"""Pairs of passages [R, 4]: the half-open range of tokens in the one text, then in the other."""


class _Found(NamedTuple):
    """Pairs of passages that are similar, and those of which one sums up the other."""

    similar: _Boxes
    digests: _Boxes


_LONGEST_WINDOW = 32
"""Tokens. In a longer window a short match drowns; from this length on, chance gives few seeds."""

_LENIENCE = 0.75
"""A passage is not equally similar everywhere: its parts are held to this share of the threshold, the whole to all."""

_LEAST_LENGTH = 40
"""Tokens: two or three sentences. A single one that two pages share is often a notice or a title."""

_LONG = 2 * _LONGEST_WINDOW
"""Tokens: in longer passages, what texts like these share anyhow adds up to more than chance gives elsewhere."""

_SURPRISE = math.log(10)
"""Nats of evidence that a pair must have beyond the logarithm of the places where it could stand, the product of the
two lengths: chance alone gives about one such pair in ten pairs of texts."""


def align(
    a: str,
    b: str,
    *,
    threshold: float = 0.3,
    min_length: int | None = None,
    tokenizer: str | Mapping[str, Any] | Tokenizer | Callable[..., Any] = "words",
    family: str = "weighted",
    tf: str | None = None,
    idf: str | None = None,
    frequencies: DocumentFrequencies | None = None,
) -> list[Alignment]:
    """The pairs of similar passages of ``a`` and ``b``, in the order of their places in ``a``.

    A rare word that two passages share says more than a common one: by default a word weighs by how rare it is in the
    two texts together. Each pair reported has, by these weights, an exact similarity of at least ``threshold``, and its
    *evidence*, how surprising it is to share so much by chance, is enough for texts of their lengths ``n`` and ``m``:
    ``ln(10 n m)`` nats (17 for 1,000 and 3,000 words: a copy of about 8 words of middling rarity, or 110 words at a
    similarity of 0.3). Chance is a similarity of 0.1, or in passages of more than 64 tokens what the rest of the texts
    leads to expect, if that is more.

    Passages end where their evidence is greatest: no shift of a left end, of a right end, or of both left or both right
    ends alike, gives more (in passages of more than 512 tokens, what counts is the evidence of the 512 at that end). So
    a copy ends where it ends, and a passage of which every second word was replaced is one passage from beginning to
    end. Pairs near each other are one where that costs no evidence. No two pairs overlap in both texts.

    With ``w = min(min_length, 32)``: of every two windows of ``w`` tokens with a similarity halfway from the threshold
    to 1 and with enough evidence, both have tokens in one reported pair (for a ``min_length`` above 32 this holds
    but for pairs that end up shorter). Tokens without any weight are never similar.

    A passage may also be a *digest*: most of its words stand somewhere in the other text, which is at least three
    times as long, without a place that is similar to all of it. It is reported with the whole other text; its
    ``similarity`` is its containment there, its evidence is that the rest of its own text has so much less. A text of
    one piece, with no rest to compare, is never called a digest.

    Exchanging ``a`` and ``b`` exchanges the sides of the result (of texts that differ in their tokens), and nothing
    else.

    Args:
        threshold: the least similarity, above 0 and at most 1.
        min_length: the least length of the longer of the two passages, in tokens: a shorter one may be what was left of
            a long one. If not given, 40 tokens, or more than a quarter of the shorter text if that is less.
        tokenizer: anything that :func:`ibidem.tokenizer` takes.
        family: ``"set"``, ``"multiset"`` or ``"weighted"``.
        tf, idf, frequencies: the weights of ``"weighted"``, see :class:`ibidem.Weighting`. A token without weight
            counts for the length only. If no ``frequencies`` are given, those in the two texts are taken, each running
            token counting as a document, and ``idf`` is ``"smooth"``.

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
    0.918
    """
    require_settings(threshold, min_length)
    given = _weighting(family, tf, idf, frequencies)
    tokens = make_tokenizer(tokenizer).encode(Texts.from_strings([a, b]), offsets=True)
    return align_tokens(tokens, given or _counted(tokens, tf, idf), threshold, min_length)


def require_settings(threshold: float, min_length: int | None) -> None:
    """Raise a ``ValueError`` unless an alignment can be asked for this."""
    if not 0 < threshold <= 1:
        raise ValueError(f"threshold must be above 0 and at most 1, not {threshold!r}")
    if min_length is not None and min_length < 1:
        raise ValueError(f"min_length must be 1 token or more, not {min_length!r}")


def align_tokens(tokens: Tokens, weighting: Weighting, threshold: float, min_length: int | None) -> list[Alignment]:
    """The result of ``align`` for two texts whose ``tokens``, with offsets, are given."""
    ids_a, ids_b = np.split(tokens.ids, [tokens.bounds[1]])
    shortest = min_length or min(_LEAST_LENGTH, 1 + min(len(ids_a), len(ids_b)) // 4)
    found = _similar_passages(ids_a, ids_b, weighting, threshold, shortest)
    similar = _verified(tokens, found.similar, partial(jaccard, weighting=weighting), threshold)
    digests = _verified(tokens, found.digests, partial(_contained, weighting=weighting), threshold)
    return sorted(chain(similar, digests), key=_place)


def _weighting(
    family: str, tf: str | None, idf: str | None, frequencies: DocumentFrequencies | None
) -> Weighting | None:
    """The weighting asked for; None if it has to be counted in the texts."""
    if family != "weighted" or frequencies is not None or idf == "unary":
        return Weighting.of(family, tf=tf, idf=idf, frequencies=frequencies)
    Weighting.of(family, tf=tf, idf=idf or "smooth", frequencies=DocumentFrequencies([], [], 0))  # the names are known
    return None


def _counted(tokens: Tokens, tf: str | None, idf: str | None) -> Weighting:
    """Weights by how often each token stands in the texts."""
    distinct, counts = np.unique(tokens.ids, return_counts=True)
    frequencies = DocumentFrequencies(distinct, counts, len(tokens.ids))
    return Weighting.of("weighted", tf=tf, idf=idf or "smooth", frequencies=frequencies)


def _place(found: Alignment) -> tuple[int, int, int, int]:
    return found.a_start, found.a_end, found.b_start, found.b_end


def _contained(a: _Ids, b: _Ids, weighting: Weighting) -> float:
    """Containment of the shorter passage in the longer."""
    return containment(a, b, weighting) if len(a) < len(b) else containment(b, a, weighting)


def _verified(
    tokens: Tokens, boxes: _Boxes, measure: Callable[[_Ids, _Ids], float], threshold: float
) -> Iterator[Alignment]:
    """The pairs whose similarity, recomputed on their tokens, is at least ``threshold``."""
    starts, ends, middle = tokens.starts, tokens.ends, int(tokens.bounds[1])
    assert starts is not None  # offsets were asked for
    assert ends is not None
    for box in boxes.tolist():
        in_a, in_b = slice(box[0], box[1]), slice(middle + box[2], middle + box[3])
        similarity = measure(tokens.ids[in_a], tokens.ids[in_b])
        if similarity >= threshold:
            yield Alignment(
                a_start=int(starts[in_a.start]),
                a_end=int(ends[in_a].max()),
                b_start=int(starts[in_b.start]),
                b_end=int(ends[in_b].max()),
                similarity=similarity,
            )


def _similar_passages(a: _Ids, b: _Ids, weighting: Weighting, threshold: float, min_length: int) -> _Found:
    """The pairs of passages of the tokens ``a`` and ``b`` that ``align`` reports, in no order."""
    if min(len(a), len(b)) < min_length:
        return _Found(np.empty((0, 4), np.int64), np.empty((0, 4), np.int64))
    if (len(a), a.tobytes()) > (len(b), b.tobytes()):
        # Ties are broken by the order of the two texts; one order for both ways of asking makes the answers agree.
        return _Found(*(boxes[:, [2, 3, 0, 1]] for boxes in _similar_passages(b, a, weighting, threshold, min_length)))
    return _Aligner(_weighed(a, b, weighting, min(min_length, _LONGEST_WINDOW)), threshold, min_length).passages()


def _weighed(a: npt.NDArray[np.uint32], b: npt.NDArray[np.uint32], weighting: Weighting, window: int) -> Pair:
    stream = token_stream(np.concatenate([a, b]), np.array([0, len(a), len(a) + len(b)], np.int64))
    idf = weighting.idf_of(stream.vocabulary)
    growth = np.diff(weighting.tf_table(int(stream.peaks.max())))
    # Similarity does not depend on the scale of weights, but evidence does: a running token weighs 1 on the average.
    return Pair(
        stream.ids[: len(a)], stream.ids[len(a) :], idf / (idf[stream.ids].mean() or 1.0), growth / growth[0], window
    )


class _Aligner:
    """The steps of an alignment, on one pair of texts."""

    def __init__(self, pair: Pair, threshold: float, min_length: int) -> None:
        self.pair = pair
        self.threshold = threshold
        self.min_length = min_length
        self.needed = _SURPRISE + math.log(len(pair.a)) + math.log(len(pair.b))
        self.blocks = Blocks(*make_blocks(pair))
        self.counts = np.zeros((2, len(pair.idf)), np.int64)
        self.sure = (1 + threshold) / 2  # a similarity that is no chance
        self.rest: tuple[_Mask, _Mask] | None = None  # tokens that show what chance gives, once they are known

    def passages(self) -> _Found:
        """Every step of the module's docstring."""
        candidates = self._joined(self._seed_boxes(), always=True)
        climbed = self._all_climbed(self._joined(self._all_climbed(candidates), always=False))
        found = self._chosen(candidates, climbed)
        # A passage that stands in a text twice is no chance, and must not pass for it.
        self.rest = self._outside([box for box in found.similar if self._measured(box)[1] >= self.sure])
        if all(self._evidence(box) > 0 for box in found.similar):
            return found
        return self._chosen(candidates, climbed)

    def _chosen(self, candidates: _Boxes, climbed: _Boxes) -> _Found:
        """Of ``climbed`` the pairs that may be reported, a digest, and what of the ``candidates`` is in neither."""
        similar = self._kept(climbed)
        digest = self._digest(similar)
        if len(digest):
            similar = similar[:0]  # the digest holds them all
        for box in candidates:
            found = np.vstack([similar, digest])
            if not any(_meets_all(each, box, self.pair.window) for each in found):
                similar = np.vstack([similar, self._rest(box, found)])
        return _Found(similar, digest)

    def _outside(self, boxes: list[npt.NDArray[np.int64]]) -> tuple[_Mask, _Mask]:
        """Which tokens of the two texts lie in none of ``boxes``."""
        masks = np.ones(len(self.pair.a), np.bool_), np.ones(len(self.pair.b), np.bool_)
        for box in boxes:
            masks[0][box[0] : box[1]] = False
            masks[1][box[2] : box[3]] = False
        return masks

    def _measured(self, box: npt.NDArray[np.int64]) -> tuple[float, float]:
        """Evidence and similarity of a pair as it stands."""
        measured: tuple[float, float] = climb(self.pair, self.counts, box, MEASURE)
        return measured

    def _all_climbed(self, boxes: _Boxes) -> _Boxes:
        return np.array([self._climbed(box) for box in boxes], np.int64).reshape(-1, 4)

    def _digest(self, similar: _Boxes) -> _Boxes:
        """The passage of one text that sums up the other, with all of this, or no row."""
        a, b, idf = self.pair.a, self.pair.b, self.pair.idf
        in_a, in_b = similar[:, :2], similar[:, 2:]
        digests = [(0.0, [0, 0, 0, 0])]
        if (of_b := find_digest(a, b, idf, in_a, in_b)) is not None and of_b.end - of_b.start >= self.min_length:
            digests.append((of_b.evidence, [of_b.start, of_b.end, 0, len(b)]))
        if (of_a := find_digest(b, a, idf, in_b, in_a)) is not None and of_a.end - of_a.start >= self.min_length:
            digests.append((of_a.evidence, [0, len(a), of_a.start, of_a.end]))
        strength, box = max(digests)
        return np.array([box] if strength >= self.needed else [], np.int64).reshape(-1, 4)

    def _seed_boxes(self) -> _Boxes:
        """Boxes that hold all seeds."""
        window, rows = self.pair.window, len(self.pair.a) - self.pair.window + 1
        boxes, count, row = np.empty((256, 4), np.int64), 0, 0
        while True:
            bar = _LENIENCE * self.threshold
            count, row = seed_boxes(self.pair, self.blocks, bar, 2 * window, boxes, count, row)
            if row == rows:
                found: _Boxes = boxes[:count] + np.array([0, window, 0, window])
                return found
            boxes = np.concatenate([boxes, np.empty_like(boxes)])

    def _joined(self, boxes: _Boxes, always: bool) -> _Boxes:
        """Boxes of which no two within ``w`` tokens of each other are to be joined."""
        while True:
            boxes = boxes[np.lexsort(boxes.T[::-1])]
            joined = join(self.pair, self.counts, boxes, self.pair.window, always)
            if len(joined) == len(boxes):
                return boxes
            boxes = joined

    def _climbed(self, box: npt.NDArray[np.int64], moves: int = GROW_AND_TRIM) -> npt.NDArray[np.int64]:
        """The best pair of passages around ``box``."""
        best = box.copy()
        climb(self.pair, self.counts, best, moves)
        return best

    def _evidence(self, box: npt.NDArray[np.int64]) -> float:
        """That of a pair that may be reported; 0 for any other."""
        strength, similarity = self._measured(box)
        lengths = box[1] - box[0], box[3] - box[2]
        if similarity < self.threshold - SLACK or strength < self.needed or max(lengths) < self.min_length:
            return 0.0
        if min(lengths) > _LONG and self.rest is not None:
            strength = beyond_the_rest(self.pair, box, self.rest)
        return strength if strength >= self.needed else 0.0

    def _kept(self, boxes: _Boxes) -> _Boxes:
        """Those of ``boxes``, in the order of their rows, that may be reported and overlap none with more evidence."""
        strength = np.array([self._evidence(box) for box in boxes])
        kept = np.empty((0, 4), np.int64)
        for x in np.argsort(-strength, kind="stable").tolist():
            if strength[x] > 0 and not _overlap(boxes[x], kept).any():
                kept = np.vstack([kept, boxes[x]])
        return kept

    def _rest(self, box: npt.NDArray[np.int64], found: _Boxes) -> _Boxes:
        """Pairs for windows in ``box`` that are surely similar, no chance, and do not both meet one of ``found``."""
        rest, near = box.copy(), found
        more: list[npt.NDArray[np.int64]] = []
        while True:
            start_a, start_b = next_seed(self.pair, self.blocks, self.sure, self.needed, rest, near)
            if start_a < 0:
                return np.array(more, np.int64).reshape(-1, 4)
            rest[0] = start_a
            window = self.pair.window
            seed = np.array([start_a, start_a + window, start_b, start_b + window])
            best = self._from_seed(seed, near)
            if self._evidence(best) > 0:
                more.append(best)
            near = np.vstack([near, best])

    def _from_seed(self, seed: npt.NDArray[np.int64], near: _Boxes) -> npt.NDArray[np.int64]:
        """The best pair that can be reached from a pair of windows, meets both, and overlaps none of ``near``."""
        for moves in (GROW_AND_TRIM, GROW):
            best = self._climbed(seed, moves)
            if _overlap(seed, best[np.newaxis]).all() and not _overlap(best, near).any() and self._evidence(best) > 0:
                return best
        return seed


def _overlap(box: npt.NDArray[np.int64], others: _Boxes) -> npt.NDArray[np.bool_]:
    """Which of ``others`` [R, 4] share tokens with ``box`` in both texts."""
    meets = (others[:, ::2] < box[1::2]) & (box[::2] < others[:, 1::2])
    return meets[:, 0] & meets[:, 1]


def _meets_all(found: npt.NDArray[np.int64], box: npt.NDArray[np.int64], window: int) -> bool:
    """Whether ``found`` has tokens of every two windows in ``box``, in both texts."""
    return bool((found[::2] < box[::2] + window).all() and (box[1::2] - window < found[1::2]).all())
