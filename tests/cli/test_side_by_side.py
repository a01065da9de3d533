"""Two passages at a terminal: which words are marked, what is left out, and in which script."""

import io

from rich.console import Console

from ibidem.cli.side_by_side import RunText, cut_side, show_pair, write_pair
from ibidem.comparison import Comparison, compare


def shown(found: Comparison, width: int = 100) -> str:
    out = Console(file=io.StringIO(), force_terminal=True, width=width, color_system="standard")
    show_pair(out, found, "similar")
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


def test_what_was_copied_is_marked_and_what_was_changed_in_another_way() -> None:
    found = compare("in one and the same place", "in one and the other place")
    assert cut_side(found, "a") == [
        RunText("in one and the", "equal"),
        RunText(" ", ""),
        RunText("same", "changed"),
        RunText(" ", ""),
        RunText("place", "equal"),
    ]
    assert "\x1b[1;32min one and the\x1b[0m" in shown(found)
    assert "\x1b[33mother\x1b[0m" in shown(found)


def test_few_words_that_texts_have_by_chance_are_not_marked() -> None:
    found = shown(compare("the end of a long road", "the begin of another day"))
    assert "\x1b[1;32m" not in found
    assert "\x1b[33m" not in found


def test_case_and_punctuation_are_not_marked_as_changes() -> None:
    assert "\x1b[33m" not in shown(compare("his mother in law", "his mother-in-law,")).replace("yellow", "")


def test_a_chinese_passage_is_shown_whole_and_marked_by_characters() -> None:
    line = "子曰學而時習之不亦說乎有朋自遠方來不亦樂乎人不知而不慍不亦君子乎" * 4
    text = shown(compare(line, line.replace("遠", "近")), width=60)
    signs = [sign for sign in text if sign in set(line)]
    assert len(signs) == 2 * len(line) - 4
    assert "\x1b[33m近\x1b[0m" in text


def test_the_middle_of_a_long_passage_is_shown_where_it_was_changed() -> None:
    words = [f"word{number}" for number in range(300)]
    found = compare(" ".join(words), " ".join([*words[:150], "changed", *words[151:]]))
    plain = write_pair(found, "similar")
    assert "changed" in plain
    assert "word150" in plain
    assert plain.count("characters, the same ...]") == 4
    assert "word75" not in plain


def test_a_passage_that_goes_on_for_ever_says_what_is_left_out() -> None:
    found = compare("".join(f"a{n} " for n in range(5000)), "".join(f"b{n} " for n in range(5000)))
    total = sum(len(piece.text) for piece in cut_side(found, "a"))
    assert total < 6_100
    assert cut_side(found, "a")[-1].text.endswith("characters ...] ")


def test_on_a_pipe_a_pair_is_plain_text() -> None:
    assert write_pair(compare("one\ntwo", "three", names=("x", "y")), "similar") == (
        "similar\n  x, characters 0 to 7\n    one two\n  y, characters 0 to 5\n    three\n"
    )


def test_signs_that_steer_a_terminal_are_replaced() -> None:
    assert "\x1b" not in write_pair(compare("a \x1b[31m b", "a b", names=("x\x1b", "y")), "similar")


def test_words_with_letters_of_another_script_are_counted_beside_the_place() -> None:
    found = compare("pay by p\u0430ypal or p\u0430ym\u0435nt", "pay by paypal or payment")
    lines = write_pair(found, "similar").splitlines()
    assert [line for line in lines if "characters" in line] == [
        "  a, characters 0 to 24, 2 words with letters of another script",
        "  b, characters 0 to 24",
    ]
    assert "2 words with letters" in " ".join(shown(found, width=200).split())
