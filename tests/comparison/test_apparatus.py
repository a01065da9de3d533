"""Two texts as TEI: each can be read off again, word by word."""

from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from ibidem.comparison import compare
from ibidem.comparison.apparatus import write_apparatus
from ibidem.comparison.units import cut_units

TEI = "{http://www.tei-c.org/ns/1.0}"
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"

TEXTS = st.lists(
    st.sampled_from(["the", "cat", "sat,", "Sat", "on", "a", "mat.", "(red", "—", "\n", "ſo", "天"]), max_size=30
)


def write(a: str, b: str, **options: object) -> ElementTree.Element:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "apparatus.xml"
        milestones = cut_units(a, "line")
        write_apparatus(compare(a, b, names=("one.txt", "two.txt")), path, unit="line", milestones=milestones)
        return ElementTree.parse(path).getroot()


def read_witness(root: ElementTree.Element, name: str) -> str:
    """The text of one witness: what is outside of ``app``, and in its own ``rdg``."""
    text = root.find(f".//{TEI}ab")
    assert text is not None
    parts = [text.text or ""]
    for each in text:
        parts += [
            f" {reading.text or ''} " for reading in each.findall(f"{TEI}rdg") if reading.get("wit") == f"#{name}"
        ]
        parts.append(each.tail or "")
    return "".join(parts)


@given(TEXTS, TEXTS)
def test_either_text_can_be_read_off_again(a: list[str], b: list[str]) -> None:
    texts = " ".join(a), " ".join(b)
    root = write(*texts)
    for name, text in zip("ab", texts, strict=True):
        assert "".join(read_witness(root, name).split()) == "".join(text.split())
    marks = [each.get("n") for each in root.iter(f"{TEI}milestone")]
    assert marks == [unit.label for unit in cut_units(texts[0], "line")]


def test_readings_are_those_that_differ_and_spellings_are_among_them() -> None:
    root = write("And the evening was,\nand he saw it.", "And the Evening was,\nand she saw it.")
    readings = [[each.text for each in app] for app in root.iter(f"{TEI}app")]
    assert readings == [["evening", "Evening"], ["he", "she"]]
    assert [each.text for each in root.iter(f"{TEI}witness")] == ["one.txt", "two.txt"]


def test_moved_words_point_to_each_other() -> None:
    tail, moved = "and the ship sailed off into the open sea at dawn", "a whole clause that was moved as it is"
    root = write(f"{moved} {tail}", f"{tail} {moved}")
    readings = [each for each in root.iter(f"{TEI}rdg") if each.get("corresp")]
    assert len(readings) == 2
    assert {each.get("corresp") for each in readings} == {f"#{each.get(XML_ID)}" for each in readings}
    assert len({each.text for each in readings}) == 1


def test_characters_that_xml_lacks_are_marked() -> None:
    assert "\ufffd" in read_witness(write("a\x01 word", "a word"), "a")
