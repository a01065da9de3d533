"""The tables: each pair of spellings is one token, by every table."""

import pytest

from ibidem.text import Texts, make_tokenizer
from ibidem.text.normalization.letters import SIGNS, TABLES


@pytest.mark.parametrize("name", list(TABLES))
def test_every_pair_of_the_table_is_one_token(name: str) -> None:
    table = TABLES[name]()
    tokenizer = make_tokenizer("words", normalize=name)
    pairs = [
        (f"x{old}x", f"x{new}x") if len(new) != 1 or not _is_ideograph(new) else (old, new)
        for old, new in table.items()
    ]
    ids = [tokenizer.encode(Texts.from_strings(list(side))) for side in zip(*pairs, strict=True)]
    assert len(pairs) == len(table) > 0
    assert ids[0].bounds.tolist() == ids[1].bounds.tolist()
    assert ids[0].ids.tolist() == ids[1].ids.tolist()


def test_a_sign_is_a_word() -> None:
    ids = make_tokenizer("words", normalize="latin").encode(Texts.from_strings([" ".join([*SIGNS, "et"])])).ids
    assert len(set(ids.tolist())) == 1
    assert len(ids) == 3


@pytest.mark.parametrize("name", list(TABLES))
def test_no_replacement_is_replaced_again(name: str) -> None:
    table = TABLES[name]()
    assert not {letter for new in table.values() for letter in new} & {*table}


def _is_ideograph(letter: str) -> bool:
    return "\u3400" <= letter <= "\u9fff" or letter > "\U00020000"
