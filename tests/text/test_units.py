import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem import align, find_reuse, make_tokenizer
from ibidem.text import Texts
from ibidem.text.units import (
    are_letters,
    choose_collection_unit,
    choose_unit,
    find_least_part,
    hardly_repeat,
    share_once,
    suit_texts,
)

SYLLABLES = [consonant + vowel for consonant in "kgcjtdnpbmyrlvsh" for vowel in "aiueo"]


def draw_stems(seed, number=400):
    drawn = random.Random(seed)
    return ["".join(drawn.choices(SYLLABLES, k=drawn.randint(2, 3))) for _ in range(number)]


def draw_words(seed, number, fused):
    """Running words of a language of 400 stems, which it joins by twos and threes if ``fused``."""
    drawn, stems = random.Random(seed), draw_stems(0)
    weights = [1 / rank for rank in range(1, len(stems) + 1)]
    sizes = [drawn.randint(2, 3) if fused else 1 for _ in range(number)]
    return ["".join(drawn.choices(stems, weights, k=size)) for size in sizes]


FUSED, PLAIN = (" ".join(draw_words(1, 3_000, fused)) for fused in (True, False))


def cut(text, words):
    """A text in documents of so many words."""
    running = text.split()
    return [" ".join(running[first : first + words]) for first in range(0, len(running), words)]


def test_words_that_repeat_are_compared_as_words():
    assert choose_unit([PLAIN]) == "words"
    assert choose_collection_unit(cut(PLAIN, 20)) == "words"


def test_words_that_hardly_repeat_are_compared_by_runs_of_characters():
    assert choose_unit([FUSED]) == "characters:4/3"
    assert choose_collection_unit(cut(FUSED, 20)) == "characters:3"
    assert choose_unit([FUSED[:20_000]], mean_length=100) == "characters:3"


@pytest.mark.parametrize("text", ["", "few words", " ".join(FUSED.split()[:900])])
def test_less_than_a_thousand_words_say_nothing(text):
    assert choose_unit([text]) == "words"


def test_codes_are_words_since_their_characters_do_not_repeat_either():
    drawn = random.Random(2)
    codes = " ".join("".join(drawn.choices("abcdefghijklmnopqrstuvwxyz", k=12)) for _ in range(3_000))
    assert hardly_repeat(make_tokenizer("words").encode(Texts.from_strings([codes])).ids)
    assert choose_unit([codes]) == "words"


def test_names_with_numbers_are_words_of_no_script():
    assert choose_unit([" ".join(f"answer{number}x" for number in range(3_000))]) == "words"


def test_numbers_are_words_of_no_script():
    drawn = random.Random(3)
    assert choose_unit([" ".join(str(drawn.randrange(10**9)) for _ in range(3_000))]) == "words"


def test_scripts_of_a_collection_are_looked_at_apart():
    greek = str.maketrans("kgcjtdnpbmyrlvshaiueo", "κγχζτδνπβμψρλφσθαιυεο")
    repeated = PLAIN.translate(greek)
    assert choose_unit([repeated]) == "words"
    assert choose_unit([*cut(repeated, 20), *cut(FUSED, 20)]) == "characters:3"
    few = cut(FUSED, 20)[:55]
    assert choose_unit([*cut(repeated * 4, 20), *few]) == "words"  # less than a quarter of the letters


def test_the_order_of_documents_does_not_matter_where_all_are_in_the_sample():
    documents = cut(FUSED, 20)
    assert choose_collection_unit(documents) == choose_collection_unit(documents[::-1])


@given(ids=st.lists(st.integers(0, 6), max_size=60), size=st.integers(1, 12))
def test_the_share_of_tokens_that_occur_once_is_that_of_a_count(ids, size):
    starts = range(0, len(ids) - size + 1, size)
    pieces = [ids[first : first + size] for first in starts[:: max(1, len(starts) // 4)]]
    shares = [sum(count == 1 for count in Counter(piece).values()) / size for piece in pieces]
    expected = sum(shares) / len(shares) if shares else 0.0
    assert share_once(np.array(ids, np.uint32), size) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("tokenizer", "part"),
    [
        ("words", 4),
        ("words:3", 4),
        ("characters", 4),
        ("characters:3", 12),
        ("characters:4/3", 4),
        ("characters:4/99", 1),
    ],
)
def test_the_shortest_passage_is_a_part_of_the_shorter_text(tokenizer, part):
    assert find_least_part(make_tokenizer(tokenizer)) == part


def test_a_passage_whose_words_were_joined_anew_is_found_without_being_asked():
    stems, drawn = draw_stems(0), random.Random(4)
    passage = drawn.choices(stems, k=120)
    a, b = (
        " ".join(
            draw_words(10 + size, 700, fused=True)
            + ["".join(passage[first : first + size]) for first in range(0, len(passage), size)]
            + draw_words(20 + size, 700, fused=True)
        )
        for size in (2, 3)
    )
    assert not align(a, b, tokenizer="words")
    found = align(a, b)
    assert found.tokenizer.config == make_tokenizer("characters:4/3").config
    [pair] = found
    start = a.index("".join(passage[:2]))
    assert abs(pair.a_start - start) < 40


def test_ordinary_texts_are_aligned_by_words():
    assert align(PLAIN, PLAIN).tokenizer.config == make_tokenizer("words").config


def test_collections_of_fused_words_are_searched_by_a_third_of_the_runs_of_characters():
    passage = random.Random(5).choices(draw_stems(0), k=90)
    documents = []
    for number, size in enumerate((2, 3)):
        copied = ["".join(passage[first : first + size]) for first in range(0, 90, size)]
        words = draw_words(30 + number, 600, fused=True)
        documents.append((f"{size} fused", " ".join([*words[:300], *copied, *words[300:]])))
    assert find_reuse(documents, tokenizer="words").pairs.num_rows == 0
    found = find_reuse(documents)
    assert found.pairs.select(["a", "b"]).to_pylist() == [{"a": "2 fused", "b": "3 fused"}]
    named = find_reuse(documents, tokenizer="characters:4/3")
    assert found.pairs.equals(named.pairs)


def test_stems_are_those_of_words_whatever_the_text():
    assert suit_texts([FUSED], "stems-english").config["name"] == "words"
    assert suit_texts([FUSED], "latin").config["name"] == "characters"


SCRIPTS = {
    "Thai": "กขคงจฉชซญฐฑฒณดตถทธนบปผพฟภมยรลวศษสหอ",
    "Lao": "ກຂຄງຈຊຍດຕຖທນບປຜພຟມຢຣລວສຫອ",
    "Khmer": "កខគឃងចឆជឈញដឋឌឍណតថទធនបផពភមយរលវសហឡអ",
    "Burmese": "ကခဂဃငစဆဇဈညဋဌဍဎဏတထဒဓနပဖဗဘမယရလဝသဟအ",
    "hiragana": "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをん",
    "katakana": "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン",
    "Javanese": "ꦏꦒꦔꦕꦗꦚꦛꦝꦟꦠꦢꦤꦥꦧꦩꦪꦫꦭꦮꦱꦲ",
    "Tai Le": "ᥐᥑᥒᥓᥔᥕᥖᥗᥘᥙᥚᥛᥜᥝᥞᥟᥠᥡᥢᥣᥤᥥᥦᥧ",
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_copied_passage_is_found_in_a_script_without_spaces(script: str) -> None:
    drawn = random.Random(script)
    parts = ["".join(drawn.choices(SCRIPTS[script], k=length)) for length in (400, 190, 300, 250, 500, 900)]
    a, b, other = parts[0] + parts[1] + parts[2], parts[3] + parts[1] + parts[4], parts[5]
    [pair] = align(a, b)
    assert pair.a_start == pytest.approx(400, abs=10)
    assert pair.a_end == pytest.approx(590, abs=10)
    assert not len(align(a, other))
    reuse = find_reuse([("a", a), ("b", b), ("other", other)])
    assert reuse.pairs.select(["a", "b"]).to_pylist() == [{"a": "a", "b": "b"}]


def test_letters_that_repeat_are_those_of_scripts_without_spaces() -> None:
    words = make_tokenizer("words")

    def holds(text: str) -> bool:
        return are_letters(words.encode(Texts.from_strings([text]), offsets=True))

    drawn = random.Random(1)
    kana = "".join(drawn.choices(SCRIPTS["hiragana"], k=600))
    assert holds(kana)
    assert holds(f"three words beside {kana}")
    assert not holds(kana[:200])
    assert not holds(" ".join(kana))
    assert not holds("a b c d " * 200)
    assert not holds("".join(map(chr, drawn.choices(range(0x4E00, 0x4E00 + 900), k=2_000))))
