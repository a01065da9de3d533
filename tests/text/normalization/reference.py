"""Normalization in a few lines of plain Python, on unicodedata: from a text to its words."""

import re
import unicodedata

from ibidem.text.normalization.letters import NOISY_LETTERS, SHAPES, TABLES

from ..unicode_reference import fold, letter_class

PRESENTATION = re.compile("[\ufb50-\ufdff\ufe70-\ufeff]")
JOINED = "[LI]"


def decompose(character, names):
    wide = unicodedata.normalize("NFKD", character)
    classes = {letter_class(each) for each in wide}
    of_arabic = {"arabic-light", "arabic-heavy"} & set(names) and PRESENTATION.match(character)
    one_word = classes <= {"L", "M"} or (len(wide) == 1 and classes == {"I"})
    if ("compatibility" in names or of_arabic) and one_word and len(wide) <= 6:
        return wide
    return unicodedata.normalize("NFD", character)


def replace(character, names):
    """The letters of one character."""
    tables = [TABLES[name]() for name in (*names, *["diacritics"] * ("noisy" in names)) if name in TABLES]
    table = str.maketrans({key: new for each in tables for key, new in each.items()})
    new = fold(decompose(character, names).translate(table)).translate(table)
    return new.translate(str.maketrans(SHAPES)) if "noisy" in names else new


def words(text, names):
    """Normalized word, start and end of each."""
    spelled, classes = [], ""
    for character in text:
        its_class, new = letter_class(character), fold(character)
        if its_class in "LMI":
            new = replace(character, names)
            if new != fold(character):
                its_class = letter_class(new[0]) if new else "M"
        if "latin" in names and character in "&⁊":
            its_class, new = "I", "et"
        if "apostrophes" in names and character in "'‘’‛ʼ＇":
            its_class, new = "'", ""
        if "hyphens" in names and character in "-‐‑¬⸗－":
            its_class, new = "-", ""
        if "hyphens" in names and character == "\u00ad":
            its_class, new = "~", ""
        spelled.append(new)
        classes += its_class
    blank = lambda start, end: all(ord(each) <= 32 for each in text[start:end])  # noqa: E731
    joined = joints(text, classes, blank)
    found = []
    for match in re.finditer("IM*|L[LM_]*", joined):
        start, end = match.span()
        letters = [spelled[k] for k in range(start, end) if joined[k] != "_" and spelled[k]]
        letters = letters[: NOISY_LETTERS if "noisy" in names else None]
        found.append(("".join(letters), start, end))
    return found


def joints(text, classes, blank):
    """The classes, with ``_`` for all that stands inside of a word and is no part of it."""
    out, k, in_word = "", 0, False
    while k < len(text):
        end = k + 1
        if classes[k] in "-~":
            while end < len(text) and ord(text[end]) <= 32:
                end += 1
        lines = len(re.findall("\r\n|\r|\n", text[k + 1 : end]))
        at_once = classes[k] in "'~" and end == k + 1
        next_line = classes[k] in "-~" and lines == 1 and text[end : end + 1] not in [*"0123456789"]
        if classes[k] in "-~'" and in_word and classes[end : end + 1] == "L" and (at_once or next_line):
            out += "_" * (end - k)
            k = end
            continue
        one = "." if classes[k] in "-~'" else classes[k]
        in_word = one == "L" or (one == "M" and in_word)
        out += one
        k += 1
    return out
