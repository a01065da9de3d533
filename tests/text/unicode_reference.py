"""The words and characters tokenizers in a few lines of plain Python, on unicodedata."""

import re
import unicodedata

from ibidem.text.look_alikes import restore_script
from ibidem.text.normalization.letters import POINTS

IDEOGRAPH_BLOCKS = [(0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x323AF)]

# Names of scripts that write no spaces between words, as their letters begin.
UNSPACED = re.compile(
    "(THAI|LAO|KHMER|MYANMAR|TAI LE|NEW TAI LUE|TAI THAM|TAI VIET|AHOM|BALINESE|JAVANESE"
    "|(HALFWIDTH )?(HIRAGANA|KATAKANA)|HENTAIGANA|YI|TANGUT|KHITAN|NUSHU|BOPOMOFO|(VERTICAL )?IDEOGRAPHIC ITERATION"
    "|IDEOGRAPHIC CLOSING|MASU|VERTICAL KANA|OLD CHINESE)[ -]"
)
FOLLOWS = re.compile(
    "THAI CHARACTER (SARA (A|AA|AM)|LAKKHANGYAO)$|LAO VOWEL SIGN (A|AA|AM)$|LAO SEMIVOWEL SIGN NYO"
    "|TAI LE LETTER (A|I|EE|EH|U|OO|O|UE|E|AUE|AI|TONE-.)$"
    "|NEW TAI LUE (VOWEL SIGN (VOWEL SHORTENER|AA|II|U|UU|UE|UUE|AY?|OO?Y?|OAY?|UY|AAY|UEY|IY)$|LETTER FINAL|TONE)"
    "|TAI VIET VOWEL (AA|UA|AN)$|TAI VIET TONE (MAI NUENG|MAI SONG)$"
    "|(HALFWIDTH )?(HIRAGANA|KATAKANA) LETTER SMALL (?!(TU|N|KA|KE)$)|(HALFWIDTH )?KATAKANA-HIRAGANA PROLONGED"
    "|KATAKANA LETTER SMALL (KU|SI|SU|TO|NU|HA|HI|HU|HE|HO|MU|RA|RI|RU|RE|RO)$|HALFWIDTH KATAKANA (SEMI-)?VOICED"
)
LEADS = re.compile(
    "THAI CHARACTER SARA (E|AE|O|AI MAIMUAN|AI MAIMALAI)$|LAO VOWEL SIGN (E|EI|O|AY|AI)$"
    "|NEW TAI LUE VOWEL SIGN (E|AE|O|AY)$|TAI VIET VOWEL (E|O|UEA|AUE|AY)$"
)
STACKS = "\u1039\u17d2\u1a60\u1b44\ua9c0"

# Default_Ignorable_Code_Point, as the standard derives it (DerivedCoreProperties).
IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def nfd(string):
    return unicodedata.normalize("NFD", string)


def fold(text):
    """Canonical caseless matching of what is seen: Unicode, section 3.13, D145."""
    return nfd(nfd(IGNORABLE.sub("", text)).casefold())


def spell(token):
    """The letters of a token: points do not count, nor does the script of a letter that looks like the others."""
    return nfd(nfd(IGNORABLE.sub("", restore_script(token))).translate(str.maketrans(POINTS)).casefold())


def letter_class(character):
    """C, Y, F, E: an ideograph, a syllabic letter, one that follows, one that leads; L: another letter or number.

    M: a mark, K: one that stacks two letters, Z: what is not seen, S: white space, and . for the rest.
    """
    category, name = unicodedata.category(character), unicodedata.name(character, "")
    if IGNORABLE.match(character):
        return "Z"
    if category == "Lo" and any(first <= ord(character) <= last for first, last in IDEOGRAPH_BLOCKS):
        return "C"
    if character == "\u3007":
        return "C"
    if 0x17000 <= ord(character) < 0x18D80 and category == "Lo":  # Tangut, which Python does not name
        return "Y"
    if category[0] == "L" and UNSPACED.match(name):
        return "E" if LEADS.match(name) else "F" if FOLLOWS.match(name) else "Y"
    if character.isspace():
        return "S"
    if character in STACKS:
        return "K"
    return {"L": "L", "N": "L", "M": "M"}.get(category[0], ".")


JAMO = re.compile("[\u1160-\u11ff\ud7b0-\ud7fb]")

UNIT = "(?:[CYF]|E)(?:[MKF]|(?<=[EK])[YE])*"


def find(pattern, classes):
    """The places of what a pattern matches, as if what is not seen were not there."""
    seen = [place for place, its_class in enumerate(classes) if its_class != "Z"]
    matches = re.finditer(pattern, "".join(classes[place] for place in seen))
    return [(seen[match.start()], seen[match.end() - 1] + 1) for match in matches]


def words(text):
    """Folded word, start and end of each; what is not seen belongs to the word before it."""
    classes = "".join(map(letter_class, text))
    places = find(f"{UNIT}|L[LMK]*", classes)
    return [(spell(text[start:end]), start, end + len(re.match("Z*", classes[end:])[0])) for start, end in places]


def characters(text):
    """Folded character, start and end of each."""
    points = {*map(ord, POINTS)}
    classes = [
        "Z" if ord(each) in points or IGNORABLE.match(each) else "J" if JAMO.match(each) else letter_class(each)
        for each in text
    ]
    places = find(f"S+|{UNIT}|[LJ][JMK]*|[.MK][MK]*", "".join(classes))
    spelled = [nfd(IGNORABLE.sub("", text[start:end])).translate(str.maketrans(POINTS)) for start, end in places]
    return [
        (" " if classes[start] == "S" else nfd(letters.casefold()), start, end)
        for letters, (start, end) in zip(spelled, places, strict=True)
    ]


def token_id(folded):
    state = 0x6962696465_6D0001
    for character in folded:
        state = (state ^ ord(character)) * 0x9E3779B97F4A7C15 % 2**64
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    state = (state ^ state >> 27) * 0x94D049BB133111EB % 2**64
    return (state ^ state >> 31) % 2**32
