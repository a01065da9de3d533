"""``align``: the pairs of similar passages of two texts, found on the tokens themselves.

The help of a command reads this file, so what is costly to load is loaded where it is used.
"""

import warnings
from typing import TYPE_CHECKING

from ibidem import options
from ibidem.alignment.lengths import EXPECT, default_length, require_settings
from ibidem.arguments import FamilyName, IDFName, TFName

if TYPE_CHECKING:
    from ibidem.evidence.null_model import NullModel
    from ibidem.results import Alignments
    from ibidem.text import Collection, Normalize
    from ibidem.token_weights import WordWeights
    from ibidem.weights import DocumentFrequencies


def align(
    a: str,
    b: str,
    *,
    threshold: options.PairThreshold = 0.3,
    min_pair_length: options.MinPairLength = None,
    expect: options.Expect = EXPECT,
    summaries: options.Summaries = True,
    tokenizer: options.Tokenizer = "auto",
    normalize: "Normalize" = (),
    family: FamilyName = "weighted",
    tf: TFName | None = None,
    idf: "IDFName | WordWeights | None" = None,
    frequencies: "DocumentFrequencies | None" = None,
    null_model: "NullModel | None" = None,
    ignore: "Collection" = (),
) -> "Alignments":
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
            if that is less, a twelfth where tokens are runs of characters; in any case 3.
        tokenizer: anything that :func:`ibidem.make_tokenizer` takes. ``"auto"`` is words, or runs of characters if the
            two texts hardly ever have a word twice, or their words are single letters of a small alphabet;
            ``tokenizer`` of the result is what was taken.
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
        null_model: what texts like these share by chance, learnt from a collection of them; from the two texts alone
            if not given, which shows less.
        expect: how many pairs chance may give. With 0.1, two unrelated texts have a false one about once in ten times
            if their words are independent; a smaller number asks for more evidence.
        ignore: texts, as :func:`ibidem.find_reuse` takes them. Passages of ``a`` and ``b`` that are similar to one of
            them count as absent, and are listed in ``ignored`` of the result.

    Warns:
        UserWarning: a text has no token, or neither is as long as ``min_pair_length``.

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
    from ibidem.alignment.align_tokens import AlignmentOptions, align_tokens, tokenize_in_units, weigh_words
    from ibidem.alignment.text_quotations import Quoting
    from ibidem.results import Alignments
    from ibidem.text.units import find_least_part

    require_settings(threshold, min_pair_length, expect)
    text_tokenizer, tokens, ignored = tokenize_in_units((a, b), tokenizer, normalize, threshold, ignore)
    weighting = weigh_words(tokens, text_tokenizer, (a, b), family, tf, idf, frequencies)
    n, m = (tokens.bounds[1:] - tokens.bounds[:-1]).tolist()
    if not ignored:
        _warn_of_nothing(n, m, min_pair_length)
    shortest = min_pair_length or default_length(n, m, find_least_part(text_tokenizer))
    chosen = AlignmentOptions(threshold, shortest, summaries, expect)
    quoting = Quoting.of_texts(expect, min_pair_length, null_model)
    alignments = align_tokens(tokens, weighting, chosen, quoting=quoting)
    return Alignments(alignments, a=a, b=b, tokenizer=text_tokenizer, ignored=ignored)


def _warn_of_nothing(n: int, m: int, min_pair_length: int | None) -> None:
    """Warn if texts of ``n`` and ``m`` tokens can have no passage in common."""
    if not n or not m:
        names = [name for name, length in (("first", n), ("second", m)) if not length]
        warnings.warn(f"nothing can be found: no token is in the {' and the '.join(names)} text", stacklevel=3)
    elif min_pair_length is not None and max(n, m) < min_pair_length:
        warnings.warn(
            f"neither text is as long as a passage: the longer has {max(n, m):,} tokens, and min_pair_length is "
            f"{min_pair_length:,}",
            stacklevel=3,
        )
