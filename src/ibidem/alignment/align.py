"""``align``: the pairs of similar passages of two texts, found on the tokens themselves.

This module is the entry point. It makes tokens and weights, calls :mod:`ibidem.alignment.passage_pairs` to find the
pairs, and computes the exact similarity of each pair from its tokens.
"""

import math
from collections.abc import Mapping
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from ibidem.alignment.extension import Measures
from ibidem.alignment.ignored import IgnoredTexts, list_texts
from ibidem.alignment.lengths import EXPECT, default_length, window_lengths
from ibidem.alignment.passage_pairs import PassagePairs, criteria_for, find_in_windows
from ibidem.alignment.weighted_pair import TF, OrderedPair, weigh_in_order, weigh_texts
from ibidem.arguments import FamilyName, IDFName, TFName, require_fraction
from ibidem.results import Alignments
from ibidem.similarity import containment, jaccard
from ibidem.spans import Alignment, Ignored
from ibidem.text import Collection, Normalize, Texts, Tokenizer, TokenizerSpec, Tokens, make_tokenizer
from ibidem.token_weights import TokenWeights, WordWeights
from ibidem.weights import DocumentFrequencies, Weighting


def align(
    a: str,
    b: str,
    *,
    threshold: float = 0.3,
    min_pair_length: int | None = None,
    tokenizer: TokenizerSpec = "words",
    normalize: Normalize = (),
    family: FamilyName = "weighted",
    tf: TFName | None = None,
    idf: IDFName | WordWeights | None = None,
    frequencies: DocumentFrequencies | None = None,
    summaries: bool = True,
    expect: float = EXPECT,
    ignore: Collection = (),
) -> Alignments:
    """Find the pairs of similar passages of ``a`` and ``b``, in the order of their positions in ``a``.

    A shared rare word says more than a shared common one, so by default a word weighs the more, the rarer it is in the
    two texts together. The ``similarity`` of a pair is the exact Jaccard similarity of its passages by these weights.

    A pair is reported if chance does not give it. Its ``expected`` is the number of pairs that share as much by chance
    in two unrelated texts of these lengths; it must be ``expect`` or less. A pair must also stand out from what the two
    texts share anyhow, as texts of one author, form or programming language do. Its ends are where the evidence is
    greatest. No two pairs of similar passages overlap in both texts. From 0.3 on, ``threshold`` only filters; below,
    weaker pairs are added. A lower ``min_pair_length`` adds shorter pairs, too.

    A pair of the kind ``"summary"`` is a passage whose words come from everywhere in the other text, or in a longer
    place of it, without being similar to any; its other side is that whole text, or that place. The threshold is for
    its ``containment``, the share of the passage that the other side holds.

    Exchanging ``a`` and ``b`` exchanges the sides of the result, and changes nothing else. The guide has the rules, and
    what is not missed ("How passages are found").

    Args:
        threshold: the least similarity, or for a summary the least containment; above 0 and at most 1.
        min_pair_length: the least length of the longer passage of a pair, in tokens. The other one may be shorter,
            as when most of a long passage was left out. If not given, 40, or just over a quarter of the shorter text
            if that is less.
        tokenizer: anything that :func:`ibidem.make_tokenizer` takes.
        normalize: names of normalizations, as :func:`ibidem.make_tokenizer` takes them.
        family: ``"set"``, ``"multiset"`` or ``"weighted"``.
        tf, idf, frequencies: the weights of ``"weighted"``; see :class:`ibidem.Weighting`. A token without weight
            counts towards lengths only. If ``frequencies`` are not given, they are counted in the two texts, as if each
            occurrence of a token were a document. If ``tf`` and ``idf`` are not given, they are ``"logarithmic"`` and
            ``"smooth"``; so similarity is that of ``Weighting.of("weighted", tf="logarithmic", idf="smooth",
            frequencies=...)``. ``idf`` may also give
            the weights of words: as a dictionary, in which missing words weigh 1, or as a function of a word as it is
            spelt in the texts.
        summaries: whether to report passages that sum up the other text, or a longer place of it.
        expect: how many pairs chance may give. With 0.1, two unrelated texts have a false one about once in ten times
            if their words are independent; a smaller number asks for more evidence.
        ignore: texts, as :func:`ibidem.find_reuse` takes them. Passages of ``a`` and ``b`` that are similar to one of
            them count as absent, and are listed in ``ignored`` of the result.

    Raises:
        ValueError: an argument is out of its range, or a name is unknown.

    >>> a = "As Jaques put it: all the world is a stage and all the men and women merely players. Nobody laughed."
    >>> b = "All the world is a stage, and all the men and women are merely players! So Shakespeare wrote."
    >>> [pair] = align(a, b, min_pair_length=8)
    >>> a[pair.a_start : pair.a_end]
    'all the world is a stage and all the men and women merely players'
    >>> b[pair.b_start : pair.b_end]
    'All the world is a stage, and all the men and women are merely players'
    >>> round(pair.similarity, 3)
    0.911
    """
    require_settings(threshold, min_pair_length, expect)
    text_tokenizer = make_tokenizer(tokenizer, normalize=normalize)
    if idf is None or isinstance(idf, str):
        chosen_weighting = _choose_weighting(family, tf, idf, frequencies)
        tokens, ignored = _tokenize((a, b), text_tokenizer, threshold, ignore)
        weighting = chosen_weighting or _count_weights(tokens, tf, idf)
    else:
        _require_own_weights(family, frequencies)
        tokens, ignored = _tokenize((a, b), text_tokenizer, threshold, ignore)
        weighting = Weighting(tf or TF, weights=_own_weights(idf, text_tokenizer, tokens, (a, b)))
    alignments = align_tokens(tokens, weighting, threshold, min_pair_length, summaries, expect)
    return Alignments(alignments, a=a, b=b, tokenizer=text_tokenizer, ignored=ignored)


def _tokenize(
    texts: tuple[str, str], tokenizer: Tokenizer, threshold: float, ignore: Collection
) -> tuple[Tokens, list[Ignored]]:
    """The tokens of two texts without those that count as absent, and these."""
    tokens = tokenizer.encode(Texts.from_strings(texts), offsets=True)
    ignored_texts = list_texts(ignore)
    return (
        IgnoredTexts(ignored_texts, tokenizer).take_out(tokens, threshold, ("a", "b"))
        if ignored_texts
        else (tokens, [])
    )


def require_settings(threshold: float, min_pair_length: int | None, expect: float = EXPECT) -> None:
    """Raise a ``ValueError`` unless an alignment can have these settings."""
    if not 0 < expect < math.inf:
        raise ValueError(f"expect must be a number above 0, not {expect!r}")
    require_fraction("threshold", threshold)
    if min_pair_length is not None and min_pair_length < 1:
        raise ValueError(f"min_pair_length must be 1 token or more, not {min_pair_length!r}")


def align_tokens(
    tokens: Tokens,
    weighting: Weighting,
    threshold: float,
    min_pair_length: int | None,
    summaries: bool,
    expect: float,
    *,
    weighed: OrderedPair | None = None,
) -> list[Alignment]:
    """The result of ``align`` for two texts, given as their ``tokens`` with offsets, and as ``weighed`` if they are."""
    n, m = np.diff(tokens.bounds).tolist()
    shortest = min_pair_length or default_length(n, m)
    if min(n, m) < shortest:
        return []
    windows = window_lengths(n, m, shortest)
    if weighed is None:
        ids_a, ids_b = np.split(tokens.ids, [tokens.bounds[1]])
        weighed = weigh_in_order(ids_a, ids_b, weighting, windows[0])
    pairs, expected = _find(weighed, windows, _Options(threshold, shortest, summaries, expect))
    measured = chain(
        (
            _measure_similar(tokens, *alignment, weighting)
            for alignment in zip(pairs.similar.tolist(), expected, strict=True)
        ),
        (_measure_summary(tokens, box, weighting) for box in pairs.summaries.tolist()),
    )
    return sorted((alignment for alignment in measured if _strength(alignment) >= threshold), key=_place)


def _choose_weighting(
    family: FamilyName, tf: TFName | None, idf: IDFName | None, frequencies: DocumentFrequencies | None
) -> Weighting | None:
    """The weighting that the arguments ask for; ``None`` if its frequencies must be counted in the texts."""
    if frequencies is not None and (family != "weighted" or idf == "unary"):
        raise ValueError("frequencies are behind an idf of the family 'weighted': leave them out")
    if family != "weighted":
        return Weighting.of(family, tf=tf, idf=idf)
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
    return weigh_texts(tokens.ids, tf or TF, idf or "smooth")


def _place(alignment: Alignment) -> tuple[int, int, int, int]:
    return alignment.a_start, alignment.a_end, alignment.b_start, alignment.b_end


def _strength(alignment: Alignment) -> float:
    """Return the value that is compared with the threshold: the similarity, or the containment of a summary."""
    return alignment.similarity if alignment.containment is None else alignment.containment


def _measure_similar(tokens: Tokens, box: list[int], expected: float, weighting: Weighting) -> Alignment:
    """A pair of similar passages, with its exact similarity."""
    in_a, in_b = _passages(tokens, box)
    similarity = jaccard(tokens.ids[in_a], tokens.ids[in_b], weighting)
    return Alignment(**_places(tokens, in_a, in_b), similarity=similarity, expected=expected)


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
    """The caller's options: the least similarity and length, whether to report summaries, and how much chance."""

    threshold: float
    min_pair_length: int
    summaries: bool
    expect: float


def _find(weighed: OrderedPair, windows: list[int], options: _Options) -> tuple[PassagePairs, list[float]]:
    """The pairs of passages of two texts that ``align`` chooses from, in no order.

    Also how many pairs like each of those that are similar chance gives.
    """
    pair = weighed.pair
    criteria = criteria_for(pair, options.threshold, options.min_pair_length, options.expect)
    measures = Measures(pair)
    pairs = find_in_windows(measures, windows, criteria, summaries=options.summaries)
    evidence = measures.of_boxes(pairs.similar)[:, 0]
    expected = [len(pair.a) * len(pair.b) * math.exp(-nats) for nats in evidence.tolist()]
    return pairs.exchange() if weighed.exchanged else pairs, expected
