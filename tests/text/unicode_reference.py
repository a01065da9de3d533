"""The words and characters tokenizers in a few lines of plain Python, on unicodedata."""

import re
import unicodedata

IDEOGRAPH_BLOCKS = [(0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x323AF)]


def fold(text):
    def nfd(string):
        return unicodedata.normalize("NFD", string)

    return "".join(nfd(nfd(character).casefold()) for character in text)


def letter_class(character):
    """I for ideographs, L for letters and numbers, M for marks, S for white space, . for the rest."""
    category = unicodedata.category(character)
    if category == "Lo" and any(first <= ord(character) <= last for first, last in IDEOGRAPH_BLOCKS):
        return "I"
    if character == "\u3007":
        return "I"
    if character.isspace():
        return "S"
    return {"L": "L", "N": "L", "M": "M"}.get(category[0], ".")


def words(text):
    """Folded word, start and end of each."""
    classes = "".join(map(letter_class, text))
    return [(fold(text[m.start() : m.end()]), m.start(), m.end()) for m in re.finditer("IM*|L[LM]*", classes)]


def characters(text):
    """Folded character, start and end of each."""
    classes = "".join(map(letter_class, text))
    found = [(m.start(), m.end()) for m in re.finditer("S+|.", classes.replace(".", "x"))]
    return [(" " if classes[start] == "S" else fold(text[start]), start, end) for start, end in found]


def token_id(folded):
    state = 0x6962696465_6D0001
    for character in folded:
        state = (state ^ ord(character)) * 0x9E3779B97F4A7C15 % 2**64
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    state = (state ^ state >> 27) * 0x94D049BB133111EB % 2**64
    return (state ^ state >> 31) % 2**32
