"""What the kernels are asked for."""

from functools import partial

import numpy as np

from ibidem.text import Texts
from ibidem.text.scanning import scan, scan_words
from ibidem.text.unicode_table import load


def test_offsets_are_given_where_they_are_asked_for_alone() -> None:
    texts, words = (
        Texts.from_strings(["one two"]),
        partial(scan_words, most_letters=9, mixed=np.empty((1, 3), np.int64)),
    )
    assert scan(words, texts, 8, offsets=False, table=load())[0].starts is None
    tokens, _ = scan(words, texts, 8, offsets=True, table=load())
    assert tokens.starts is not None
    assert tokens.starts.tolist() == [0, 4]
