"""What is advised for texts, and for which reason."""

import pytest

from ibidem.text.advice import advise_texts, describe_noise

PROSE = "The old mill by the river had not turned for years, and nobody in the town could say why. " * 20


@pytest.mark.parametrize(
    ("texts", "names", "reason"),
    [
        ([PROSE + "He came vnto them. " * 20, PROSE + "He came unto them. " * 30], "latin", "such as vnto beside unto"),
        ([PROSE + "And vpon the hill. " * 20], "latin", "spelled as in old prints, such as vpon"),
        (["أحمد الكتاب احمد احمد " * 30], "arabic-light", "beside احمد"),
        (["λόγος λογος " * 20], "greek", "have another spelling"),
        (["װאס וואס " * 20], "hebrew", "have another spelling"),
        (["漢字很多，汉字不少。" * 20], "cjk", "have another spelling"),
        ([("He would re-\nmember the mill\n" + PROSE[:50] + "\n") * 9], "hyphens", "of the lines end inside of a word"),
        ([PROSE + "the o1d rnill by tbe r1ver " * 30], "noisy", "have digits between letters"),
    ],
)
def test_a_setting_is_advised_for_what_is_in_the_texts(texts: list[str], names: str, reason: str) -> None:
    advice = advise_texts(texts)
    assert advice.options == [f"--normalize {names}"]
    [said] = advice.reasons
    assert said.startswith(f"{names}: ")
    assert reason in said


@pytest.mark.parametrize(
    "text",
    [PROSE, "Schon war es schön, où ou à a été ete. " * 20, "x1 = y2 + f(z3)\n" * 50, "", "שָׁלוֹם שלום كِتَاب كتاب " * 20],
)
def test_nothing_is_advised_where_nothing_is_seen(text: str) -> None:
    advice = advise_texts([text])
    assert advice.options == []
    assert advice.reasons == ["the default settings: no word has two spellings that a name covers"]


@pytest.mark.parametrize(
    "text",
    [
        PROSE,
        "Wir sagten: »Gut«, und „so sei's“ – l’«ami» d'hier. " * 20,
        "漢字“很”多，汉字《不》少。" * 20,
        "قال «سلام»، ثم«سأل»عنه " * 20,
        "xs = [f(a^b) | g(cd^ef) for a in b]; if (ab<cd) { x += ab^cd; }\n" * 20,
        "P(A|B) = P(B|A) and x^y, then e^x " * 20,
    ],
)
def test_clean_texts_and_code_have_no_noise(text: str) -> None:
    assert describe_noise([text]) == ""


def test_signs_inside_of_words_are_noise() -> None:
    noisy = "ein tü‹htig«r Mann, br^v und ge»echt. "
    assert describe_noise([PROSE, noisy]).endswith("of the words have signs inside, such as tü‹htig«r")
    advice = advise_texts([PROSE, noisy])
    assert advice.is_misread
    assert advice.options == ["--normalize noisy"]
