"""Names that a report must not tell."""

from unicodedata import normalize

from hypothesis import given
from hypothesis import strategies as st

from ibidem.web.report.redaction import NameBlanker

NAMES = st.lists(st.text(st.characters(categories=["L"]), min_size=1, max_size=5), max_size=3)


@given(st.text(), NAMES)
def test_places_stay_what_they_are(text: str, names: list[str]) -> None:
    blanked = NameBlanker(names).blank(text)
    assert len(blanked) == len(text)
    assert all(now in (before, "█") for before, now in zip(text, blanked, strict=True))


def test_names_are_blanked_as_whole_words_in_any_case() -> None:
    blanker = NameBlanker(["Lee", "Anna Lee", "O'Neill", ""])
    assert blanker.blank("anna\nLEE, Leeds, Lee's; O'NEILL") == "████████, Leeds, ███'s; ███████"
    assert NameBlanker(["Will"]).blank("Will, WILL and will") == "████, ████ and will"  # the last is a verb
    assert NameBlanker(["will"]).blank("Will, WILL and will") == "████, ████ and ████"
    assert blanker.blank("Lees Aufsatz, Leese") == "████ Aufsatz, Leese"
    assert NameBlanker([]).blank("Lee") == "Lee"


def test_accents_of_names_may_be_letters_of_their_own() -> None:
    names = "Jörg Müller", "Łukasz Żak"
    for one, other in (("NFC", "NFD"), ("NFD", "NFC"), ("NFD", "NFD")):
        blanker = NameBlanker([normalize(one, name) for name in names])
        text = normalize(other, "von Jörg\nMüller und Łukasz Żak")
        assert set(blanker.blank(text).replace("von", "").replace("und", "")) == {"█", " "}
    assert NameBlanker(["Jo"]).blank(normalize("NFD", "Jö")) == normalize("NFD", "Jö")
