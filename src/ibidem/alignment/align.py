"""``align``: the pairs of similar passages of two texts, found on the tokens themselves.

This module is the public face. It makes tokens and weights, has the pairs found
(:mod:`ibidem.alignment.passage_pairs`), and recomputes the exact similarity of each on its tokens.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from ibidem.alignment.passage_pairs import PassagePairs, criteria_for, find_passage_pairs
from ibidem.alignment.weighted_pair import weigh_pair
from ibidem.arguments import require_fraction
from ibidem.results import Alignments
from ibidem.similarity import containment, jaccard
from ibidem.spans import Alignment
from ibidem.text import Texts, Tokenizer, Tokens, make_tokenizer
from ibidem.weights import DocumentFrequencies, Weighting

__all__ = ["align", "align_tokens", "require_settings"]

_Ids = npt.NDArray[np.uint32]

_Boxes = npt.NDArray[np.int64]
"""Pairs of passages [R, 4]: the half-open range of tokens in the one text, then in the other."""


_LONGEST_WINDOW = 32
"""Tokens. In a longer window a short match drowns; from this length on, chance gives few seeds."""

_LEAST_LENGTH = 40
"""Tokens: two or three sentences. A single one that two pages share is often a notice or a title."""


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
) -> Alignments:
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
        tokenizer: anything that :func:`ibidem.make_tokenizer` takes.
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
    given = _choose_weighting(family, tf, idf, frequencies)
    chosen = make_tokenizer(tokenizer)
    tokens = chosen.encode(Texts.from_strings([a, b]), offsets=True)
    found = align_tokens(tokens, given or _count_weights(tokens, tf, idf), threshold, min_length)
    return Alignments(found, a=a, b=b, tokenizer=chosen)


def require_settings(threshold: float, min_length: int | None) -> None:
    """Raise a ``ValueError`` unless an alignment can be asked for this."""
    require_fraction("threshold", threshold)
    if min_length is not None and min_length < 1:
        raise ValueError(f"min_length must be 1 token or more, not {min_length!r}")


def align_tokens(tokens: Tokens, weighting: Weighting, threshold: float, min_length: int | None) -> list[Alignment]:
    """The result of ``align`` for two texts whose ``tokens``, with offsets, are given."""
    ids_a, ids_b = np.split(tokens.ids, [tokens.bounds[1]])
    shortest = min_length or min(_LEAST_LENGTH, 1 + min(len(ids_a), len(ids_b)) // 4)
    found = _find(ids_a, ids_b, weighting, threshold, shortest)
    similar = _verify(tokens, found.similar, partial(jaccard, weighting=weighting), threshold)
    digests = _verify(tokens, found.digests, partial(_containment_of_shorter, weighting=weighting), threshold)
    return sorted(chain(similar, digests), key=_place)


def _choose_weighting(
    family: str, tf: str | None, idf: str | None, frequencies: DocumentFrequencies | None
) -> Weighting | None:
    """The weighting asked for; None if it has to be counted in the texts."""
    if family != "weighted" or frequencies is not None or idf == "unary":
        return Weighting.of(family, tf=tf, idf=idf, frequencies=frequencies)
    Weighting.of(family, tf=tf, idf=idf or "smooth", frequencies=DocumentFrequencies([], [], 0))  # the names are known
    return None


def _count_weights(tokens: Tokens, tf: str | None, idf: str | None) -> Weighting:
    """Weights by how often each token stands in the texts."""
    distinct, counts = np.unique(tokens.ids, return_counts=True)
    frequencies = DocumentFrequencies(distinct, counts, len(tokens.ids))
    return Weighting.of("weighted", tf=tf, idf=idf or "smooth", frequencies=frequencies)


def _place(found: Alignment) -> tuple[int, int, int, int]:
    return found.a_start, found.a_end, found.b_start, found.b_end


def _containment_of_shorter(a: _Ids, b: _Ids, weighting: Weighting) -> float:
    """Containment of the shorter passage in the longer."""
    return containment(a, b, weighting) if len(a) < len(b) else containment(b, a, weighting)


def _verify(
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


def _find(a: _Ids, b: _Ids, weighting: Weighting, threshold: float, min_length: int) -> PassagePairs:
    """The pairs of passages of the tokens ``a`` and ``b`` that ``align`` reports, in no order."""
    if min(len(a), len(b)) < min_length:
        return PassagePairs(np.empty((0, 4), np.int64), np.empty((0, 4), np.int64))
    if (len(a), a.tobytes()) > (len(b), b.tobytes()):
        # Ties are broken by the order of the two texts; one order for both ways of asking makes the answers agree.
        return _find(b, a, weighting, threshold, min_length).exchange()
    pair = weigh_pair(a, b, weighting, min(min_length, _LONGEST_WINDOW))
    return find_passage_pairs(pair, criteria_for(pair, threshold, min_length))
