"""Names that a report must not tell."""

from unicodedata import normalize

from hypothesis import given
from hypothesis import strategies as st

from ibidem.web.report import FoundCluster, FoundPair, FoundWitness, Source
from ibidem.web.report.names import NameBlanker

NAMES = st.lists(st.text(st.characters(categories=["L"]), min_size=1, max_size=5), max_size=3)


@given(st.text(), NAMES)
def test_places_stay_what_they_are(text: str, names: list[str]) -> None:
    blanked = NameBlanker(names).blank(text)
    assert len(blanked) == len(text)
    assert all(now in (before, "█") for before, now in zip(text, blanked, strict=True))


def test_names_are_blanked_as_whole_words_in_any_case() -> None:
    blanker = NameBlanker(["Lee", "Anna Lee", "O'Neill", ""])
    assert blanker.blank("anna\nLEE, Leeds, Lee's; o'neill") == "████████, Leeds, ███'s; ███████"
    assert blanker.blank("Lees Aufsatz, Leese") == "████ Aufsatz, Leese"
    assert NameBlanker([]).blank("Lee") == "Lee"


def test_accents_of_names_may_be_letters_of_their_own() -> None:
    names = "Jörg Müller", "Łukasz Żak"
    for one, other in (("NFC", "NFD"), ("NFD", "NFC"), ("NFD", "NFD")):
        blanker = NameBlanker([normalize(one, name) for name in names])
        text = normalize(other, "von Jörg\nMüller und Łukasz Żak")
        assert set(blanker.blank(text).replace("von", "").replace("und", "")) == {"█", " "}
    assert NameBlanker(["Jo"]).blank(normalize("NFD", "Jö")) == normalize("NFD", "Jö")


def test_all_texts_of_a_report_are_blanked() -> None:
    blanker = NameBlanker(["Lee"])
    assert blanker.blank_sources({"a": Source("by Lee"), "b": Source()}) == {"a": Source("by ███"), "b": Source()}
    assert blanker.blank_pair(FoundPair("a", 0, 3, "b", 0, 3, passages=("Lee", None))).passages == ("███", None)
    cluster = FoundCluster("c", 1.0, [FoundWitness("a", 0, 3, "Lee")])
    assert [each.text for each in blanker.blank_cluster(cluster).witnesses] == ["███"]
