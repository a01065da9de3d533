"""Letters that were exchanged for letters of another script that look the same.

A word of two scripts is spelled in one of them if every letter of it has a form there: ``p\u0430ypal``, with a Cyrillic
a, is *paypal*. Words of one script stay as they are, even if all their letters look like those of another, and so do
words such as ``\u0394t`` that cannot be spelled in one script.
"""

import re
import unicodedata
from collections import Counter
from functools import cache
from itertools import permutations
from operator import itemgetter

from ibidem.counts import format_count
from ibidem.text.unicode_table import script_of

_GROUPS = (
    *("A\u0391\u0410\u13aa", "B\u0392\u0412\u13f4", "C\u03f9\u0421\u13df", "E\u0395\u0415\u13ac", "G\u050c\u13c0"),
    *("H\u0397\u041d\u13bb", "I\u0399\u0406\u04c0", "J\u037f\u0408\u13ab", "K\u039a\u041a\u13e6", "L\u13de"),
    *("M\u039c\u041c\u13b7", "N\u039d", "O\u039f\u041e\u0555", "P\u03a1\u0420\u13e2", "Q\u051a"),
    *("S\u0405\u054f\u13da", "T\u03a4\u0422\u13a2", "U\u054d", "V\u0474\u13d9", "W\u051c\u13b3", "X\u03a7\u0425"),
    *("Y\u03a5\u0423\u04ae", "Z\u0396\u13c3", "D\u13a0", "R\u13a1", "a\u03b1\u0430", "c\u03f2\u0441", "d\u0501"),
    *("e\u0435", "g\u0581", "h\u04bb\u0570", "i\u03b9\u0456", "j\u03f3\u0458\u0575", "k\u03ba\u043a", "l\u04cf"),
    *("n\u0578", "o\u03bf\u043e\u0585", "p\u03c1\u0440", "q\u051b\u0566", "s\u0455", "u\u03c5\u057d"),
    *("v\u03bd\u0475", "w\u051d", "x\u03c7\u0445", "y\u03b3\u0443", "\u0131\u03b9", "\u00e6\u04d5", "\u00c6\u04d4"),
    *("\u0259\u04d9", "\u018f\u04d8", "\u025b\u03b5", "\u0393\u0413", "\u03a0\u041f", "\u03a6\u0424"),
)
"""Letters that look alike; of two of one script, the first takes the place of others. Most are the intentional ones of
Unicode Technical Standard 39. A capital and a small letter may resemble different letters."""

_COMMON = re.compile("[A-Za-z\u0386-\u03ce\u0400-\u045f]")
"""Letters of the alphabets in which most is written in their script."""

_ALIKE = {
    (letter, script_of(other)): other
    for group in reversed(_GROUPS)
    for letter, other in reversed([*permutations(group, 2)])
}


_WORD = re.compile(r"[^\W_]\w*")

_OTHER = re.compile(
    "[\u0370-\u058f\u10a0-\u10ff\u13a0-\u13ff\u1c80-\u1c8f\u1f00-\u1fff\u2de0-\u2dff\ua640-\ua69f\uab70-\uabbf]"
)
"""A letter of another script than Latin; texts without one are many, and passed over fast."""

_BLOCKS = ((0x41, 0x590), (0x13A0, 0x1400), (0x1C80, 0x1C90), (0x1D00, 0x2000), (0x2C60, 0x2C80), (0x2DE0, 0x2E00))
_LATER_BLOCKS = ((0xA640, 0xA6A0), (0xA720, 0xA800), (0xAB30, 0xABC0), (0xFB00, 0xFB18))
"""Where the letters of the scripts are that have letters alike."""


@cache
def _mixture() -> re.Pattern[str]:
    """Matches a letter of one of the scripts and, behind no more than marks and digits, one of another script."""
    letters: dict[int, str] = {}
    for low, high in (*_BLOCKS, *_LATER_BLOCKS):
        for letter in map(chr, range(low, high)):
            if script := script_of(letter):
                letters[script] = letters.get(script, "") + letter
    others = {script: "".join(each for other, each in letters.items() if other != script) for script in letters}
    return re.compile(
        "|".join(f"[{letters[script]}][^\\W{others[script]}{letters[script]}]*[{others[script]}]" for script in letters)
    )


def count_look_alikes(text: str) -> int:
    """How many words of a text hide a word of one script behind letters of another.

    >>> count_look_alikes("P\\u0430y me by p\\u0430ypal")
    2
    """
    return len(find_look_alikes(text))


def find_look_alikes(text: str) -> list[int]:
    """Where these words begin.

    >>> find_look_alikes("P\\u0430y me by p\\u0430ypal")
    [0, 10]
    """
    if text.isascii() or not (_OTHER.search(text) and _mixture().search(text)):
        return []
    return [
        word.start() for word in _WORD.finditer(text) if not word[0].isascii() and restore_script(word[0]) != word[0]
    ]


def describe_look_alikes(text: str) -> list[str]:
    """What a reader is told of such words of a passage, in a list that is empty if there are none.

    >>> describe_look_alikes("p\\u0430ypal"), describe_look_alikes("paypal")
    (['1 word with letters of another script'], [])
    """
    words = count_look_alikes(text)
    return [f"{format_count(words, 'word')} with letters of another script"] if words else []


def restore_script(word: str) -> str:
    """The word in one script, if its letters are of several and all have a form in one of these; else as it is.

    Of several such scripts it is one in which it needs no rare letters, and of these the one with most letters of the
    word. So *apple* with all letters but the l in Cyrillic is *apple*: only rare Cyrillic alphabets have an l.

    >>> restore_script("p\\u0430ypal"), restore_script("\\u0394t") == "\\u0394t"
    ('paypal', True)
    """
    letters = unicodedata.normalize("NFD", word)
    scripts = [script_of(letter) for letter in letters]
    counts = Counter(script for script in scripts if script)
    if len(counts) < 2:
        return word
    spellings = []
    for target in sorted(counts, key=lambda script: (-counts[script], script)):
        forms = [
            letter if script in (0, target) else _ALIKE.get((letter, target), "")
            for letter, script in zip(letters, scripts, strict=True)
        ]
        if all(forms):
            has_rare = any(new != old and not _COMMON.match(new) for new, old in zip(forms, letters, strict=True))
            spellings.append((has_rare, "".join(forms)))
    return min(spellings, key=itemgetter(0), default=(False, word))[1]
