import pickle
import unicodedata
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ibidem.text import Texts, Tokens, make_tokenizer
from ibidem.text.code_points import hash_texts
from ibidem.text.unicode_table import SEPARATOR, entry_of, load

from . import unicode_reference as reference

NAMES = ["words", "characters"]


def is_known(character: str) -> bool:
    """Whether this Python and the table agree on the character: they may not on what Unicode 14 left unassigned."""
    plain = reference.letter_class(character) == "." and reference.fold(character) == character
    return plain or entry_of(character, load()) != SEPARATOR


TRICKY = (
    "aZ09_-'.\u00a0 \t\n\r\x1c\x85éÉe\u0301\u0308\u0345ßẞİıſK\u00adfiﬁ½²Ⅷ٣\u200d\u2028\ufeff\u3000漢字〇豈\ufa0e가각각"
    "ΑΆᾳᾂς𝐀𐐀😀\U0001f1e6\U00020000\U0002f800\ud800\udfff\udc80\U0010ffff\0"
    "\u0301\u0323\u0327\u0345\u0300ếẫ\u0344\u05b8\u05c1\u05bcש\ufb2aא\u064e\u0651\u0654بأ\u0f71\u0f72\u0f73ཀ\u093c\u094dकि\u09cb"
    "\u1100\u1161\u11a8\u00ad\u200b\u200c\u200d\u034f\ufe0f\U000e0100\u115f"
    "ก\u0e34\u0e48ะาำเแ๑ລະເ\u0eb4ក\u17d2\u17b6\u17b4က\u1039\u103a\u102b\u103cかがゃっーキャｶﾞ々ㄅꀀ"
    "aаαΑАBВкKkоOеёйїöäբօսᎪ≠=\u0338"
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
@example(
    texts=[
        "เ漢เ\u200bกะa\u17d2ក្\u034fក",
        "a\u0345\u0301\u0323 é\u0323\u0301ế\u0323",
        "\u00ada\u00ad\u0301\u034f\u0323\u00ad",
    ]
)
@example(texts=["pаypal сoбaкa Δt 10км р\u0301\u0323а", "ab漢аb", "각\u1100\u1161\u11a8\u1160a\u1161"])
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
        ("漢字かな交じり", ["漢", "字", "か", "な", "交", "じ", "り"]),
        ("キャットでーす", ["キャ", "ッ", "ト", "でー", "す"]),
        ("辻\U000e0100さん人々", ["辻\U000e0100", "さ", "ん", "人", "々"]),
        ("สภาเมืองประชุม ๒๕๖๔", ["ส", "ภา", "เมื", "อ", "ง", "ป", "ระ", "ชุ", "ม", "๒๕๖๔"]),
        ("ສະບາຍດີ", ["ສະ", "ບາ", "ຍ", "ດີ"]),
        ("ក្រុមប្រឹក្សា", ["ក្រុ", "ម", "ប្រឹ", "ក្សា"]),
        ("မြန်မာဘာသာ", ["မြ", "န်", "မာ", "ဘာ", "သာ"]),
        ("ꦲꦏ꧀ꦱꦫ", ["ꦲ", "ꦏ꧀ꦱ", "ꦫ"]),
        ("a\u00adb c\u200bd \u200b\ufeffe\u2060", ["a\u00adb", "c\u200bd", "e\u2060"]),
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
        ("ệ", "e\u0302\u0323"),  # Vietnamese
        ("e\u0323\u0302", "e\u0302\u0323"),
        ("ọ\u0300", "o\u0300\u0323"),  # Yoruba
        ("ᾅ", "α\u0345\u0314\u0301"),  # Greek: iota is behind breathing and accent, which keep their order
        ("ᾄ", "α\u0313\u0301\u0345"),
        ("क\u093c\u094d", "क\u094d\u093c"),  # Hindi
        ("\u0f40\u0f71\u0f72", "\u0f40\u0f72\u0f71"),  # Tibetan
        ("\u0f40\u0f73", "\u0f40\u0f72\u0f71"),
    ],
)
@pytest.mark.parametrize("name", NAMES)
def test_spellings_that_match_without_case_are_one_token(name, one, other):
    tokens = make_tokenizer(name).encode(Texts.from_strings([one, other]))
    ids = tokens.ids.tolist()
    split = {("Straße", "STRASSE"), ("ﬁ", "fi")}  # in characters, ß is no two letters
    assert (ids[: len(ids) // 2] == ids[len(ids) // 2 :]) or (name == "characters" and (one, other) in split)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("normalize", ["none", "case", "latin", "auto"])
@given(text=strings)
def test_canonically_equivalent_texts_have_the_same_tokens(name, normalize, text):
    tokenizer = make_tokenizer(name, normalize=normalize)
    forms = [text, unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)]
    tokens = tokenizer.encode(Texts.from_strings(forms))
    given_ids, *others = (tokens.ids[low:high].tolist() for low, high in pairwise(tokens.bounds.tolist()))
    assert all(ids == given_ids for ids in others)


def test_two_marks_of_any_classes_count_in_either_order():
    marks = {}
    for code in range(0x110000):
        character = chr(code)
        order = unicodedata.combining(character)
        if order and is_known(character) and not reference.IGNORABLE.match(character):
            marks.setdefault(order, character)
    pairs = [(one, other) for one in marks.values() for other in marks.values() if one != other]
    assert len(pairs) > 2000
    for name in NAMES:
        tokenizer = make_tokenizer(name, normalize="none")
        one = tokenizer.encode(Texts.from_strings([f"x{a}{b}y" for a, b in pairs]))
        other = tokenizer.encode(Texts.from_strings([f"x{b}{a}y" for a, b in pairs]))
        assert one.ids.tolist() == other.ids.tolist()


def test_marks_without_end_are_put_in_order():
    marks = "\u0301\u0323\u0327" * 10_000
    ids = make_tokenizer("words").encode(Texts.from_strings(["a" + marks, "a" + marks[::-1]])).ids
    assert ids[0] == ids[1] == reference.token_id(unicodedata.normalize("NFD", "a" + marks))


@pytest.mark.parametrize("name", [*NAMES, "words:2", "characters:3"])
@given(text=strings, data=st.data())
def test_what_is_not_seen_changes_no_token(name, text, data):
    invisible = data.draw(
        st.lists(st.sampled_from("\u00ad\u200b\u200c\u200d\u200e\u2060\ufeff\ufe0f\U000e0100\u034f\u115f\U000e0041"))
    )
    places = [0, *sorted(data.draw(st.integers(0, len(text))) for _ in invisible), len(text)]
    parts = [text[low:high] for low, high in pairwise(places)]
    other = "".join(part + sign for part, sign in zip(parts, [*invisible, ""], strict=True))
    tokens = make_tokenizer(name).encode(Texts.from_strings([text, other]), offsets=True)
    plain, changed = listed(tokens, 0), listed(tokens, 1)
    assert [id for id, _, _ in plain] == [id for id, _, _ in changed]
    for (_, start, end), (_, its_start, its_end) in zip(plain, changed, strict=True):
        assert reference.IGNORABLE.sub("", text[start:end]) == reference.IGNORABLE.sub("", other[its_start:its_end])


@pytest.mark.parametrize(
    ("pointed", "plain"),
    [
        ("بِسْمِ ٱللَّهِ الرَّحْمَـٰنِ", "بسم ٱلله الرحمن"),
        ("בְּרֵאשִׁ֖ית בָּרָ֣א שׁ\ufb2aוֹ", "בראשית ברא ששו"),
        ("ܫܠܳܡܳܐ ܥܰܠܝܟ݂ܘܢ", "ܫܠܡܐ ܥܠܝܟܘܢ"),
        ("ࠁࠓࠀࠔࠉࠕ ࠁ\u0816ࠓ\u0823ࠀ", "ࠁࠓࠀࠔࠉࠕ ࠁࠓࠀ"),
        ("السَّلَامُ", "الــسلام"),
        ("لِيُـظْهِرَهُۥ عَلَى ٱلدِّينِ كُلِّهِۦ", "ليظهرهۥ على ٱلدين كلهۦ"),
    ],
)
@pytest.mark.parametrize("name", NAMES)
def test_points_that_a_writer_may_leave_out_do_not_count(name, pointed, plain):
    for normalize, is_same in (((), True), ("latin", True), ("none", False), ("none,digits", False)):
        tokens = make_tokenizer(name, normalize=normalize).encode(Texts.from_strings([pointed, plain]))
        one, other = (tokens.ids[low:high].tolist() for low, high in pairwise(tokens.bounds.tolist()))
        assert (one == other) == is_same


@pytest.mark.parametrize("text", ["أإآؤئ ا و ي", "क कि की", "ก กิ กี", "ހަ ހި", "e é ê", "가 각", "ཀ ཀི", "и й", "か が"])
def test_marks_that_make_another_letter_count(text):
    ids = make_tokenizer("characters").encode(Texts.from_strings([text.replace(" ", "")])).ids
    assert len(set(ids.tolist())) == len(ids) == len(unicodedata.normalize("NFC", text).split(" ")) or text[0] in "أकกހ"
    assert len(set(ids.tolist())) == len(ids)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pаypal", "paypal"),
        ("сoбaкa", "собака"),
        ("Ηello", "Hello"),
        ("ΕΛΛAΔA", "ΕΛΛΑΔΑ"),
        ("rаnd\u00adοm", "random"),
        ("ёlе\u0301vе", "\u00ebl\u00e9ve"),
        ("Ꭺpple", "Apple"),
        ("lօve", "love"),
        ("аррlе", "apple"),
    ],
)
def test_a_letter_that_looks_like_those_of_its_word_is_taken_for_one(one, other):
    for name in ("words", "words:1"):
        ids = make_tokenizer(name).encode(Texts.from_strings([one, other])).ids.tolist()
        assert ids[0] == ids[1]
    ids = make_tokenizer("words", normalize="none").encode(Texts.from_strings([one, other])).ids.tolist()
    assert ids[0] != ids[1]


@pytest.mark.parametrize(
    ("one", "other"), [("сор", "cop"), ("Δt", "At"), ("ноте", "hote"), ("μm", "um"), ("10км", "10km")]
)
def test_words_of_one_script_stay_as_they_are(one, other):
    ids = make_tokenizer("words").encode(Texts.from_strings([one, other])).ids.tolist()
    assert ids[0] == reference.token_id(one.casefold())
    assert ids[0] != ids[1]


def test_any_number_of_words_of_two_scripts_is_restored():
    texts = Texts.from_strings(["aо " * 5000, "ao " * 5000])  # more than there is room for at first
    ids = make_tokenizer("words").encode(texts).ids
    assert np.array_equal(ids[:5000], ids[5000:])


def test_ids_are_those_of_every_index_of_this_version():
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
        ("e\u0301x \u0301", ["e\u0301", "x", " ", "\u0301"]),
        ("각\u1100\u1161", ["각", "\u1100\u1161"]),
        ("ที่=\u0338a", ["ที่", "=\u0338", "a"]),
        ("\0\ud800", ["\0", "\ud800"]),
    ],
)
def test_characters_have_their_marks_and_white_space_is_one(text, expected):
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
