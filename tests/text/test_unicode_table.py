import unicodedata

import numpy as np

from ibidem.text import unicode_table
from ibidem.text.unicode_table import BLOCK, FoldTable, load

from .unicode_reference import fold, letter_class

NAMES = {"I": unicode_table.IDEOGRAPH, "L": unicode_table.LETTER, "M": unicode_table.MARK, "S": unicode_table.SPACE}


def read(table: FoldTable, code_point: int) -> tuple[int, str]:
    """Class and folding of a code point, as a kernel finds them."""
    entry = int(table.entries[int(table.blocks[code_point // BLOCK]) * BLOCK + code_point % BLOCK])
    first, length = entry >> 6, entry >> 3 & 7
    return entry & 7, "".join(map(chr, table.expansions[first : first + length])) or chr(code_point)


def test_table_agrees_with_unicodedata_on_every_code_point():
    table = load()
    differing = []
    for code_point in range(0x110000):
        character = chr(code_point)
        expected = NAMES.get(letter_class(character), unicode_table.SEPARATOR), fold(character)
        if read(table, code_point) != expected:
            differing.append(code_point)
    if unicodedata.unidata_version == "14.0.0":
        assert differing == []
    # To the table, what Unicode 14 left unassigned is a separator that folds to itself.
    assert all(read(table, code_point) == (unicode_table.SEPARATOR, chr(code_point)) for code_point in differing)


def test_ascii_shortcut_agrees_with_the_table():
    table = load()
    for byte in range(256):
        its_class, folded = read(table, byte)
        is_letter = byte < 0x80 and its_class == unicode_table.LETTER
        assert table.ascii[byte] == (ord(folded) if is_letter else 0)


def test_generator_makes_the_table_of_the_package():
    if unicodedata.unidata_version == "14.0.0":
        assert all(np.array_equal(made, kept) for made, kept in zip(unicode_table.make(), load(), strict=True))
    else:
        assert read(unicode_table.make(), ord("É")) == (unicode_table.LETTER, "e\u0301")


def test_table_has_the_types_that_kernels_are_compiled_for():
    assert [column.dtype for column in load()] == [np.uint8, np.uint16, np.uint32, np.uint32]
