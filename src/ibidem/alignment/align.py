"""``align``: the pairs of similar passages of two texts, found on the tokens themselves.

This module is the public face. It makes tokens and weights, has the pairs found
(:mod:`ibidem.alignment.passage_pairs`), and recomputes the exact similarity of each on its tokens.
"""

from collections.abc import Mapping
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.alignment.passage_pairs import PassagePairs, criteria_for, find_passage_pairs
from ibidem.alignment.weighted_pair import weigh_pair
from ibidem.arguments import require_fraction
from ibidem.results import Alignments
from ibidem.similarity import containment, jaccard
from ibidem.spans import Alignment
from ibidem.text import Texts, Tokenizer, TokenizerSpec, Tokens, make_tokenizer
from ibidem.token_weights import TokenWeights, WordWeights
from ibidem.weights import DocumentFrequencies, FamilyName, IDFName, TFName, Weighting

__all__ = ["LONGEST_WINDOW", "align", "align_tokens", "default_length", "require_settings"]

_Ids = npt.NDArray[np.uint32]

_Boxes = npt.NDArray[np.int64]
"""Pairs of passages [R, 4]: the half-open range of tokens in the one text, then in the other."""


LONGEST_WINDOW = 32
"""Tokens. In a longer window a short match drowns; from this length on, chance gives few seeds."""

_LEAST_LENGTH = 40
"""Tokens: two or three sentences. A single one that two pages share is often a notice or a title."""


def align(
    a: str,
    b: str,
    *,
    threshold: float = 0.3,
    min_length: int | None = None,
    tokenizer: TokenizerSpec = "words",
    family: FamilyName = "weighted",
    tf: TFName | None = None,
    idf: IDFName | WordWeights | None = None,
    frequencies: DocumentFrequencies | None = None,
    summaries: bool = True,
) -> Alignments:
    """The pairs of similar passages of ``a`` and ``b``, in the order of their places in ``a``.

    By default a word weighs by how rare it is in the two texts together, because a rare word that two passages share
    says more than a common one. The ``similarity`` of a pair is the exact Jaccard similarity of its passages by these
    weights.

    *Which pairs are reported.* The *evidence* of a pair says how surprising it would be to share so much by chance. It
    must be enough for texts of the lengths ``n`` and ``m``: ``ln(10 n m)`` nats. For 1,000 and 3,000 words these are 17
    nats, which is a copy of about 8 words of middling rarity, or 110 words at a similarity of 0.3. Chance is taken as a
    similarity of 0.1. For passages of more than 64 tokens the texts themselves show what chance gives, and a pair must
    pass two more tests: if the rest of the texts shares more than 0.1, this is what chance gives; and half of the
    passage must be more similar to its place in the other text than places there are by chance, by their spread. No two
    pairs of similar passages overlap in both texts.

    *Where passages end.* The ends of a pair move to where its evidence is greatest. An end moves by itself, or both
    left or both right ends move by the same number of tokens, until no move within a window gives more. In passages of
    more than 512 tokens, an end is judged by the evidence of the 512 tokens next to it. A pair stays as it was found
    where its ends would run into another pair, leave its place, fall short of what is asked of a pair, or lose windows
    that are surely similar. So a copy ends where it ends, and a
    passage of which every second word was replaced is one passage from beginning to end. Pairs near each other become
    one pair where that costs no evidence.

    *What is not missed.* Let ``w = min(min_length, 32)``. If two windows of ``w`` tokens have a similarity of 0.65 and
    enough evidence, both have tokens in one reported pair. There is one exception: with a ``min_length`` above 32, the
    pair that they lead to may be shorter than ``min_length``. Tokens without any weight are never similar.

    *What the threshold does.* It filters: the pairs do not depend on it, and those that are less similar are left out.
    So what is found at one threshold is found at every lower one. A passage that is similar by 0.8 as a whole is not
    found at 0.9, though parts of it may be the same word for word. A threshold below 0.3 adds weaker pairs, where there
    is room between the others.

    *Summaries.* A passage may also sum up the other text: most of its words stand somewhere in the other text, though
    no place there is similar to it. Such a pair has the kind ``"summary"``. It consists of the passage and of the whole
    other text, which is at least three times as long. Its ``containment`` is the share of the passage that the other
    text holds, and is compared with the threshold. A summary is reported if its containment stands out from that of all
    other passages of the same length in its own text. There must be three or more of these, so that the common words of
    a long text do not pass for a summary. The words that stand nowhere else in its text must be enough evidence by
    themselves. A summary never hides or replaces a similar pair: those are the same with ``summaries=False``, and a
    similar pair inside a summary is reported beside it.

    If the two texts differ in their tokens, exchanging ``a`` and ``b`` exchanges the sides of the result, and changes
    nothing else.

    Args:
        threshold: the least similarity, of summaries the least containment; above 0 and at most 1.
        min_length: the least length of the longer of the two passages, in tokens; the shorter one may be what is left
            of a long one. If not given, 40 tokens, or more than a quarter of the shorter text if that is less.
        tokenizer: anything that :func:`ibidem.make_tokenizer` takes.
        family: ``"set"``, ``"multiset"`` or ``"weighted"``.
        tf, idf, frequencies: the weights of ``"weighted"``, see :class:`ibidem.Weighting`. A token without weight
            counts for the length only. If no ``frequencies`` are given, they are counted in the two texts, where each
            running token counts as a document, and ``idf`` is ``"smooth"``. ``idf`` may also say what words weigh: a
            dictionary, in which missing words weigh 1, or a function of a word as it stands in the texts.
        summaries: whether passages that sum up the other text are reported.

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
    chosen = make_tokenizer(tokenizer)
    if idf is None or isinstance(idf, str):
        given = _choose_weighting(family, tf, idf, frequencies)
        tokens = chosen.encode(Texts.from_strings([a, b]), offsets=True)
        weighting = given or _count_weights(tokens, tf, idf)
    else:
        _require_own_weights(family, frequencies)
        tokens = chosen.encode(Texts.from_strings([a, b]), offsets=True)
        weighting = Weighting(tf or "raw", weights=_own_weights(idf, chosen, tokens, (a, b)))
    found = align_tokens(tokens, weighting, threshold, min_length, summaries=summaries)
    return Alignments(found, a=a, b=b, tokenizer=chosen)


def require_settings(threshold: float, min_length: int | None) -> None:
    """Raise a ``ValueError`` unless an alignment can be asked for this."""
    require_fraction("threshold", threshold)
    if min_length is not None and min_length < 1:
        raise ValueError(f"min_length must be 1 token or more, not {min_length!r}")


def align_tokens(
    tokens: Tokens, weighting: Weighting, threshold: float, min_length: int | None, *, summaries: bool
) -> list[Alignment]:
    """The result of ``align`` for two texts whose ``tokens``, with offsets, are given."""
    ids_a, ids_b = np.split(tokens.ids, [tokens.bounds[1]])
    shortest = min_length or default_length(len(ids_a), len(ids_b))
    found = _find(ids_a, ids_b, weighting, _Options(threshold, shortest, summaries))
    measured = chain(
        (_measure_similar(tokens, box, weighting) for box in found.similar.tolist()),
        (_measure_summary(tokens, box, weighting) for box in found.summaries.tolist()),
    )
    return sorted((each for each in measured if _strength(each) >= threshold), key=_place)


def default_length(n: int, m: int) -> int:
    """The least length of passages of texts with ``n`` and ``m`` tokens, if none was asked for."""
    return min(_LEAST_LENGTH, 1 + min(n, m) // 4)


def _choose_weighting(
    family: FamilyName, tf: TFName | None, idf: IDFName | None, frequencies: DocumentFrequencies | None
) -> Weighting | None:
    """The weighting asked for; None if it has to be counted in the texts."""
    if family != "weighted" or frequencies is not None or idf == "unary":
        return Weighting.of(family, tf=tf, idf=idf, frequencies=frequencies)
    Weighting.of(family, tf=tf, idf=idf or "smooth", frequencies=DocumentFrequencies([], [], 0))  # the names are known
    return None


def _require_own_weights(family: FamilyName, frequencies: DocumentFrequencies | None) -> None:
    if family != "weighted" or frequencies is not None:
        raise ValueError("weights of one's own are for the family 'weighted', without document frequencies")


def _own_weights(idf: WordWeights, tokenizer: Tokenizer, tokens: Tokens, texts: tuple[str, str]) -> TokenWeights:
    if isinstance(idf, Mapping):
        return TokenWeights.of_words(idf, tokenizer)
    return TokenWeights.of_function(idf, tokens, texts)


def _count_weights(tokens: Tokens, tf: TFName | None, idf: IDFName | None) -> Weighting:
    """Weights by how often each token stands in the texts."""
    distinct, counts = np.unique(tokens.ids, return_counts=True)
    frequencies = DocumentFrequencies(distinct, counts, len(tokens.ids))
    return Weighting.of("weighted", tf=tf, idf=idf or "smooth", frequencies=frequencies)


def _place(found: Alignment) -> tuple[int, int, int, int]:
    return found.a_start, found.a_end, found.b_start, found.b_end


def _strength(found: Alignment) -> float:
    """What is compared with the threshold: the similarity, or the containment of a summary."""
    return found.similarity if found.containment is None else found.containment


def _measure_similar(tokens: Tokens, box: list[int], weighting: Weighting) -> Alignment:
    """A pair of similar passages, with the similarity that its tokens have."""
    in_a, in_b = _passages(tokens, box)
    return Alignment(**_places(tokens, in_a, in_b), similarity=jaccard(tokens.ids[in_a], tokens.ids[in_b], weighting))


def _measure_summary(tokens: Tokens, box: list[int], weighting: Weighting) -> Alignment:
    """A summary and the other text, with the similarity and the containment that their tokens have."""
    in_a, in_b = _passages(tokens, box)
    summary, whole = sorted((tokens.ids[in_a], tokens.ids[in_b]), key=len)
    return Alignment(
        **_places(tokens, in_a, in_b),
        similarity=jaccard(summary, whole, weighting),
        kind="summary",
        containment=containment(summary, whole, weighting),
    )


def _passages(tokens: Tokens, box: list[int]) -> tuple[slice, slice]:
    """The tokens of the two passages, as places in the tokens of both texts."""
    middle = int(tokens.bounds[1])
    return slice(box[0], box[1]), slice(middle + box[2], middle + box[3])


def _places(tokens: Tokens, in_a: slice, in_b: slice) -> dict[str, Any]:
    """Where two passages stand, in code points of their texts."""
    starts, ends = tokens.starts, tokens.ends
    assert starts is not None  # offsets were asked for
    assert ends is not None
    return {
        "a_start": int(starts[in_a.start]),
        "a_end": int(ends[in_a].max()),
        "b_start": int(starts[in_b.start]),
        "b_end": int(ends[in_b].max()),
    }


class _Options(NamedTuple):
    """What the caller wants: the least similarity and length, and whether summaries are wanted."""

    threshold: float
    min_length: int
    summaries: bool


def _find(a: _Ids, b: _Ids, weighting: Weighting, options: _Options) -> PassagePairs:
    """The pairs of passages of the tokens ``a`` and ``b`` that ``align`` reports, in no order."""
    if min(len(a), len(b)) < options.min_length:
        return PassagePairs(np.empty((0, 4), np.int64), np.empty((0, 4), np.int64))
    if (len(a), a.tobytes()) > (len(b), b.tobytes()):
        # Ties are broken by the order of the two texts; one order for both ways of asking makes the answers agree.
        return _find(b, a, weighting, options).exchange()
    pair = weigh_pair(a, b, weighting, min(options.min_length, LONGEST_WINDOW))
    criteria = criteria_for(pair, options.threshold, options.min_length)
    return find_passage_pairs(pair, criteria, summaries=options.summaries)
