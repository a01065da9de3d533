"""The tables of normalization: for each name, which code points become which, and which are dropped.

Keys are code points as they are after case folding and canonical decomposition, so ``"v"`` stands for ``V`` too, and a
mark for itself on any letter. An empty string drops the code point. Sources: the Unicode Character Database for marks,
digits and compatibility; A. Cappelli, *Lexicon abbreviaturarum*, and the recommendations of MUFI (Medieval Unicode Font
Initiative) for Latin abbreviations; the conventions of OpenITI for Arabic; OpenCC for Chinese.
"""

import unicodedata
from collections.abc import Callable
from pathlib import Path

from ibidem.text.unicode_table import FOLLOWER, IDEOGRAPH, LETTER, MARK, SEPARATOR, class_of, unit_of

Table = dict[str, str]


def _drop(*ranges: tuple[int, int]) -> Table:
    return {chr(code): "" for first, last in ranges for code in range(first, last + 1)}


_MARKS = _drop((0x0300, 0x036F), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F))
"""The blocks of combining diacritical marks. Vowel signs of Indic scripts and Thai are letters of their words."""

_STROKES = dict(zip("øđłħŧıƀɨɵʉɉ", "odlhtibiouj", strict=True))
"""Letters whose stroke or lost dot Unicode does not decompose."""

_LATIN = {
    "v": "u",
    "j": "i",
    "æ": "ae",
    "œ": "oe",
    "\u0328": "",  # the hook of e caudata
    "ꝛ": "r",
    "ꝑ": "per",
    "ꝓ": "pro",
    "ꝗ": "que",
    "ꝙ": "quod",
    "ꝝ": "rum",
    "ꝟ": "uer",
    "ꝯ": "con",
    "ꝰ": "us",
    "ꝭ": "is",
}

SIGNS = {"&": "et", "⁊": "et"}
"""Signs that are a word of Latin by themselves."""

_GREEK = _MARKS | {"ϲ": "σ"}

_HEBREW_POINTS = _drop(
    *((0x0591, 0x05BD), (0x05BF, 0x05BF), (0x05C1, 0x05C2), (0x05C4, 0x05C5), (0x05C7, 0x05C7), (0xFB1E, 0xFB1E))
)
_ARABIC_POINTS = _drop(
    (0x0610, 0x061A),
    (0x0640, 0x0640),  # tatweel, which carries a point or fills a line
    (0x064B, 0x0652),
    (0x0656, 0x0658),
    (0x0670, 0x0670),
    (0x06D6, 0x06DC),
    (0x06DF, 0x06E4),
    (0x06E7, 0x06E8),
    (0x06EA, 0x06ED),
    (0x08D3, 0x08E1),
    (0x08E3, 0x08FF),
)
_SYRIAC_POINTS = _drop((0x0730, 0x074A))
_SAMARITAN_POINTS = _drop((0x0816, 0x0819), (0x081B, 0x0823), (0x0825, 0x0827), (0x0829, 0x082D))

POINTS = _HEBREW_POINTS | _ARABIC_POINTS | _SYRIAC_POINTS | _SAMARITAN_POINTS
"""Vowels, doubling, and signs for reading aloud, which a writer may leave out. They count by the name ``none`` alone.
Hamza and madda are letters of their words, as are the vowels of scripts that are not written without."""

_HEBREW = _HEBREW_POINTS | {"װ": "וו", "ױ": "וי", "ײ": "יי"}

_ARABIC_LIGHT = (
    _ARABIC_POINTS
    | _drop((0x0653, 0x0655), (0x0659, 0x065F))  # madda and hamza on their carriers, marks of other languages
    | {"ٱ": "ا", "ى": "ي", "ی": "ي", "ک": "ك"}
)

_ARABIC_HEAVY = _ARABIC_LIGHT | {"ء": "", "ة": "ه"}


def _simplify() -> Table:
    lines = Path(__file__).with_name("traditional-simplified.txt").read_text("utf-8").splitlines()
    pairs = "".join(line for line in lines if not line.startswith("#"))
    return dict(zip(pairs[::2], pairs[1::2], strict=True))


def _digits() -> Table:
    signs = (chr(code) for code in range(0x80, 0x20000))
    return {
        sign: str(unicodedata.decimal(sign))
        for sign in signs
        if class_of(sign) == LETTER and unicodedata.category(sign) == "Nd"
    }


TABLES: dict[str, Callable[[], Table]] = {
    "diacritics": lambda: _MARKS | _STROKES,
    "latin": lambda: _LATIN,
    "greek": lambda: _GREEK,
    "hebrew": lambda: _HEBREW,
    "arabic-light": lambda: _ARABIC_LIGHT,
    "arabic-heavy": lambda: _ARABIC_HEAVY,
    "cjk": _simplify,
    "digits": _digits,
}
"""The table of each name that has one."""


def decompose(sign: str, names: frozenset[str]) -> str:
    """The canonical decomposition of a code point, or the one of compatibility if ``names`` ask for it.

    The latter is taken where it gives letters, numbers and marks of one word, or one ideograph: ``ﬁ`` becomes ``fi``
    and ``²`` becomes ``2``, but ``㍿`` and ``ﷺ``, which are several words, stay.
    """
    is_presentation = _is_presentation(sign) and names & {"arabic-light", "arabic-heavy"}
    if class_of(sign) != SEPARATOR and ("compatibility" in names or is_presentation):
        wide = unicodedata.normalize("NFKD", sign)
        if len(wide) <= _LONGEST and _is_one_word(wide):
            return wide
    return unicodedata.normalize("NFD", sign)


def _is_one_word(letters: str) -> bool:
    classes = {class_of(letter) for letter in letters}
    units = [letter for letter in letters if class_of(letter) == IDEOGRAPH and unit_of(letter) != FOLLOWER]
    return classes <= {LETTER, MARK} or (classes <= {IDEOGRAPH, MARK} and len(units) <= 1)


def _is_presentation(sign: str) -> bool:
    """Whether a code point is an Arabic letter in the shape that it has at its place."""
    return "\ufb50" <= sign <= "\ufdff" or "\ufe70" <= sign <= "\ufeff"


_LONGEST = 6

SHAPES = {letter: group[0] for group in ("ocea0", "il1tfrj", "nuhbmk", "yvw", "s58", "gq9") for letter in group}
"""Letters that reading by machine takes for each other, and the one that stands for all of them.

Their shapes are those of A. L. Spitz, *Using character shape codes for word spotting in document images* (1995), but
finer: bowls (c e o a), stems (i l t f r j), arches (n u h m b k), forks (v y w).
"""

NOISY_LETTERS = 5
"""Letters of a word that count where texts are noisy."""

APOSTROPHES = "'‘’‛ʼ＇"
HYPHENS = "-‐‑¬⸗－"
SOFT_HYPHEN = "\u00ad"
