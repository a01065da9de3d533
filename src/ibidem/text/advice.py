"""Advice on settings for texts, from a sample of them.

A normalization is advised if two spellings that it makes the same both occur, or marks of it do: a ``v`` before a
consonant, a word cut at the end of a line, digits or signs between letters. This needs no language and no list of
words, and the reason can be shown.
"""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ibidem.text.normalization.chain import Normalization

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

_LEAST_SIGNS = 0.0003
"""The least share of words with a sign inside. Signs that program and markup use everywhere are not counted."""

_FEWEST_SIGNS = 3

_MOST_CODE = 0.2
"""Signs of programs and markup for each word, at most, in prose."""

_LEAST_CUT = 0.02

_LONGEST_EXAMPLE = 30

_PIECE = 10_000
"""Code points of a text that are in a sample or not."""

_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_][\w\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]*")
_CUT = re.compile(r"[^\W\d_][-‐¬⸗][ \t]*\r?\n[ \t]*[^\W\d_]")
_OLD_LATIN = re.compile(r"v[bcdfgmnpqstx]|.*ſ")
_MISREAD = re.compile(r"[^\W\d_]\d[^\W\d_]|\d[^\W\d_]\d")


_LETTER = r"[^\W\d_\u0590-\u08ff\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3000-\u9fff\uac00-\ud7af\uf900-\ufdff]"
"""A letter of a script whose words have no sign inside, however they are written."""

_SIGN = re.compile(rf"(?<={_LETTER}{_LETTER})[«»‹›„“”°§£€¥¢©®™†‡•■□▪♦◆●○¦¬^~]+(?={_LETTER})")
_CODE = re.compile(r"[(){}\[\]=;+*/<>_\\|]")


class Advice(NamedTuple):
    """The options that suit some texts.

    Attributes:
        documents: how many texts were examined.
        options: the options of a command, in the order in which to write them.
        reasons: a sentence for each, and one if there is none.
        is_misread: whether machines have read the texts, and misread many of their words.
    """

    documents: int
    options: list[str]
    reasons: list[str]
    is_misread: bool = False


def advise_texts(texts: Iterable[str]) -> Advice:
    """The settings that suit ``texts``, such as a sample of a collection has.

    >>> advise_texts(["Vbi est ubi? " * 50]).options
    ['--normalize latin']
    """
    sample = list(texts)
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
    noise = describe_noise(sample)
    if noise:
        names.append("noisy")
        reasons.append(f"noisy: {noise}")
    options = [f"--normalize {','.join(names)}"] if names else []
    default = ["the default settings: no word has two spellings that a name covers"]
    return Advice(len(sample), options, reasons or default, bool(noise))


def thin_texts(texts: Iterable[str], size: int = 1_000_000) -> list[str]:
    """About ``size`` code points of texts, from half as many on, by chance from the first to the last, in order.

    Each piece draws a number, always the same one, and those below a share stay; the share is halved where they become
    too many. Every n-th piece would be the same edition where those of two take turns.
    """
    generator, share, length = random.Random(0), 1.0, 0
    sample: list[tuple[float, str]] = []
    for text in texts:
        for first in range(0, max(1, len(text)), _PIECE):
            draw = generator.random()
            if draw < share:
                sample.append((draw, text[first : first + _PIECE]))
                length += len(sample[-1][1])
            while length > size and len(sample) > 1:
                share /= 2
                sample = [drawn for drawn in sample if drawn[0] < share] or sample[:1]
                length = sum(len(piece) for _, piece in sample)
    return [piece for _, piece in sample]


def describe_noise(texts: Sequence[str]) -> str:
    """Describe the marks of a machine that misread ``texts``: digits or signs between letters; nothing without them.

    >>> describe_noise(["ein tü‹htig«r und br^ver Mann, »der wo»l wußte"])
    '33.33% of the words have signs inside, such as tü‹htig«r'
    """
    words = Counter(word.lower() for text in texts for word in _WORD.findall(text))
    number = max(1, words.total())
    misread = sum(count for word, count in words.items() if _MISREAD.search(word))
    if misread >= _LEAST_NOISE * number:
        return f"{misread / number:.1%} of the words have digits between letters"
    places = [(text, match) for text in texts for match in _SIGN.finditer(text)]
    signs = len({(text[match.start() - 3 : match.end() + 3]) for text, match in places})
    code = sum(len(_CODE.findall(text)) for text in texts)
    if signs < _FEWEST_SIGNS or len(places) < _LEAST_SIGNS * number or code > _MOST_CODE * number:
        return ""
    text, match = places[0]
    return f"{len(places) / number:.2%} of the words have signs inside, such as {_take_word(text, match.start())}"


def _take_word(text: str, place: int) -> str:
    """The text between white space around a place."""
    before, after = text[:place].split()[-1:], text[place:].split()[:1]
    return ("".join(before) + "".join(after))[:_LONGEST_EXAMPLE]


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
