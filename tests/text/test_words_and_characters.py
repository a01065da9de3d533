import pickle

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ibidem.text import Texts, Tokens, make_tokenizer
from ibidem.text.scanning import hash_texts
from ibidem.text.unicode_table import BLOCK, SEPARATOR, load

from . import unicode_reference as reference

NAMES = ["words", "characters"]


def is_known(character: str) -> bool:
    """Whether this Python and the table agree on the character: they may not on what Unicode 14 left unassigned."""
    table = load()
    entry = table.entries[int(table.blocks[ord(character) // BLOCK]) * BLOCK + ord(character) % BLOCK]
    plain = reference.letter_class(character) == "." and reference.fold(character) == character
    return plain or int(entry) != SEPARATOR


TRICKY = (
    "aZ09_-'.\u00a0 \t\n\r\x1c\x85éÉe\u0301\u0308\u0345ßẞİıſK\u00adfiﬁ½²Ⅷ٣\u200d\u2028\ufeff\u3000漢字〇豈\ufa0e가각각"
    "ΑΆᾳᾂς𝐀𐐀😀\U0001f1e6\U00020000\U0002f800\ud800\udfff\udc80\U0010ffff\0"
)
characters = st.one_of(st.sampled_from(TRICKY), st.characters(exclude_categories=()).filter(is_known))
strings = st.text(characters, max_size=40)


def listed(tokens: Tokens, row: int) -> list[tuple[int, int, int]]:
    part = slice(int(tokens.bounds[row]), int(tokens.bounds[row + 1]))
    columns = (tokens.ids, tokens.starts, tokens.ends)
    return list(zip(*(column[part].tolist() for column in columns if column is not None), strict=True))


def spelled(text: str, name: str = "words") -> list[str]:
    """The tokens of ``text`` as it spells them."""
    return [
        text[start:end]
        for _, start, end in listed(make_tokenizer(name).encode(Texts.from_strings([text]), offsets=True), 0)
    ]


@pytest.mark.parametrize("name", NAMES)
@given(texts=st.lists(strings, max_size=4))
@example(texts=["", "漢", "a漢a漢a", "\u0301", "漢\u0301\u0301a\u0301", "a\u0301漢", "\ud800a\udfff", "a\ufeffb\r\nc"])
def test_tokens_and_offsets_agree_with_plain_python(name, texts):
    tokens = make_tokenizer(name).encode(Texts.from_strings(texts), offsets=True)
    for row, text in enumerate(texts):
        expected = [(reference.token_id(t), start, end) for t, start, end in getattr(reference, name)(text)]
        assert listed(tokens, row) == expected
    assert tokens.bounds[0] == 0
    assert tokens.bounds[-1] == len(tokens.ids)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.binary(max_size=60), cuts=st.lists(st.integers(0, 60), max_size=4))
def test_bytes_that_are_not_utf8_are_read_within_bounds(name, data, cuts):
    cuts = sorted({min(cut, len(data)) for cut in cuts} | {0, len(data)})
    texts = Texts(np.frombuffer(data, np.uint8), cuts if len(cuts) > 1 else [0, 0])
    tokens = make_tokenizer(name).encode(texts, offsets=True)
    for row, (first, last) in enumerate(zip(texts.bounds[:-1], texts.bounds[1:], strict=True)):
        mended = data[first:last].decode("utf-8", "surrogatepass") if is_valid(data[first:last]) else None
        if mended is not None and all(map(is_known, mended)):
            expected = [(reference.token_id(t), start, end) for t, start, end in getattr(reference, name)(mended)]
            assert listed(tokens, row) == expected
        assert all(0 <= start < end <= last - first for _, start, end in listed(tokens, row))


def is_valid(data: bytes) -> bool:
    try:
        return bool(data.decode("utf-8", "surrogatepass")) or not data
    except UnicodeDecodeError:
        return False


@pytest.mark.parametrize(
    "broken",
    [b"\x80", b"\xc1\x81", b"\xe2\x82", b"\xf0\x9f\x98", b"\xed", b"\xff", b"\xf4\x90\x80\x80", b"\xe0\x80\xaf"],
)
def test_an_invalid_byte_separates_words(broken):
    data = b"ab" + broken + b"cd"
    tokens = make_tokenizer("words").encode(Texts(np.frombuffer(data, np.uint8), [0, len(data)]), offsets=True)
    expected = [(reference.token_id("ab"), 0, 2), (reference.token_id("cd"), 2 + len(broken), 4 + len(broken))]
    assert listed(tokens, 0) == expected


def test_a_character_cut_by_the_end_of_its_text_is_not_finished_from_the_next():
    data = "aé".encode()
    tokens = make_tokenizer("words").encode(Texts(np.frombuffer(data, np.uint8), [0, 2, 3]), offsets=True)
    assert [listed(tokens, row) for row in (0, 1)] == [[(reference.token_id("a"), 0, 1)], []]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't panic_now", ["Don", "t", "panic", "now"]),
        ("\ufeffIn the\r\nsame", ["In", "the", "same"]),
        ("漢字かな交じり", ["漢", "字", "かな", "交", "じり"]),
        ("a漢b〇", ["a", "漢", "b", "〇"]),
        ("e\u0301te\u0301 \u0301 x", ["e\u0301te\u0301", "x"]),
        ("漢\u0301字", ["漢\u0301", "字"]),
        ("3.14 x² Ⅷ 😀𝐀𝐁", ["3", "14", "x²", "Ⅷ", "𝐀𝐁"]),
        ("ab\ud800cd", ["ab", "cd"]),
        ("हिन्दी", ["हिन्दी"]),
        ("", []),
    ],
)
def test_words_are_cut_where_the_rule_says(text, expected):
    assert spelled(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("é", "e\u0301"),
        ("É", "é"),
        ("Straße", "STRASSE"),
        ("가각", "\u1100\u1161\u1100\u1161\u11a8"),
        ("Å", "\u212b"),
        ("ΣΑΣ", "σας"),
        ("豈", "\uf900"),
    ],
)
def test_spellings_that_match_without_case_are_one_token(one, other):
    ids = make_tokenizer("words").encode(Texts.from_strings([one, other])).ids
    assert len(ids) == 2
    assert ids[0] == ids[1]


def test_ids_are_those_of_every_index_made_so_far():
    ids = make_tokenizer("words").encode(Texts.from_strings(["the whale É 漢"])).ids
    assert ids.tolist() == [reference.token_id(word) for word in ("the", "whale", "e\u0301", "漢")]
    assert ids.tolist() == [204433716, 3496218307, 554450894, 35366488]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a \t\nb", ["a", " \t\n", "b"]),
        (" a", [" ", "a"]),
        ("a ", ["a", " "]),
        ("é😀.", ["é", "😀", "."]),
        ("\0\ud800", ["\0", "\ud800"]),
    ],
)
def test_characters_are_code_points_and_runs_of_white_space(text, expected):
    assert spelled(text, "characters") == expected


@given(st.lists(strings, max_size=5))
def test_a_string_hashed_whole_has_the_id_of_its_code_points(texts):
    assert hash_texts(Texts.from_strings(texts)).tolist() == [reference.token_id(text) for text in texts]


def test_words_of_one_or_two_letters_all_differ():
    # All words of one or two letters or digits: 1,332 of them in 2^32 ids.
    alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"
    texts = Texts.from_strings([" ".join([*alphabet, *(a + b for a in alphabet for b in alphabet)])])
    ids = make_tokenizer("words").encode(texts).ids
    assert len(np.unique(ids)) == len(ids) == 36 + 36 * 36


@pytest.mark.parametrize("name", [*NAMES, "words:3"])
@pytest.mark.parametrize("normalize", [None, "latin,noisy"])
def test_a_tokenizer_fits_into_the_pipe_by_which_a_process_is_started(name, normalize):
    # A parent that writes more than the pipe holds to a child that has ended waits for ever.
    tokenizer = make_tokenizer(name, **({"normalize": normalize} if normalize else {}))
    packed = pickle.dumps(tokenizer)
    assert len(packed) < 4096
    texts = Texts.from_strings(["Vbi æqua, quo ꝓ re-\nmedio"])
    assert pickle.loads(packed).encode(texts).ids.tolist() == tokenizer.encode(texts).ids.tolist()
