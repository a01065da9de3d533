"""Text with errors of optical character recognition: letters are replaced by similar shapes, not by random ones.

The ICDAR 2017 competition on post-OCR correction (Chiron et al., ICDAR 2017) published 12 million characters of such
text beside what is printed, newspapers and books in English and French. The errors are substitutions of letters that
look alike, letters that fall apart or run together (``m`` and ``rn``), blanks that are lost or put in, letters that
are lost, and specks read as marks; never two letters exchanged, as writers do. The table was written for this module
by the shapes of letters. How often each error is made differs between engines and prints, so all of a letter are as
likely as each other, and substitutions are most of all.
"""

import random

CONFUSIONS = {
    "a": ("o", "u", "n", "ci"),
    "b": ("h", "l>", "6", "lo"),
    "c": ("e", "o", "("),
    "d": ("cl", "ci", "il"),
    "e": ("c", "o", "é"),
    "f": ("t", "r", "ſ", "l"),
    "g": ("q", "y", "9"),
    "h": ("b", "li", "n", "lı"),
    "i": ("l", "1", "t", "!", "j"),
    "j": ("i", ";"),
    "k": ("lc", "h", "x"),
    "l": ("i", "1", "I", "t"),
    "m": ("rn", "nn", "in", "iu"),
    "n": ("u", "ri", "ii", "h"),
    "o": ("c", "e", "0", "a"),
    "p": ("n", "j)", "y"),
    "q": ("g", "cj"),
    "r": ("i", "v", "f", "t"),
    "s": ("f", "8", "a", "ſ"),
    "t": ("l", "f", "i", "r"),
    "u": ("n", "ii", "a", "li"),
    "v": ("r", "y", "u"),
    "w": ("vv", "w.", "iv", "tv"),
    "x": ("z", "v"),
    "y": ("v", "j", "p"),
    "z": ("2", "s", "x"),
    "A": ("4", "Λ", "R"),
    "B": ("8", "R", "D", "E"),
    "C": ("G", "(", "O"),
    "D": ("O", "I)", "B"),
    "E": ("F", "B", "K"),
    "F": ("P", "E", "T"),
    "G": ("C", "6", "O"),
    "H": ("II", "R", "N"),
    "I": ("l", "1", "J"),
    "K": ("R", "H", "X"),
    "L": ("I", "T", "E"),
    "M": ("N", "IVI", "H"),
    "N": ("H", "M", "R"),
    "O": ("0", "C", "Q", "D"),
    "P": ("F", "I'", "B"),
    "R": ("B", "K", "It"),
    "S": ("8", "5", "B"),
    "T": ("I", "F", "Y"),
    "U": ("II", "V", "0"),
    "V": ("Y", "U"),
    "W": ("VV", "Vv"),
    "Y": ("V", "T"),
    "Z": ("2", "7"),
    "0": ("O", "o", "6"),
    "1": ("l", "I", "i"),
    "2": ("z", "Z", "?"),
    "3": ("8", "5"),
    "4": ("1", "A"),
    "5": ("S", "6", "3"),
    "6": ("b", "5", "0"),
    "7": ("T", "1", "?"),
    "8": ("3", "B", "S"),
    "9": ("g", "0", "o"),
    ".": (",", "·", ""),
    ",": (".", "'", ""),
    "-": ("", "~", "—"),
}
"""The strings for which each character is mistaken."""

_SUBSTITUTED = 0.7
"""Of the errors, those that take a character for another; the others lose it, or put a mark beside it."""

_SPECKS = ".,'·-^"


def misread(text: str, rate: float, generator: random.Random) -> str:
    """Misread about a share ``rate`` of the characters of a text.

    A character that the table does not have, as of another script, is lost where it is misread.

    >>> misread("the modern town of Florence", 0.2, random.Random(2))
    'thc moderh town of Florcrice'
    """
    return "".join(
        _misread_character(character, generator) if generator.random() < rate else character for character in text
    )


def _misread_character(character: str, generator: random.Random) -> str:
    if character.isspace():
        return ""
    shapes = CONFUSIONS.get(character, ("",))
    if generator.random() < _SUBSTITUTED:
        return generator.choice(shapes)
    return generator.choice(("", f"{character} ", character + generator.choice(_SPECKS)))
