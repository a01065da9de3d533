"""Normalization in a few lines of plain Python, on unicodedata: from a text to its words."""

import re
import unicodedata

from ibidem.text.look_alikes import restore_script
from ibidem.text.normalization.letters import NOISY_LETTERS, POINTS, SHAPES, TABLES

from ..unicode_reference import IGNORABLE, UNIT, fold, letter_class, nfd

PRESENTATION = re.compile("[\ufb50-\ufdff\ufe70-\ufeff]")


def decompose(character, names):
    wide = unicodedata.normalize("NFKD", character)
    classes = [letter_class(each) for each in wide]
    of_arabic = {"arabic-light", "arabic-heavy"} & set(names) and PRESENTATION.match(character)
    is_unit = {*classes} <= {*"CYFEMKZ"} and sum(each in "CYE" for each in classes) <= 1
    one_word = {*classes} <= {*"LMKZ"} or is_unit
    if ("compatibility" in names or of_arabic) and one_word and len(wide) <= 6 and not IGNORABLE.match(character):
        return wide
    return unicodedata.normalize("NFD", character)


def spell(text, names):
    """The letters of a text whose characters are all known: marks in order, then replaced and folded."""
    tables = [] if "none" in names else [POINTS]
    tables += [TABLES[name]() for name in (*names, *["diacritics"] * ("noisy" in names)) if name in TABLES]
    table = str.maketrans({key: new for each in tables for key, new in each.items()})
    in_order = nfd("".join(decompose(character, names) for character in IGNORABLE.sub("", text)))
    new = "".join(fold(letter) for letter in in_order.translate(table)).translate(table)
    return new.translate(str.maketrans(SHAPES)) if "noisy" in names else new


def words(text, names):
    """Normalized word, start and end of each."""
    spelled, classes = [], ""
    for character in text:
        its_class, new = letter_class(character), fold(character)
        if its_class in "LMCYFEKZ":
            new = spell(character, names)
            if new != fold(character):
                its_class = letter_class(new[0]) if new else "M"
        if "latin" in names and character in "&⁊":
            its_class, new = "C", "et"
        if "apostrophes" in names and character in "'‘’‛ʼ＇":
            its_class, new = "'", ""
        if "hyphens" in names and character in "-‐‑¬⸗－":
            its_class, new = "-", ""
        if "hyphens" in names and character == "\u00ad":
            its_class, new = "~", ""
        if its_class in "MK" and not new:
            its_class = "Z"
        spelled.append(new)
        classes += its_class
    joined = joints(text, classes, lambda start, end: all(ord(each) <= 32 for each in text[start:end]))
    seen = [place for place, its_class in enumerate(joined) if its_class != "Z"]
    found = []
    for match in re.finditer(f"{UNIT}|L[LMK_]*", "".join(joined[place] for place in seen)):
        start, end = seen[match.start()], seen[match.end() - 1] + 1
        end += len(re.match("Z*", joined[end:])[0])
        word = "".join(text[k] for k in range(start, end) if joined[k] != "_")
        word = word if "none" in names else restore_script(word)
        letters = "et" if word in ("&", "⁊") and "latin" in names else spell(word, names)
        if "noisy" in names:
            starters = [k for k, letter in enumerate(letters) if not unicodedata.combining(letter)]
            letters = letters[: starters[NOISY_LETTERS] if len(starters) > NOISY_LETTERS else None]
        found.append((letters, start, end))
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
        in_word = one == "L" or (one in "MKZ" and in_word)
        out += one
        k += 1
    return out
