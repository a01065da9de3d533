import runpy
import unicodedata
from pathlib import Path

import numpy as np

from ibidem.text import unicode_table
from ibidem.text.unicode_table import (
    BLOCK,
    EMPTY,
    ORDER_BIT,
    SCRIPTS,
    UNIT_BIT,
    entry_of,
    join_letters,
    letters_of,
    load,
    script_of,
)

from .unicode_reference import fold, letter_class

ROOT = Path(__file__).parents[2]

CLASSES = {
    **dict.fromkeys("CYFE", unicode_table.IDEOGRAPH),
    **dict.fromkeys("MKZ", unicode_table.MARK),
    "L": unicode_table.LETTER,
    "S": unicode_table.SPACE,
}
UNITS = {"Y": unicode_table.SYLLABIC, "F": unicode_table.FOLLOWER, **dict.fromkeys("EK", unicode_table.LEADER)}


def read(code_point: int) -> tuple[int, int, str]:
    """Class, unit and folding of a code point, as a kernel finds them."""
    character = chr(code_point)
    entry = entry_of(character, load())
    return entry & 7, entry >> UNIT_BIT & 3, join_letters(letters_of(character, load()))


def test_table_agrees_with_unicodedata_on_every_code_point():
    differing = []
    for code_point in range(0x110000):
        its_class = letter_class(chr(code_point))
        expected = CLASSES.get(its_class, unicode_table.SEPARATOR), UNITS.get(its_class, 0), fold(chr(code_point))
        if read(code_point) != expected:
            differing.append(code_point)
    if unicodedata.unidata_version == "14.0.0":
        assert differing == []
    # To the table, what Unicode 14 left unassigned is a separator that folds to itself.
    assert all(read(code_point) == (unicode_table.SEPARATOR, 0, chr(code_point)) for code_point in differing)


def test_every_mark_has_the_combining_class_that_it_has_before_it_is_folded():
    table = load()
    for code_point in range(0x110000):
        parts = unicodedata.normalize("NFD", chr(code_point))
        letters = letters_of(chr(code_point), table)
        if letters and unicode_table.class_of(chr(code_point)) == unicode_table.MARK:
            orders = [letter >> ORDER_BIT for letter in letters]
            assert orders == [unicodedata.combining(part) for part in parts]
            assert all(orders) or not orders[0]  # else a run of marks would end inside of a character


def test_a_letter_and_what_it_decomposes_to_are_of_one_script():
    for code_point in range(0x110000):
        first = unicodedata.normalize("NFD", chr(code_point))[0]
        assert script_of(chr(code_point)) == script_of(first)
    bits = {script: script_of(letter) for script, letter in zip(SCRIPTS, "aαаաᎠ", strict=True)}
    assert bits == {script: 1 << place for place, script in enumerate(SCRIPTS)}


def test_what_is_not_seen_is_dropped_wherever_it_is():
    seen = [code for code in range(0x110000) if letter_class(chr(code)) == "Z"]
    assert len(seen) == 4174  # Default_Ignorable_Code_Point in Unicode 14
    assert all(entry_of(chr(code), load()) >> 3 & 7 == EMPTY for code in seen)


def test_ascii_shortcut_agrees_with_the_table():
    table = load()
    for byte in range(256):
        its_class, _, folded = read(byte)
        is_letter = byte < 0x80 and its_class == unicode_table.LETTER
        assert table.ascii[byte] == (ord(folded) if is_letter else 0)
        if is_letter and chr(byte).isalpha():
            assert script_of(chr(byte)) == 1


def test_the_script_of_a_release_makes_the_table_of_the_package():
    make = runpy.run_path(str(ROOT / "release" / "unicode_table.py"))["make"]
    if unicodedata.unidata_version == "14.0.0":
        assert all(np.array_equal(made, kept) for made, kept in zip(make(), load(), strict=True))
    else:
        assert join_letters(letters_of("É", make())) == "e\u0301"


def test_table_has_the_types_that_kernels_are_compiled_for():
    assert [column.dtype for column in load()] == [np.uint8, np.uint16, np.uint32, np.uint32]
    assert len(load().blocks) * BLOCK == 0x110000
