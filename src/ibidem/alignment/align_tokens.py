"""The pairs of similar passages of two texts, given as their tokens, and the weights of these.

:mod:`ibidem.alignment.passage_pairs` finds the pairs; the exact similarity of each is computed here.
"""

import math
from collections.abc import Mapping
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from ibidem.alignment.extension import Measures
from ibidem.alignment.ignored import IgnoredTexts, list_texts
from ibidem.alignment.lengths import default_length, window_lengths
from ibidem.alignment.passage_pairs import PassagePairs, criteria_for, find_in_windows
from ibidem.alignment.text_quotations import Quoting, find_new_quotations
from ibidem.alignment.weighted_pair import TF, OrderedPair, weigh_in_order, weigh_texts
from ibidem.arguments import FamilyName, IDFName, TFName
from ibidem.rounding import reaches
from ibidem.similarity import containment, jaccard
from ibidem.spans import Alignment, Ignored
from ibidem.text import Collection, Normalize, Texts, Tokenizer, TokenizerSpec, Tokens, make_tokenizer
from ibidem.text.units import AUTO, WORDS, are_letters, hardly_repeat, suit_texts
from ibidem.token_weights import TokenWeights, WordWeights
from ibidem.weights import DocumentFrequencies, Weighting


class AlignmentOptions(NamedTuple):
    """The options of an alignment, which :func:`ibidem.align` explains."""

    threshold: float
    min_pair_length: int | None
    summaries: bool
    expect: float


def tokenize(
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


def tokenize_in_units(
    texts: tuple[str, str], spec: TokenizerSpec, normalize: Normalize, threshold: float, ignore: Collection
) -> tuple[Tokenizer, Tokens, list[Ignored]]:
    """The tokenizer that is asked for, or that suits two texts, and what ``tokenize`` returns."""
    tokenizer = make_tokenizer(WORDS if spec == AUTO else spec, normalize=normalize)
    tokens, ignored = tokenize(texts, tokenizer, threshold, ignore)
    if spec == AUTO and (hardly_repeat(tokens.ids) or are_letters(tokens)):
        tokenizer = suit_texts(texts, normalize)
        tokens, ignored = tokenize(texts, tokenizer, threshold, ignore)
    return tokenizer, tokens, ignored


def weigh_words(
    tokens: Tokens,
    tokenizer: Tokenizer,
    texts: tuple[str, str],
    family: FamilyName,
    tf: TFName | None,
    idf: IDFName | WordWeights | None,
    frequencies: DocumentFrequencies | None,
) -> Weighting:
    """The weights that the arguments of ``align`` ask for, of the tokens of two texts.

    Raises:
        ValueError: they exclude each other, or the family has no such tf or idf.
    """
    if idf is None or isinstance(idf, str):
        return _choose_weighting(family, tf, idf, frequencies) or _count_weights(tokens, tf, idf)
    _require_own_weights(family, frequencies)
    return Weighting(tf or TF, weights=_own_weights(idf, tokenizer, tokens, texts))


def align_tokens(
    tokens: Tokens,
    weighting: Weighting,
    options: AlignmentOptions,
    *,
    quoting: Quoting | None = None,
    weighed: OrderedPair | None = None,
) -> list[Alignment]:
    """The result of ``align`` for two texts, given as their ``tokens`` with offsets.

    Args:
        quoting: what is a quotation; none is looked for if not given.
        weighed: the two texts, if they are weighed already.
    """
    n, m = np.diff(tokens.bounds).tolist()
    shortest = options.min_pair_length or default_length(n, m)
    if min(n, m) < shortest:
        return []
    windows = window_lengths(n, m, shortest)
    ids_a, ids_b = np.split(tokens.ids, [tokens.bounds[1]])
    if weighed is None:
        weighed = weigh_in_order(ids_a, ids_b, weighting, windows[0])
    pairs, expected = _find_pairs(weighed, windows, shortest, options)
    if quoting is not None:
        texts = (ids_b, ids_a) if weighed.exchanged else (ids_a, ids_b)
        quotations, how_many = find_new_quotations(*texts, pairs.similar, quoting)
        pairs, expected = pairs._replace(similar=np.vstack([pairs.similar, quotations])), expected + how_many
    pairs = pairs.exchange() if weighed.exchanged else pairs
    measured = chain(
        (
            _measure_similar(tokens, *alignment, weighting)
            for alignment in zip(pairs.similar.tolist(), expected, strict=True)
        ),
        (_measure_summary(tokens, box, weighting) for box in pairs.summaries.tolist()),
    )
    return sorted((alignment for alignment in measured if reaches(_strength(alignment), options.threshold)), key=_place)


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


def _find_pairs(
    weighed: OrderedPair, windows: list[int], shortest: int, options: AlignmentOptions
) -> tuple[PassagePairs, list[float]]:
    """The pairs of passages of two texts, in their order, that ``align`` chooses from, in no order.

    Also how many pairs like each of those that are similar chance gives.
    """
    pair = weighed.pair
    criteria = criteria_for(pair, options.threshold, shortest, options.expect)
    measures = Measures(pair)
    pairs = find_in_windows(measures, windows, criteria, summaries=options.summaries)
    evidence = measures.of_boxes(pairs.similar)[:, 0]
    expected = [len(pair.a) * len(pair.b) * math.exp(-nats) for nats in evidence.tolist()]
    return pairs, expected
