"""``align``: the pairs of similar passages of two texts, found on the tokens themselves.

This module is the entry point. It makes tokens and weights, calls :mod:`ibidem.alignment.passage_pairs` to find the
pairs, and computes the exact similarity of each pair from its tokens.
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

__all__ = ["LONGEST_WINDOW", "TF", "align", "align_tokens", "default_length", "require_settings"]

_Ids = npt.NDArray[np.uint32]

LONGEST_WINDOW = 32
"""The greatest length of a window, in tokens. A longer one would hide a short match; a shorter one, more often similar
by chance, gives more seeds."""

TF: TFName = "logarithmic"
"""The default of ``tf``. A passage repeats a word because of what it is about, so the second ``self`` or "said he" that
two passages share is less of a surprise than the first (decision 78)."""

_LEAST_LENGTH = 40
"""The default of ``min_length``, in tokens: two or three sentences. A single shared sentence is often a notice or a
title."""


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
    """The pairs of similar passages of ``a`` and ``b``, in the order of their positions in ``a``.

    By default, a word has a greater weight the rarer it is in the two texts together, because a shared rare word says
    more than a shared common one, and each repetition of it in a passage adds less than the one before. The
    ``similarity`` of a pair is the exact Jaccard similarity of its two passages under these weights.

    *Which pairs are reported.* The *evidence* of a pair, in nats, measures how surprising it would be to share so much
    by chance. Chance is taken as a similarity of 0.1. In texts of ``n`` and ``m`` tokens, a pair needs evidence of
    ``ln(10 n m)`` or more. For 1,000 and 3,000 words this is 17 nats, the evidence of an exact copy of about 8 words of
    middling rarity, or of 110 words at a similarity of 0.3. Unless a pair has a similarity of 0.65, a part of this
    evidence, 0.85, must be left if each word of a passage counts once, and counts less the more often it follows the
    word before it elsewhere in the two texts. No two pairs of similar passages overlap in both texts.

    If both passages have more than 64 tokens, the pair must also pass two tests against the texts themselves:

    - The evidence must still be enough where chance is measured instead of taken as 0.1. Chance is then the similarity
      of a passage to as many tokens drawn from the unrelated rest of the other text, if that is more than 0.1.
    - The shorter passage is cut into parts of 64 tokens. At least half of the parts that are examined must each be far
      more similar to a place in the other passage than to the other places of that text, or have a similarity of 0.65
      to it. How far is measured by the spread of the similarities to the other places.

    *Where passages end.* The ends of a pair move to where its evidence is greatest. One end moves alone, or both left
    ends or both right ends move by the same number of tokens, until no move within a window gives more evidence. In a
    passage of more than 512 tokens, only the 512 tokens next to an end decide where it goes; where these would send it
    to and fro for ever, the longer passages are taken. So a copy ends where the copying ends, and a passage in which
    every second word was replaced is one pair from beginning to end. Pairs near each other are joined where that costs
    no evidence. A pair with enough evidence that ends up shorter than ``min_length`` is lengthened to it, where its
    evidence is greatest, unless it has a similarity of 0.65: a short copy is all there is, but a rewriting fades out.
    In four cases a pair keeps the ends with which it was found: after the move, it would overlap another pair, no
    longer overlap the place where it was found, no longer meet what is asked of a pair, or lose windows that are surely
    similar.

    *What is not missed.* Let ``w = min(min_length, 32)``. If two windows of ``w`` tokens have a similarity of 0.65 or
    more and enough evidence, one pair has tokens of both windows, and is reported at every threshold up to 0.3. There
    is one exception: with a ``min_length`` above 32, that pair may be shorter than ``min_length``, and then is left
    out. Tokens without any weight are never similar.

    *What the threshold does.* From 0.3 on, it only filters: the pairs that are found do not depend on it, and those
    that are less similar are left out. A pair with a similarity of 0.8 as a whole is left out at 0.9, even if parts of
    it are the same word for word. A threshold below 0.3 adds weaker pairs where they overlap no other pair. So whatever
    is reported at one threshold is reported at every lower one, too.

    *Summaries.* A passage can also sum up the other text: most of its words occur somewhere in the other text, but no
    single place there is similar to it. Such a pair has the kind ``"summary"``. It consists of the passage and the
    whole other text, which is at least three times as long. Its ``containment`` is the share of the passage, by weight,
    that the other text holds; this is compared with the threshold. Two conditions keep the common words of a long text
    from passing for a summary. First, the containment must stand out from that of all other passages of the same length
    in its own text, which must be at least four times as long as the summary. Second, the words that occur nowhere else
    in its own text must be enough evidence by themselves, and so must all words without those of the one similar
    passage that holds most of them: a copy of one place is no summary, copies of several places are. Summaries never
    change the similar pairs: these are the same with ``summaries=False``, and a similar pair inside a summary is
    reported beside it.

    If the two texts differ in their tokens, exchanging ``a`` and ``b`` exchanges the sides of the result, and changes
    nothing else.

    Args:
        threshold: the least similarity, or for a summary the least containment; above 0 and at most 1.
        min_length: the least length of the longer passage of a pair, in tokens. The shorter passage may be shorter, as
            when most of a long passage was left out. If not given, 40, or just over a quarter of the shorter text if
            that is less.
        tokenizer: anything that :func:`ibidem.make_tokenizer` takes.
        family: ``"set"``, ``"multiset"`` or ``"weighted"``.
        tf, idf, frequencies: the weights of ``"weighted"``; see :class:`ibidem.Weighting`. A token without weight
            counts towards lengths only. If ``frequencies`` are not given, they are counted in the two texts, as if each
            occurrence of a token were a document. If ``tf`` and ``idf`` are not given, they are ``"logarithmic"`` and
            ``"smooth"``; so similarity is that of ``Weighting.of("weighted", tf="logarithmic", idf="smooth",
            frequencies=...)``. ``idf`` may also give
            the weights of words: as a dictionary, in which missing words weigh 1, or as a function of a word as it is
            spelt in the texts.
        summaries: whether to report passages that sum up the other text.

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
    0.911
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
        weighting = Weighting(tf or TF, weights=_own_weights(idf, chosen, tokens, (a, b)))
    found = align_tokens(tokens, weighting, threshold, min_length, summaries=summaries)
    return Alignments(found, a=a, b=b, tokenizer=chosen)


def require_settings(threshold: float, min_length: int | None) -> None:
    """Raise a ``ValueError`` unless an alignment can have these settings."""
    require_fraction("threshold", threshold)
    if min_length is not None and min_length < 1:
        raise ValueError(f"min_length must be 1 token or more, not {min_length!r}")


def align_tokens(
    tokens: Tokens, weighting: Weighting, threshold: float, min_length: int | None, *, summaries: bool
) -> list[Alignment]:
    """The result of ``align`` for two texts, given as their ``tokens`` with offsets."""
    ids_a, ids_b = np.split(tokens.ids, [tokens.bounds[1]])
    shortest = min_length or default_length(len(ids_a), len(ids_b))
    found = _find(ids_a, ids_b, weighting, _Options(threshold, shortest, summaries))
    measured = chain(
        (_measure_similar(tokens, box, weighting) for box in found.similar.tolist()),
        (_measure_summary(tokens, box, weighting) for box in found.summaries.tolist()),
    )
    return sorted((each for each in measured if _strength(each) >= threshold), key=_place)


def default_length(n: int, m: int) -> int:
    """The default of ``min_length`` for texts with ``n`` and ``m`` tokens."""
    return min(_LEAST_LENGTH, 1 + min(n, m) // 4)


def _choose_weighting(
    family: FamilyName, tf: TFName | None, idf: IDFName | None, frequencies: DocumentFrequencies | None
) -> Weighting | None:
    """The weighting that the arguments ask for; ``None`` if its frequencies must be counted in the texts."""
    if family != "weighted":
        return Weighting.of(family, tf=tf, idf=idf, frequencies=frequencies)
    if frequencies is not None or idf == "unary":
        return Weighting.of(family, tf=tf or TF, idf=idf, frequencies=frequencies)
    Weighting.of(family, tf=tf, idf=idf or "smooth", frequencies=DocumentFrequencies([], [], 0))  # checks the names
    return None


def _require_own_weights(family: FamilyName, frequencies: DocumentFrequencies | None) -> None:
    if family != "weighted" or frequencies is not None:
        raise ValueError("a dictionary or function as idf needs family 'weighted', and takes no document frequencies")


def _own_weights(idf: WordWeights, tokenizer: Tokenizer, tokens: Tokens, texts: tuple[str, str]) -> TokenWeights:
    if isinstance(idf, Mapping):
        return TokenWeights.of_words(idf, tokenizer)
    return TokenWeights.of_function(idf, tokens, texts)


def _count_weights(tokens: Tokens, tf: TFName | None, idf: IDFName | None) -> Weighting:
    """Weights that follow from how often each token occurs in the two texts."""
    distinct, counts = np.unique(tokens.ids, return_counts=True)
    frequencies = DocumentFrequencies(distinct, counts, len(tokens.ids))
    return Weighting.of("weighted", tf=tf or TF, idf=idf or "smooth", frequencies=frequencies)


def _place(found: Alignment) -> tuple[int, int, int, int]:
    return found.a_start, found.a_end, found.b_start, found.b_end


def _strength(found: Alignment) -> float:
    """What is compared with the threshold: the similarity, or the containment of a summary."""
    return found.similarity if found.containment is None else found.containment


def _measure_similar(tokens: Tokens, box: list[int], weighting: Weighting) -> Alignment:
    """A pair of similar passages, with its exact similarity."""
    in_a, in_b = _passages(tokens, box)
    return Alignment(**_places(tokens, in_a, in_b), similarity=jaccard(tokens.ids[in_a], tokens.ids[in_b], weighting))


def _measure_summary(tokens: Tokens, box: list[int], weighting: Weighting) -> Alignment:
    """A summary and the other text, with their exact similarity and containment."""
    in_a, in_b = _passages(tokens, box)
    summary, whole = sorted((tokens.ids[in_a], tokens.ids[in_b]), key=len)
    return Alignment(
        **_places(tokens, in_a, in_b),
        similarity=jaccard(summary, whole, weighting),
        kind="summary",
        containment=containment(summary, whole, weighting),
    )


def _passages(tokens: Tokens, box: list[int]) -> tuple[slice, slice]:
    """The positions of the two passages in ``tokens``, which holds both texts one after the other."""
    middle = int(tokens.bounds[1])
    return slice(box[0], box[1]), slice(middle + box[2], middle + box[3])


def _places(tokens: Tokens, in_a: slice, in_b: slice) -> dict[str, Any]:
    """Where each of two passages starts and ends, in code points of its text."""
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
    """What the caller chose: the least similarity, the least length, and whether to report summaries."""

    threshold: float
    min_length: int
    summaries: bool


def _find(a: _Ids, b: _Ids, weighting: Weighting, options: _Options) -> PassagePairs:
    """The pairs of passages of the tokens ``a`` and ``b`` that ``align`` chooses from, in no order."""
    if min(len(a), len(b)) < options.min_length:
        return PassagePairs(np.empty((0, 4), np.int64), np.empty((0, 4), np.int64))
    if (len(a), a.tobytes()) > (len(b), b.tobytes()):
        # The order of the two texts breaks ties. A fixed order gives the same pairs for (a, b) and (b, a).
        return _find(b, a, weighting, options).exchange()
    pair = weigh_pair(a, b, weighting, min(options.min_length, LONGEST_WINDOW))
    criteria = criteria_for(pair, options.threshold, options.min_length)
    return find_passage_pairs(pair, criteria, summaries=options.summaries)
