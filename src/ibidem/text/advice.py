"""Advice on settings for texts, from a sample of them.

A normalization is advised if two spellings that it makes the same both occur, or marks of it do: a ``v`` before a
consonant, a word cut at the end of a line, digits between letters. This needs no language and no list of words, and the
reason can be shown.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from ibidem.text.normalization.chain import Normalization

_SAMPLE = 1_000_000
"""Code points of a text that are examined."""

_LETTERS = {
    "latin": "",
    "greek": "[\u0370-\u03ff\u1f00-\u1fff]",
    "hebrew": "[\u0590-\u05ff]",
    "arabic-light": "[\u0600-\u06ff\ufb50-\ufefc]",
    "cjk": "[\u3400-\u9fff]",
    "digits": "",
    "compatibility": "",
}
"""The normalizations that may be advised, and a letter that the words in question have. Accents are none of them: with
and without one, two words of French or German are often different ones."""

_LEAST_SHARE = 0.005
"""The least share of words that have another spelling, for a normalization to be worth its losses."""

_LEAST_NOISE = 0.005
_LEAST_CUT = 0.02

_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_][\w\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]*")
_CUT = re.compile(r"[^\W\d_][-‐¬⸗][ \t]*\r?\n[ \t]*[^\W\d_]")
_OLD_LATIN = re.compile(r"v[bcdfgmnpqstx]|.*ſ")
_MISREAD = re.compile(r"[^\W\d_]\d[^\W\d_]|\d[^\W\d_]\d")


class Advice(NamedTuple):
    """The options that suit some texts.

    Attributes:
        documents: how many texts were examined.
        options: the options of a command, in the order in which to write them.
        reasons: a sentence for each, and one if there is none.
    """

    documents: int
    options: list[str]
    reasons: list[str]


def advise_texts(texts: Iterable[str]) -> Advice:
    """The settings that suit ``texts``, of which the first million code points are examined.

    >>> advise_texts(["Vbi est ubi? " * 50]).options
    ['--normalize latin']
    """
    sample = _take(texts)
    words = Counter(word.lower() for text in sample for word in _WORD.findall(text))
    number = max(1, words.total())
    names, reasons = [], []
    for name, letters in _LETTERS.items():
        share, pair = _respelled({word: words[word] for word in words if re.search(letters, word)}, name)
        if share >= _LEAST_SHARE:
            names.append(name)
            reasons.append(
                f"{name}: {share:.1%} of the words have another spelling, such as {pair[0]} beside {pair[1]}"
            )
    old = Counter({word: count for word, count in words.items() if _OLD_LATIN.match(word)})
    if "latin" not in names and old.total() >= _LEAST_SHARE * number:
        names.append("latin")
        share = old.total() / number
        reasons.append(
            f"latin: {share:.1%} of the words are spelled as in old prints, such as {old.most_common(1)[0][0]}"
        )
    lines = max(1, sum(text.count("\n") for text in sample))
    broken_lines = sum(len(_CUT.findall(text)) for text in sample)
    if broken_lines >= _LEAST_CUT * lines:
        names.append("hyphens")
        reasons.append(f"hyphens: {broken_lines / lines:.1%} of the lines end inside of a word")
    misread = sum(count for word, count in words.items() if _MISREAD.search(word))
    if misread >= _LEAST_NOISE * number:
        names.append("noisy")
        reasons.append(f"noisy: {misread / number:.1%} of the words have digits between letters")
    options = [f"--normalize {','.join(names)}"] if names else []
    return Advice(
        len(sample), options, reasons or ["the default settings: no word has two spellings that a name covers"]
    )


def _take(texts: Iterable[str]) -> list[str]:
    sample, room = [], _SAMPLE
    for text in texts:
        sample.append(text[:room])
        room -= len(sample[-1])
        if room <= 0:
            break
    return sample


def _respelled(words: dict[str, int], name: str) -> tuple[float, tuple[str, str]]:
    """The share of words with a more frequent spelling that ``name`` makes the same, and the commonest such pair."""
    chain, plain = Normalization((name,)), Normalization(())
    spellings: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for word, count in words.items():
        spellings[chain.apply(word)][plain.apply(word)] += count
    rarer, best = 0, (0, ("", ""))
    for counts in spellings.values():
        if len(counts) > 1:
            (first, _), (second, most), *_ = by_frequency = counts.most_common()
            rarer += sum(count for _, count in by_frequency[1:])
            best = max(best, (most, (second, first)))
    return rarer / max(1, sum(words.values())), best[1]
