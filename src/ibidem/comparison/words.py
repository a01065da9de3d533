"""Corresponding words: the pairs of words of two texts, or of two passages of them."""

import msgspec

from ibidem.comparison.correspondence import correspond
from ibidem.comparison.runs import Kind, TokenRun, cut_runs
from ibidem.comparison.tokenized import TokenizedPair, count_tokens, token_evidence, tokenize_pair, word_tokenizer
from ibidem.spans import Alignment
from ibidem.text import TokenizerSpec, make_tokenizer


class WordPair(msgspec.Struct, frozen=True):
    """A word of one text and its counterpart in the other; half-open ranges of code points, ``None`` for no word.

    ``kind`` is ``equal``, ``changed``, ``inserted``, ``dropped`` or ``moved``. Where several words were changed into
    another number of words, which of them correspond is not known: each has a row of its own without a partner.
    A word among changed ones that the other text has at the same place is ``equal``.
    """

    kind: Kind
    a: tuple[int, int] | None
    b: tuple[int, int] | None


def align_words(a: str, b: str, pair: Alignment | None = None, *, tokenizer: TokenizerSpec = "words") -> list[WordPair]:
    """Pair every word of two texts, or of a pair of passages of them, with its counterpart.

    Args:
        pair: a result of :func:`ibidem.align` on the two texts; the whole texts if not given.
        tokenizer: anything that :func:`ibidem.make_tokenizer` takes. Of shingles the tokens inside are aligned.

    >>> for pair in align_words("a cat sat", "one cat sat down"):
    ...     print(pair.kind, pair.a, pair.b)
    changed (0, 1) (0, 3)
    equal (2, 5) (4, 7)
    equal (6, 9) (8, 11)
    inserted None (12, 16)
    """
    word_splitter = word_tokenizer(make_tokenizer(tokenizer))
    a_start, a_end, b_start, b_end = (0, len(a), 0, len(b)) if pair is None else _ranges(pair)
    tokens = tokenize_pair(a[a_start:a_end], b[b_start:b_end], word_splitter)
    correspondence = correspond(
        tokens.a, tokens.b, token_evidence(tokens.vocabulary, count_tokens([a, b], word_splitter))
    )
    in_a, in_b = (tokens.a_places + a_start).tolist(), (tokens.b_places + b_start).tolist()
    return [
        WordPair(_kind(run, tokens, i, j), None if i is None else tuple(in_a[i]), None if j is None else tuple(in_b[j]))
        for run in cut_runs(correspondence, len(tokens.b))
        for i, j in _pairs(run)
    ]


def _ranges(pair: Alignment) -> tuple[int, int, int, int]:
    return pair.a_start, pair.a_end, pair.b_start, pair.b_end


def _kind(run: TokenRun, tokens: TokenizedPair, i: int | None, j: int | None) -> Kind:
    """The kind of a run; ``equal`` for the same word in a run of changed ones, which by itself would be chance."""
    same = i is not None and j is not None and tokens.a[i] == tokens.b[j]
    return "equal" if same and run.kind == "changed" else run.kind


def _pairs(run: TokenRun) -> list[tuple[int | None, int | None]]:
    """The tokens of a run beside each other."""
    in_a, in_b = range(run.a_first, run.a_last), range(run.b_first, run.b_last)
    if len(in_a) == len(in_b):
        return list(zip(in_a, in_b, strict=True))
    return [*((i, None) for i in in_a), *((None, j) for j in in_b)]
