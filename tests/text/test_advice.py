"""What is advised for texts, and for which reason."""

import pytest

from ibidem.text.advice import advise_texts

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


def test_a_sample_is_enough() -> None:
    seen = []

    def texts():  # type: ignore[no-untyped-def]
        for number in range(100):
            seen.append(number)
            yield "word " * 20_000

    assert advise_texts(texts()).documents == 10
    assert len(seen) == 10
